// SPDX-License-Identifier: GPL-3.0-or-later
// The file dialogs of the pages. They return at once and belong to their parent; `chosen` is called
// with the path unless the user changes their mind. Filters as QFileDialog wants them: "CSV
// (*.csv);;All files (*)". GUI thread.
#pragma once
#include <QString>
#include <functional>

class QWidget;

namespace concertina::gui {

using FileChosen = std::function<void(const QString& file)>;

void askForFileToOpen(QWidget* parent,
                      const QString& title,
                      const QString& filters,
                      FileChosen chosen);
/// Proposes `name`, as far as it can name a file; a name without a suffix gets that of the filter.
void askForFileToSave(QWidget* parent,
                      const QString& title,
                      const QString& name,
                      const QString& filters,
                      FileChosen chosen);

}  // namespace concertina::gui
