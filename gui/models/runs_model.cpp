// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/runs_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "gui/models/run_text.h"
#include "gui/widgets/format.h"
#include "gui/widgets/table_column.h"

namespace concertina::gui {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

QString textOrDash(const std::string& text) {
    return text.empty() ? kNoValue : QString::fromStdString(text);
}

QString studyText(const RunRow& run) {
    if (run.study.empty() && run.variant.empty()) {
        return kNoValue;
    }
    return QString::fromStdString(run.variant.empty() ? run.study
                                                      : run.study + " / " + run.variant);
}

double progressOf(const RunRow& run) {
    return run.epochsPlanned > 0 ? double(run.epochsDone) / run.epochsPlanned : 0;
}

QString bytesCell(const RunRow& run) {
    const SentBytes bytes = sentBytes(run);
    if (run.epochsDone == 0) {
        return kNoValue;
    }
    return bytesText(bytes.sent) + (bytes.isPayload ? QStringLiteral(" payload") : QString());
}

QString ratioCell(std::optional<double> ratio) { return ratio ? timesText(*ratio) : kNoValue; }

double noNumber(const RunRow&) { return kNothing; }

const RunColumn kColumns[] = {
    {"Status", "Running, done, stopped, failed, diverged or lost", false,
     [](const RunRow& run) { return statusTitle(run.status); }, noNumber},
    {"Name", "The run's name; its id is in the tooltip of each row", false,
     [](const RunRow& run) { return QString::fromStdString(run.name); }, noNumber},
    {"Study / variant", "The study that started the run, and its variant in it", false, studyText,
     noNumber},
    {"Policy", "Who decides the compression level", false,
     [](const RunRow& run) { return textOrDash(run.policy); }, noNumber},
    {"Compressor", "How gradients are compressed", false,
     [](const RunRow& run) { return textOrDash(run.compressor); }, noNumber},
    {"Seed", "Runs that differ in the seed alone are repetitions", true,
     [](const RunRow& run) { return QString::number(run.seed); },
     [](const RunRow& run) { return double(run.seed); }},
    {"Progress", "Epochs done of epochs planned", true,
     [](const RunRow& run) {
         return QStringLiteral("%1/%2").arg(run.epochsDone).arg(run.epochsPlanned);
     },
     progressOf},
    {"Accuracy", "Test accuracy of the last evaluated epoch", true,
     [](const RunRow& run) { return run.testAccuracy ? percentText(*run.testAccuracy) : kNoValue; },
     [](const RunRow& run) { return run.testAccuracy.value_or(kNothing); }},
    {"Bytes sent", "Gradient bytes one rank sent so far; with one rank, the payload it would send",
     true, bytesCell,
     [](const RunRow& run) { return run.epochsDone > 0 ? sentBytes(run).sent : kNothing; }},
    {"vs fp16", "Bytes of dense fp16 ÷ bytes sent", true,
     [](const RunRow& run) { return ratioCell(sentBytes(run).ratioToFp16()); },
     [](const RunRow& run) { return sentBytes(run).ratioToFp16().value_or(kNothing); }},
    {"vs fp32", "Bytes of dense fp32 ÷ bytes sent", true,
     [](const RunRow& run) { return ratioCell(sentBytes(run).ratioToFp32()); },
     [](const RunRow& run) { return sentBytes(run).ratioToFp32().value_or(kNothing); }},
    {"Time", "Training time, without pauses and evaluation", true,
     [](const RunRow& run) {
         return run.epochsDone > 0 ? durationText(run.trainSeconds) : kNoValue;
     },
     [](const RunRow& run) { return run.epochsDone > 0 ? run.trainSeconds : kNothing; }},
    {"Started", "When the first rank began", true,
     [](const RunRow& run) { return dateTimeText(run.startedMs); },
     [](const RunRow& run) { return run.startedMs > 0 ? double(run.startedMs) : kNothing; }},
};

/// Whether two states of one run look the same in every cell and tooltip.
bool looksSame(const RunRow& a, const RunRow& b) {
    const auto seen = [](const RunRow& run) {
        return std::tie(run.status, run.reason, run.name, run.epochsDone, run.epochsPlanned,
                        run.testAccuracy, run.wireBytes, run.payloadBytes, run.denseFp32WireBytes,
                        run.denseFp32PayloadBytes, run.trainSeconds, run.startedMs, run.finishedMs,
                        run.study, run.variant);
    };
    return seen(a) == seen(b);
}

QString rowTip(const RunRow& run) {
    QString tip = QStringLiteral("%1 · %2\n%3")
                      .arg(QString::fromStdString(run.id), statusTitle(run.status),
                           statusMeaning(run.status));
    if (!run.reason.empty()) {
        tip += QStringLiteral("\n") + QString::fromStdString(run.reason);
    }
    return tip;
}

/// Whether `after` is `before` with `added` new runs on top.
bool isPrepended(const std::vector<RunRow>& before,
                 const std::vector<RunRow>& after,
                 std::size_t added) {
    return std::equal(before.begin(), before.end(), after.begin() + std::ptrdiff_t(added),
                      after.end(), [](const RunRow& a, const RunRow& b) { return a.id == b.id; });
}

}  // namespace

std::span<const RunColumn> runColumns() { return kColumns; }

QString statusTitle(RunStatus status) {
    QString text = QString::fromLatin1(toText(status));
    text[0] = text[0].toUpper();
    return text;
}

QString statusMeaning(RunStatus status) {
    switch (status) {
        case RunStatus::Queued:
            return QStringLiteral("Waits to be started.");
        case RunStatus::Running:
            return QStringLiteral("Training now.");
        case RunStatus::Paused:
            return QStringLiteral("Paused; its processes wait.");
        case RunStatus::Done:
            return QStringLiteral("All planned epochs were trained.");
        case RunStatus::Stopped:
            return QStringLiteral("Ended early on request.");
        case RunStatus::Failed:
            return QStringLiteral("Ended by an error.");
        case RunStatus::Diverged:
            return QStringLiteral("Training produced non-finite numbers.");
        case RunStatus::Lost:
            return QStringLiteral(
                "Its supervisor vanished without a word (killed, or the machine restarted).");
    }
    return {};
}

void RunsModel::setRuns(const RunList& runs) {
    const RunList before = runs_;
    const std::size_t added = runs->size() >= before->size() ? runs->size() - before->size() : 0;
    if (runs->size() >= before->size() && isPrepended(*before, *runs, added)) {
        if (added > 0) {
            beginInsertRows({}, 0, int(added) - 1);
            runs_ = runs;
            endInsertRows();
        }
        runs_ = runs;
        emitChanges(before);
    } else {
        beginResetModel();
        runs_ = runs;
        endResetModel();
    }
}

void RunsModel::emitChanges(const RunList& before) {
    const std::size_t added = runs_->size() - before->size();
    for (std::size_t i = 0; i < before->size(); ++i) {
        if (!looksSame((*before)[i], (*runs_)[i + added])) {
            const int row = int(i + added);
            Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
        }
    }
}

const RunRow* RunsModel::find(const QString& id) const {
    const std::string wanted = id.toStdString();
    const auto found = std::find_if(runs_->begin(), runs_->end(),
                                    [&](const RunRow& run) { return run.id == wanted; });
    return found == runs_->end() ? nullptr : &*found;
}

int RunsModel::countActive() const {
    return int(std::count_if(runs_->begin(), runs_->end(),
                             [](const RunRow& run) { return isActive(run.status); }));
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(runs_->size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(std::size(kColumns));
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    const RunColumn& column = kColumns[index.column()];
    const RunRow& row = run(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return column.text(row);
        case Qt::ToolTipRole:
            return rowTip(row);
        case Qt::TextAlignmentRole:
            return cellAlignment(column.numeric);
        default:
            return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const RunColumn& column = kColumns[section];
    return headerAnswer({column.title, column.tip, column.numeric}, orientation, role);
}

}  // namespace concertina::gui
