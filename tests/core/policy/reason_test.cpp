// SPDX-License-Identifier: Apache-2.0
#include "core/policy/reason.h"

#include <gtest/gtest.h>

namespace concertina {
namespace {

TEST(Reason, NamesReadBackEqual) {
    for (const Reason reason :
         {Reason::Initial, Reason::Critical, Reason::Stable, Reason::LrDecay, Reason::ZeroNorm,
          Reason::NonFinite, Reason::Fixed, Reason::Manual}) {
        EXPECT_EQ(reasonFromText(toText(reason)), reason);
    }
    EXPECT_STREQ(toText(Reason::LrDecay), "lr-decay");
    EXPECT_EQ(reasonFromText("warm"), std::nullopt);
}

}  // namespace
}  // namespace concertina
