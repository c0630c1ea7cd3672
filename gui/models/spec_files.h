// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing files for pages, as answers instead of exceptions. For runInBackground
// (background.h); any thread.
#pragma once
#include <QByteArray>
#include <QString>
#include <optional>
#include <vector>

#include "core/spec/run_spec.h"

namespace concertina::gui {

/// A spec, or why there is none.
struct SpecAnswer {
    std::optional<RunSpec> spec;
    std::vector<SpecMistake> mistakes;  // when it was read but is not valid
    QString problem;                    // all of it, as sentences; empty with a spec
};
SpecAnswer readSpecFile(const QString& file);
SpecAnswer parseSpecText(const QString& toml, const QString& name);

/// Writes the whole file or leaves what was there. Empty, or a sentence.
QString writeFile(const QString& file, const QByteArray& content);

}  // namespace concertina::gui
