// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/spec_files.h"

#include <QSaveFile>

#include "core/spec/spec_error.h"

namespace concertina::gui {
namespace {

template <typename Read>
SpecAnswer answerOf(Read read) {
    SpecAnswer answer;
    try {
        answer.spec = read();
    } catch (const SpecError& error) {
        answer.mistakes = error.mistakes();
        answer.problem = QString::fromStdString(error.what());
    } catch (const std::exception& error) {
        answer.problem = QString::fromStdString(error.what());
    }
    return answer;
}

}  // namespace

SpecAnswer readSpecFile(const QString& file) {
    return answerOf([&] { return readRunSpec(file.toStdString()); });
}

SpecAnswer parseSpecText(const QString& toml, const QString& name) {
    return answerOf([&] { return parseRunSpec(toml.toStdString(), name.toStdString()); });
}

QString writeFile(const QString& file, const QByteArray& content) {
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(content) != content.size() || !out.commit()) {
        return QStringLiteral("Cannot write %1: %2").arg(file, out.errorString());
    }
    return {};
}

}  // namespace concertina::gui
