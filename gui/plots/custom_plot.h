// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to include QCustomPlot: its header uses Qt's lower-case keywords, which
// QT_NO_KEYWORDS takes away.
#pragma once
#include <QtCore/qforeach.h>
#include <QtCore/qglobal.h>

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>  // IWYU pragma: export
#undef signals
#undef slots
#undef foreach
