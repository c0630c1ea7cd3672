// SPDX-License-Identifier: Apache-2.0
#include "core/store/writer.h"

#include <algorithm>

#include "core/store/database.h"
#include "core/store/row_sql.h"

namespace concertina {
namespace {

/// One statement, its parameters in order, run once.
template <typename... Values>
void execute(SQLite::Database& database, const char* sql, const Values&... values) {
    SQLite::Statement statement(database, sql);
    int index = 0;
    (statement.bind(++index, values), ...);
    statement.exec();
}

/// Sums over the run's epochs, so that a replaced epoch is not counted twice.
constexpr const char* kUpdateProgress = R"sql(
UPDATE runs SET epochs_done = sums.epochs, steps_done = sums.steps, train_seconds = sums.seconds,
    payload_bytes = sums.payload, wire_bytes = sums.wire, dense_fp32_wire_bytes = sums.dense_wire,
    dense_fp32_payload_bytes = sums.dense_payload, decision_wire_bytes = sums.decision,
    mild_share = (SELECT avg(level = 0) FROM layer_epochs WHERE run = ?1 AND level >= 0)
FROM (SELECT count(*) AS epochs, coalesce(sum(steps), 0) AS steps, max(train_seconds) AS seconds,
    total(payload_bytes) AS payload, total(wire_bytes) AS wire,
    total(dense_fp32_wire_bytes) AS dense_wire, total(dense_fp32_payload_bytes) AS dense_payload,
    total(decision_wire_bytes) AS decision FROM epochs WHERE run = ?1) AS sums
WHERE run = ?1)sql";

/// From the last evaluated epoch, NaN markers included.
constexpr const char* kUpdateEvaluation = R"sql(
UPDATE runs SET test_accuracy = last.test_accuracy, test_loss = last.test_loss,
    nan_columns = (runs.nan_columns & ~?2 & ~?3) | (last.nan_columns & ?4 != 0) * ?2
        | (last.nan_columns & ?5 != 0) * ?3
FROM (SELECT test_accuracy, test_loss, nan_columns FROM epochs
    WHERE run = ?1 AND (test_accuracy IS NOT NULL OR test_loss IS NOT NULL
        OR nan_columns & (?4 | ?5) != 0) ORDER BY epoch DESC LIMIT 1) AS last
WHERE run = ?1)sql";

/// The bit of nan_columns that belongs to `column`.
template <typename Row>
std::int64_t nanBit(const std::string& column) {
    const std::vector<std::string> columns = columnsOf<Row>();
    const auto found = std::find(columns.begin(), columns.end(), column);
    return std::int64_t{1} << (found - columns.begin() + 1);
}

void updateProgress(SQLite::Database& database, std::int64_t run) {
    execute(database, kUpdateProgress, run);
    execute(database, kUpdateEvaluation, run, nanBit<RunRow>("test_accuracy"),
            nanBit<RunRow>("test_loss"), nanBit<EpochRow>("test_accuracy"),
            nanBit<EpochRow>("test_loss"));
}

EventRow eventOf(const FinishRow& finish) {
    EventRow event;
    event.timeMs = unixNowMs();
    event.rank = 0;
    event.kind = finish.diverged ? "diverged" : finish.stopped ? "stopped" : "finished";
    event.message = finish.reason;
    return event;
}

void writePoints(SQLite::Database& database, std::int64_t run, const PointBatch& batch) {
    const char* const replace = "INSERT OR REPLACE";
    insertRows(database, insertSql<LayerRow>(replace, "layers"), run, batch.layers);
    insertRows(database, insertSql<StepRow>(replace, "steps"), run, batch.steps);
    insertRows(database, insertSql<EpochRow>(replace, "epochs"), run, batch.epochs);
    insertRows(database, insertSql<LayerEpochRow>(replace, "layer_epochs"), run, batch.layerEpochs);
    insertRows(database, insertSql<Decision>("INSERT", "decisions"), run, batch.decisions);
    insertRows(database, insertSql<EventRow>("INSERT", "events"), run, batch.events);
    if (!batch.epochs.empty() || !batch.layerEpochs.empty()) {
        updateProgress(database, run);
    }
    if (batch.droppedSteps > 0) {
        execute(database, "UPDATE runs SET dropped_points = dropped_points + ? WHERE run = ?",
                batch.droppedSteps, run);
    }
    if (batch.finish) {
        execute(database, "UPDATE runs SET weights_hash = ?, reason = ? WHERE run = ?",
                batch.finish->weightsHash, batch.finish->reason, run);
        insertRows(database, insertSql<EventRow>("INSERT", "events"), run,
                   std::vector<EventRow>{eventOf(*batch.finish)});
    }
}

/// `run` as it is before its first point.
RunRow withoutProgress(RunRow run) {
    run.epochsDone = 0;
    run.stepsDone = 0;
    run.testAccuracy = run.testLoss = run.mildShare = std::nullopt;
    run.trainSeconds = 0;
    run.payloadBytes = run.wireBytes = run.decisionWireBytes = 0;
    run.denseFp32WireBytes = run.denseFp32PayloadBytes = 0;
    run.droppedPoints = 0;
    return run;
}

}  // namespace

struct RunWriter::Impl {
    StoreDatabase store;

    SQLite::Database& sqlite() { return store.sqlite(); }
    /// One transaction on one run's row.
    template <typename Write>
    auto onRun(const std::string& id, Write write) {
        return store.writing([&] { return write(store.runNumber(id)); });
    }
};

RunWriter::RunWriter(const std::filesystem::path& store, std::chrono::milliseconds busyTimeout)
    : impl_(new Impl{StoreDatabase::openToWrite(store, busyTimeout)}) {}

RunWriter::~RunWriter() = default;

void RunWriter::createRun(const RunRow& run) {
    impl_->store.writing([&] {
        SQLite::Statement existing(impl_->sqlite(), "SELECT 1 FROM runs WHERE id = ?");
        existing.bind(1, run.id);
        if (existing.executeStep()) {
            throw Error(ErrorKind::Store, "run store " + impl_->store.file().string() +
                                              " already has a run " + run.id);
        }
        SQLite::Statement insert(impl_->sqlite(), insertSql<RunRow>("INSERT", "runs"));
        FieldBinder bind(insert);
        bind.skip();  // SQLite gives the run its number
        const RunRow fresh = withoutProgress(run);
        visitFields(fresh, bind);
        bind.finish();
        insert.exec();
    });
}

void RunWriter::setStatus(const std::string& id,
                          RunStatus status,
                          const std::string& reason,
                          std::optional<int> exitCode) {
    impl_->onRun(id, [&](std::int64_t run) {
        const bool active = isActive(status);
        const std::int64_t now = unixNowMs();
        execute(impl_->sqlite(), "UPDATE runs SET status = ? WHERE run = ?", toText(status), run);
        if (active || !reason.empty()) {
            execute(impl_->sqlite(), "UPDATE runs SET reason = ? WHERE run = ?", reason, run);
        }
        if (status == RunStatus::Running) {
            execute(impl_->sqlite(),
                    "UPDATE runs SET started_ms = ? WHERE run = ? AND started_ms = 0", now, run);
        }
        execute(impl_->sqlite(), "UPDATE runs SET finished_ms = ? WHERE run = ?",
                active ? std::int64_t{0} : now, run);
        if (exitCode) {
            execute(impl_->sqlite(), "UPDATE runs SET exit_code = ? WHERE run = ?", *exitCode, run);
        }
    });
}

void RunWriter::reopenRun(const std::string& id,
                          const ProcessIdentity& supervisor,
                          const ResumePoint& from) {
    impl_->onRun(id, [&](std::int64_t run) {
        SQLite::Database& database = impl_->sqlite();
        SQLite::Statement query(database, selectSql<RunRow>("runs") + " WHERE run = ?");
        query.bind(1, run);
        const RunRow row = fetchRows<RunRow>(query).front();
        if (isActive(row.status)) {
            throw Error(ErrorKind::Usage, "run " + id + " is " + toText(row.status) +
                                              ": only a run that has ended can go on");
        }
        execute(database,
                "UPDATE runs SET status = 'queued', reason = '', weights_hash = '', "
                "exit_code = NULL, finished_ms = 0, heartbeat_ms = ?, supervisor_pid = ?, "
                "supervisor_start_ticks = ?, supervisor_boot_id = ?, supervisor_host = ?, "
                "test_accuracy = NULL, test_loss = NULL, nan_columns = 0 WHERE run = ?",
                unixNowMs(), supervisor.pid, supervisor.startTicks, supervisor.bootId,
                supervisor.host, run);
        execute(database, "DELETE FROM steps WHERE run = ? AND step >= ?", run, from.step);
        execute(database, "DELETE FROM events WHERE run = ? AND step >= ?", run, from.step);
        execute(database, "DELETE FROM epochs WHERE run = ? AND epoch >= ?", run, from.epoch);
        execute(database, "DELETE FROM layer_epochs WHERE run = ? AND epoch >= ?", run, from.epoch);
        // Levels of the epoch that goes on were decided before it began.
        execute(database, "DELETE FROM decisions WHERE run = ? AND epoch >= ?", run,
                from.fresh ? 0 : from.epoch + 1);
        execute(database, "UPDATE controls SET seen_ms = ? WHERE run = ? AND seen_ms = 0",
                unixNowMs(), run);
        updateProgress(database, run);
    });
}

void RunWriter::setSupervisor(const std::string& id, const ProcessIdentity& identity) {
    impl_->onRun(id, [&](std::int64_t run) {
        execute(impl_->sqlite(),
                "UPDATE runs SET supervisor_pid = ?, supervisor_start_ticks = ?, "
                "supervisor_boot_id = ?, supervisor_host = ? WHERE run = ?",
                identity.pid, identity.startTicks, identity.bootId, identity.host, run);
    });
}

void RunWriter::heartbeat(const std::string& id) {
    impl_->onRun(id, [&](std::int64_t run) {
        execute(impl_->sqlite(), "UPDATE runs SET heartbeat_ms = ? WHERE run = ?", unixNowMs(),
                run);
    });
}

void RunWriter::setPlan(const std::string& id,
                        const std::string& device,
                        const std::string& backend,
                        int stepsPerEpoch) {
    impl_->onRun(id, [&](std::int64_t run) {
        execute(impl_->sqlite(),
                "UPDATE runs SET device = ?, backend = ?, steps_per_epoch = ? WHERE run = ?",
                device, backend, stepsPerEpoch, run);
    });
}

void RunWriter::addEvent(const std::string& id, const EventRow& event) {
    PointBatch batch;
    batch.events.push_back(event);
    addPoints(id, batch);
}

std::vector<std::string> RunWriter::markLost() {
    // Looked up without a lock first: as a rule nobody is lost, and then nothing is written.
    const auto active = impl_->store.reading([&] {
        SQLite::Statement query(impl_->sqlite(),
                                selectSql<RunRow>("runs") +
                                    " WHERE status IN ('queued', 'running', 'paused') "
                                    "AND supervisor_pid != 0");
        return fetchRows<RunRow>(query);
    });
    std::vector<std::string> lost;
    for (const RunRow& row : active) {
        if (isAlive(row.supervisor)) {
            continue;
        }
        const std::string reason = "its supervisor (process " + std::to_string(row.supervisor.pid) +
                                   " on " + row.supervisor.host +
                                   ") is gone and left no word; it was killed, or the machine "
                                   "restarted";
        const bool changed = impl_->store.writing([&] {
            SQLite::Statement update(
                impl_->sqlite(),
                "UPDATE runs SET status = 'lost', reason = ?, "
                "finished_ms = CASE WHEN heartbeat_ms > 0 THEN heartbeat_ms ELSE ? END "
                "WHERE id = ? AND status = ? AND supervisor_pid = ? AND supervisor_start_ticks = "
                "?");
            update.bind(1, reason);
            update.bind(2, unixNowMs());
            update.bind(3, row.id);
            update.bind(4, toText(row.status));
            update.bind(5, row.supervisor.pid);
            update.bind(6, row.supervisor.startTicks);
            return update.exec() > 0;
        });
        if (changed) {
            lost.push_back(row.id);
        }
    }
    return lost;
}

void RunWriter::requestControl(const std::string& id, const std::string& verb) {
    impl_->onRun(id, [&](std::int64_t run) {
        execute(impl_->sqlite(),
                "INSERT INTO controls (run, requested_ms, verb, seen_ms) VALUES (?, ?, ?, 0)", run,
                unixNowMs(), verb);
    });
}

std::vector<std::string> RunWriter::takeControl(const std::string& id) {
    const bool any = impl_->store.reading([&] {
        SQLite::Statement query(impl_->sqlite(),
                                "SELECT 1 FROM controls JOIN runs USING (run) "
                                "WHERE id = ? AND seen_ms = 0");
        query.bind(1, id);
        return query.executeStep();
    });
    if (!any) {
        return {};  // the ordinary poll takes no write lock
    }
    return impl_->onRun(id, [&](std::int64_t run) {
        std::vector<std::string> verbs;
        SQLite::Statement query(
            impl_->sqlite(),
            "SELECT verb FROM controls WHERE run = ? AND seen_ms = 0 ORDER BY sequence");
        query.bind(1, run);
        while (query.executeStep()) {
            verbs.push_back(query.getColumn(0).getString());
        }
        execute(impl_->sqlite(), "UPDATE controls SET seen_ms = ? WHERE run = ? AND seen_ms = 0",
                unixNowMs(), run);
        return verbs;
    });
}

void RunWriter::addPoints(const std::string& id, const PointBatch& batch) {
    impl_->onRun(id, [&](std::int64_t run) { writePoints(impl_->sqlite(), run, batch); });
}

void RunWriter::addLayers(const std::string& id, std::span<const LayerRow> layers) {
    PointBatch batch;
    batch.layers.assign(layers.begin(), layers.end());
    addPoints(id, batch);
}

void RunWriter::addSteps(const std::string& id, std::span<const StepRow> steps) {
    PointBatch batch;
    batch.steps.assign(steps.begin(), steps.end());
    addPoints(id, batch);
}

void RunWriter::addEpoch(const std::string& id,
                         const EpochRow& epoch,
                         std::span<const LayerEpochRow> layers) {
    PointBatch batch;
    batch.epochs.push_back(epoch);
    batch.layerEpochs.assign(layers.begin(), layers.end());
    addPoints(id, batch);
}

void RunWriter::addDecisions(const std::string& id, std::span<const Decision> decisions) {
    PointBatch batch;
    batch.decisions.assign(decisions.begin(), decisions.end());
    addPoints(id, batch);
}

void RunWriter::finishTraining(const std::string& id, const FinishRow& finish) {
    PointBatch batch;
    batch.finish = finish;
    addPoints(id, batch);
}

void RunWriter::addDroppedPoints(const std::string& id, std::int64_t count) {
    PointBatch batch;
    batch.droppedSteps = count;
    addPoints(id, batch);
}

}  // namespace concertina
