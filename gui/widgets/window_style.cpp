// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/window_style.h"

#include "gui/widgets/palette.h"

namespace concertina::gui {
namespace {

const char* const kRules = R"(
QLabel#title { font-size: 22pt; font-weight: 600; }
QLabel#lead { font-size: 12pt; }
QLabel#heading { font-size: 11pt; font-weight: 600; }
QLabel#hint { color: %MUTED%; }
QLabel#mistake { color: %MISTAKE%; }
QFrame#card { background: %BACKGROUND%; border: 1px solid %LINE%; border-radius: 6px; }
QFrame#bottomBar { border: none; border-top: 1px solid %LINE%; }
QPushButton[role="primary"] { background: %ACCENT%; color: white; border: none; border-radius: 4px;
                      padding: 7px 18px; font-weight: 600; }
QPushButton[role="primary"]:hover { background: %ACCENTHOVER%; }
QPushButton[role="primary"]:focus { border: 2px solid %TEXT%; padding: 5px 16px; }
QPushButton[role="primary"]:disabled { background: %LINE%; color: %MUTED%; }
QListWidget#navigation { background: %NAVIGATION%; border: none; outline: none;
                         border-right: 1px solid %LINE%; }
QListWidget#navigation::item { padding: 9px 16px; border-left: 3px solid transparent;
                               color: %TEXT%; }
QListWidget#navigation::item:hover { background: %HOVER%; }
QListWidget#navigation::item:selected { background: %HOVER%; color: %TEXT%;
                                        border-left: 3px solid %ACCENT%; }
)";

}  // namespace

QString windowStyleSheet(const PlotPalette& palette) {
    const bool dark = palette.dark;
    const QColor accent = dark ? QColor(0x2F6DB5) : palette.runs[0];
    const std::pair<const char*, QColor> colors[] = {
        {"%MUTED%", palette.muted},
        {"%MISTAKE%", dark ? QColor(0xFF7B72) : QColor(0xC62828)},
        {"%BACKGROUND%", palette.background},
        {"%LINE%", dark ? palette.grid : QColor(0xD9DCE0)},
        {"%ACCENTHOVER%", accent.lighter(115)},
        {"%ACCENT%", accent},
        {"%TEXT%", palette.text},
        {"%NAVIGATION%", dark ? QColor(0x1B1E23) : QColor(0xEDEFF2)},
        {"%HOVER%", dark ? QColor(0x2E333A) : QColor(0xFFFFFF)},
    };
    QString sheet = QString::fromLatin1(kRules);
    for (const auto& [name, color] : colors) {
        sheet.replace(QLatin1String(name), color.name());
    }
    return sheet;
}

}  // namespace concertina::gui
