// SPDX-License-Identifier: GPL-3.0-or-later
// MessageBar: one line (or a few) at the top of a page that says what went wrong, or what just
// happened. Never modal: it stays until closed, replaced or cleared. GUI thread.
#pragma once
#include <QFrame>

class QLabel;

namespace concertina::gui {

class MessageBar : public QFrame {
    Q_OBJECT
 public:
    explicit MessageBar(QWidget* parent = nullptr);
    void showError(const QString& sentence);
    void showNotice(const QString& sentence);
    void clear();
    QString text() const;

 private:
    void show(const QString& sentence, bool isError);

    QLabel* icon_;
    QLabel* label_;
};

}  // namespace concertina::gui
