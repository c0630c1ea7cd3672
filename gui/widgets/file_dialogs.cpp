// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/file_dialogs.h"

#include <QFileDialog>
#include <utility>

namespace concertina::gui {
namespace {

QFileDialog* makeDialog(QWidget* parent,
                        const QString& title,
                        const QString& filters,
                        FileChosen chosen) {
    auto* dialog = new QFileDialog(parent, title, {}, filters);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(chosen));
    return dialog;
}

/// "png" of "PNG picture (*.png)", nothing of "All files (*)".
QString suffixOf(const QString& filter) {
    return filter.section(QStringLiteral("*."), 1).section(')', 0, 0);
}

/// A run may be called anything.
QString fileNameFrom(QString name) {
    for (QChar& letter : name) {
        letter = letter == '/' || !letter.isPrint() ? QChar('-') : letter;
    }
    return name;
}

}  // namespace

void askForFileToOpen(QWidget* parent,
                      const QString& title,
                      const QString& filters,
                      FileChosen chosen) {
    makeDialog(parent, title, filters, std::move(chosen))->open();
}

void askForFileToSave(QWidget* parent,
                      const QString& title,
                      const QString& name,
                      const QString& filters,
                      FileChosen chosen) {
    QFileDialog* dialog = makeDialog(parent, title, filters, std::move(chosen));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    const auto useSuffix = [dialog](const QString& filter) {
        dialog->setDefaultSuffix(suffixOf(filter));
    };
    useSuffix(dialog->selectedNameFilter());
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, useSuffix);
    dialog->selectFile(fileNameFrom(name));
    dialog->open();
}

}  // namespace concertina::gui
