// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPalette>
#include <QStyleFactory>
#include <optional>

#include "gui/widgets/palette.h"

namespace concertina::gui {
namespace {

/// 1: dark is preferred, 2: light, 0: no preference; nothing without a portal.
std::optional<uint> portalColorScheme() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        return {};
    }
    QDBusMessage call = QDBusMessage::createMethodCall("org.freedesktop.portal.Desktop",
                                                       "/org/freedesktop/portal/desktop",
                                                       "org.freedesktop.portal.Settings", "Read");
    call << "org.freedesktop.appearance"
         << "color-scheme";
    const QDBusMessage reply = bus.call(call, QDBus::Block, 200);
    if (reply.type() != QDBusMessage::ReplyMessage || reply.arguments().isEmpty()) {
        return {};
    }
    // The portal wraps its answer in one variant too many.
    QVariant value = reply.arguments().constFirst();
    while (value.canConvert<QDBusVariant>()) {
        value = value.value<QDBusVariant>().variant();
    }
    return value.toUInt();
}

QPalette widgetPalette(const PlotPalette& colors) {
    const QColor window = colors.dark ? QColor(0x23272D) : QColor(0xF6F7F9);
    const QColor button = colors.dark ? QColor(0x2E333A) : QColor(0xECEEF1);
    QPalette palette(button, window);
    palette.setColor(QPalette::WindowText, colors.text);
    palette.setColor(QPalette::Base, colors.background);
    palette.setColor(QPalette::AlternateBase, window);
    palette.setColor(QPalette::Text, colors.text);
    palette.setColor(QPalette::ButtonText, colors.text);
    palette.setColor(QPalette::PlaceholderText, colors.muted);
    palette.setColor(QPalette::ToolTipBase, colors.background);
    palette.setColor(QPalette::ToolTipText, colors.text);
    palette.setColor(QPalette::Highlight, colors.dark ? QColor(0x2F6DB5) : colors.runs[0]);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, colors.runs[0]);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, colors.dark ? colors.context : QColor(0xA0A6AE));
    }
    return palette;
}

/// The desktop's sans at 10 pt. DejaVu is what fontconfig falls back to where no desktop chose a
/// font; Roboto is narrower and has tabular digits as well.
QFont applicationFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    if (QFontInfo(font).family().startsWith("DejaVu") && QFontDatabase::hasFamily("Roboto")) {
        font.setFamily("Roboto");
    }
    font.setPointSizeF(10);
    return font;
}

}  // namespace

bool isDark(Theme theme) {
    if (theme != Theme::System) {
        return theme == Theme::Dark;
    }
    if (const auto scheme = portalColorScheme(); scheme && *scheme != 0) {
        return *scheme == 1;
    }
    return QApplication::palette().color(QPalette::Window).lightness() < 128;
}

void applyTheme(QApplication& application, bool dark) {
    application.setStyle(QStyleFactory::create("Fusion"));
    application.setPalette(widgetPalette(plotPalette(dark)));
    application.setFont(applicationFont());
}

}  // namespace concertina::gui
