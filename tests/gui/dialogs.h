// SPDX-License-Identifier: GPL-3.0-or-later
// What tests do with dialogs in the place of a user. GUI thread.
#pragma once
#include <QAbstractButton>
#include <QApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QTimer>

namespace concertina::gui {

/// Types a file's name into the open file dialog and accepts; false when there is no such dialog.
inline bool chooseFile(const QString& file) {
    for (QWidget* widget : QApplication::topLevelWidgets()) {
        auto* dialog = qobject_cast<QFileDialog*>(widget);
        if (dialog != nullptr && dialog->isVisible()) {
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(file);
            const bool saves = dialog->acceptMode() == QFileDialog::AcceptSave;
            dialog->findChild<QDialogButtonBox*>()
                ->button(saves ? QDialogButtonBox::Save : QDialogButtonBox::Open)
                ->click();
            return true;
        }
    }
    return false;
}

/// Answers the next question that blocks, by the title of a button; "" presses Escape.
inline void answerNextQuestion(QObject* context, const QString& button) {
    auto* timer = new QTimer(context);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, button] {
        auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (question == nullptr) {
            return;
        }
        timer->stop();  // it is deleted later, and must not answer another question until then
        timer->deleteLater();
        for (QAbstractButton* each : question->buttons()) {
            if (each->text() == button) {
                each->click();
                return;
            }
        }
        QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
        QApplication::sendEvent(question, &escape);
    });
    timer->start(10);
}

}  // namespace concertina::gui
