// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/about.h"

#include <QMessageBox>

namespace concertina::gui {
namespace {

const char* const kAbout = R"(<h3>Concertina %1</h3>
<p>Workbench for adaptive gradient compression in data-parallel training.</p>
<p>After “Accordion: Adaptive Gradient Communication via Critical Learning Regime
Identification”
(Agarwal, Wang, Lee, Venkataraman, Papailiopoulos; MLSys 2021).</p>
<p><b>Licences.</b> This window is free software under GPL-3.0-or-later; the command line, the
training engine and the kernels are Apache-2.0. It stands on Qt (LGPL-3.0), QCustomPlot (GPL-3.0),
libtorch (BSD-3-Clause), SQLite (public domain), SQLiteCpp, toml++, nlohmann-json and fmt (MIT).
There is no warranty.</p>)";

const char* const kShortcuts = R"(<table cellspacing="6">
<tr><td><b>Ctrl+1 … Ctrl+5</b></td><td>Start, Runs, New run, Live, Compare</td></tr>
<tr><td><b>Ctrl+N</b></td><td>New run</td></tr>
<tr><td><b>Ctrl+Return</b></td><td>Launch the run of the form</td></tr>
<tr><td><b>Ctrl+F</b></td><td>Filter the runs</td></tr>
<tr><td><b>Return</b>, double-click</td><td>Open the selected run live</td></tr>
<tr><td><b>Ctrl+E</b></td><td>Compare the selected runs</td></tr>
<tr><td><b>Ctrl+C</b></td><td>In a plot or table: copy its values (TSV)</td></tr>
<tr><td colspan="2">&nbsp;</td></tr>
<tr><td><b>Wheel</b></td><td>In a plot: zoom x at the cursor</td></tr>
<tr><td><b>Shift+wheel</b></td><td>zoom y</td></tr>
<tr><td><b>Drag</b></td><td>pan</td></tr>
<tr><td><b>Ctrl+drag</b></td><td>zoom into a box</td></tr>
<tr><td><b>Double-click</b></td><td>fit everything</td></tr>
<tr><td><b>↑ ↓</b></td><td>Live: select a layer of the level map</td></tr>
</table>)";

}  // namespace

void showAbout(QWidget* parent) {
    QMessageBox::about(parent, QStringLiteral("About Concertina"),
                       QString::fromUtf8(kAbout).arg(QStringLiteral(CONCERTINA_VERSION)));
}

void showShortcuts(QWidget* parent) {
    QMessageBox box(QMessageBox::NoIcon, QStringLiteral("Keyboard and mouse"),
                    QString::fromUtf8(kShortcuts), QMessageBox::Close, parent);
    box.setTextFormat(Qt::RichText);
    box.exec();
}

}  // namespace concertina::gui
