// SPDX-License-Identifier: GPL-3.0-or-later
// The help menu's two windows: what this is and under which licences, and what keys and mouse do.
// GUI thread.
#pragma once

class QWidget;

namespace concertina::gui {

void showAbout(QWidget* parent);
void showShortcuts(QWidget* parent);

}  // namespace concertina::gui
