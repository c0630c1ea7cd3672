// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

namespace concertina::gui {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), icon_(new QLabel(this)), label_(new QLabel(this)) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Button);
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::PlainText);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* close = new QToolButton(this);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setAutoRaise(true);
    close->setToolTip(QStringLiteral("Close this message"));
    connect(close, &QToolButton::clicked, this, &MessageBar::clear);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 4);
    layout->setSpacing(8);
    layout->addWidget(icon_, 0, Qt::AlignTop);
    layout->addWidget(label_, 1);
    layout->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void MessageBar::showError(const QString& sentence) { show(sentence, true); }

void MessageBar::showNotice(const QString& sentence) { show(sentence, false); }

void MessageBar::clear() {
    label_->clear();
    hide();
}

QString MessageBar::text() const { return label_->text(); }

void MessageBar::show(const QString& sentence, bool isError) {
    const auto icon = isError ? QStyle::SP_MessageBoxWarning : QStyle::SP_MessageBoxInformation;
    icon_->setPixmap(style()->standardIcon(icon).pixmap(16, 16));
    label_->setText(sentence);
    setVisible(true);
}

}  // namespace concertina::gui
