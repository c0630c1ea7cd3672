// SPDX-License-Identifier: Apache-2.0
// Levels by hand: a row for each layer pattern, a column for each epoch from which on it applies.
#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/policy/policy_setup.h"

namespace concertina {
namespace {

class SchedulePolicy : public Policy {
 public:
    explicit SchedulePolicy(PolicySetup setup)
        : setup_(std::move(setup)),
          epochs_(integersOf(setup_.options, "epochs")),
          levels_(integersOf(setup_.options, "levels")),
          rows_(setup_.layers.size()) {
        const std::vector<std::string> patterns = words(textOf(setup_.options, "layers"));
        CONCERTINA_CHECK(levels_.size() == epochs_.size() * patterns.size(), "levels of schedule");
        // From the last pattern to the first, so that the first that matches stays.
        for (std::size_t row = patterns.size(); row-- > 0;) {
            assign(row, patterns[row]);
        }
    }

    std::vector<Decision> start() override { return column(0, 0); }

    std::vector<Decision> endOfEpoch(const EpochSignals& signals) override {
        const int next = signals.epoch + 1;
        const auto found = std::find(epochs_.begin(), epochs_.end(), next);
        return found == epochs_.end() ? std::vector<Decision>()
                                      : column(next, found - epochs_.begin());
    }

 private:
    void assign(std::size_t row, const std::string& pattern) {
        bool any = false;
        std::vector<std::string> names;
        for (std::size_t layer = 0; layer < rows_.size(); ++layer) {
            if (!setup_.layers[layer].compressible) {
                continue;
            }
            names.push_back(setup_.layers[layer].name);
            if (matchesPattern(names.back(), pattern)) {
                rows_[layer] = row;
                any = true;
            }
        }
        if (!any && !names.empty()) {
            throw Error(ErrorKind::Usage, "policy.layers: no compressible layer matches '" +
                                              pattern + "'; there are " + join(names));
        }
    }

    std::vector<Decision> column(int epoch, std::ptrdiff_t index) const {
        auto decisions = setup_.decideAll(epoch, kMildLevel, Reason::Fixed);
        for (Decision& decision : decisions) {
            const std::size_t row = rows_[static_cast<std::size_t>(decision.layer)];
            decision.level =
                static_cast<int>(levels_[row * epochs_.size() + static_cast<std::size_t>(index)]);
        }
        return decisions;
    }

    PolicySetup setup_;
    std::vector<std::int64_t> epochs_;  // ascending, the first is 0
    std::vector<std::int64_t> levels_;  // (patterns, epochs)
    std::vector<std::size_t> rows_;     // per layer, its pattern
};

}  // namespace

std::unique_ptr<Policy> makeSchedulePolicy(PolicySetup setup) {
    return std::make_unique<SchedulePolicy>(std::move(setup));
}

}  // namespace concertina
