// SPDX-License-Identifier: Apache-2.0
#include "core/launch/run_feed.h"

#include <utility>

#include "core/base/error.h"

namespace concertina {

RunFeed::RunFeed(const std::filesystem::path& store, std::string runId, const RunObserver& observer)
    : reader_(store), id_(std::move(runId)), observer_(observer) {}

void RunFeed::poll() {
    try {
        const std::int64_t version = reader_.dataVersion();
        if (version != version_) {
            reportNew();
            version_ = version;
        }
    } catch (const Error&) {  // RunKeeper notices and reports an unusable store
    }
}

void RunFeed::skipPresent() {
    for (const EpochRow& row : reader_.epochs(id_)) {
        nextEpoch_ = row.epoch + 1;
    }
    for (const Decision& decision : reader_.decisions(id_)) {
        nextDecisionEpoch_ = decision.epoch + 1;
    }
    eventsSeen_ = reader_.events(id_).size();
}

void RunFeed::reportNew() {
    for (const EpochRow& row : reader_.epochs(id_, nextEpoch_)) {
        nextEpoch_ = row.epoch + 1;
        if (observer_.epoch) {
            observer_.epoch(row);
        }
    }
    for (const Decision& decision : reader_.decisions(id_, nextDecisionEpoch_)) {
        nextDecisionEpoch_ = decision.epoch + 1;
        if (observer_.decision) {
            observer_.decision(decision);
        }
    }
    const std::vector<EventRow> events = reader_.events(id_);
    for (; eventsSeen_ < events.size(); ++eventsSeen_) {
        if (observer_.alert && events[eventsSeen_].kind != "finished") {  // no news: it ends well
            observer_.alert(events[eventsSeen_]);
        }
    }
}

}  // namespace concertina
