// SPDX-License-Identifier: Apache-2.0
#include "core/policy/reason.h"

#include <array>

#include "core/base/check.h"

namespace concertina {
namespace {

struct ReasonName {
    Reason reason;
    const char* name;
};
constexpr std::array kReasonNames = {
    ReasonName{Reason::Initial, "initial"},    ReasonName{Reason::Critical, "critical"},
    ReasonName{Reason::Stable, "stable"},      ReasonName{Reason::LrDecay, "lr-decay"},
    ReasonName{Reason::ZeroNorm, "zero-norm"}, ReasonName{Reason::NonFinite, "non-finite"},
    ReasonName{Reason::Fixed, "fixed"},        ReasonName{Reason::Manual, "manual"}};

}  // namespace

const char* toText(Reason reason) {
    for (const ReasonName& row : kReasonNames) {
        if (row.reason == reason) {
            return row.name;
        }
    }
    CONCERTINA_CHECK(false, "a reason without a name");
    return "";
}

std::optional<Reason> reasonFromText(const std::string& text) {
    for (const ReasonName& row : kReasonNames) {
        if (text == row.name) {
            return row.reason;
        }
    }
    return std::nullopt;
}

}  // namespace concertina
