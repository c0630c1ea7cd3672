// SPDX-License-Identifier: Apache-2.0
// Philox 4x32-10 for 32 words at a time, the same words as kernels/philox.h. Included by
// kernels/cpu/*.cpp once per target, after lanes-inl.h.
#if defined(CONCERTINA_KERNELS_PHILOX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONCERTINA_KERNELS_PHILOX_INL_H_
#undef CONCERTINA_KERNELS_PHILOX_INL_H_
#else
#define CONCERTINA_KERNELS_PHILOX_INL_H_
#endif

#include "kernels/cpu/lanes-inl.h"
#include "kernels/philox.h"

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

constexpr int kVectors = 32 / static_cast<int>(kFloatWidth);  // that hold 32 elements
using FloatVector = hn::Vec<FloatTag>;
using WordVector = hn::Vec<BitsTag>;

#if HWY_TARGET == HWY_SCALAR

class PhiloxWords {
 public:
    explicit PhiloxWords(const PhiloxStream& stream) : stream_(stream) {}
    void draw(std::int64_t chunk, WordVector* words) const {
        for (int i = 0; i < kVectors; i += 4) {
            const PhiloxBlock block = stream_.block(static_cast<std::uint32_t>(8 * chunk + i / 4));
            for (int j = 0; j < 4; ++j) {
                words[i + j] = hn::Set(BitsTag(), block.word[j]);
            }
        }
    }

 private:
    PhiloxStream stream_;
};

#else

/// Each 64-bit lane works on one counter, a word of it in the low half: where the multiplication
/// wants it, and where the high half may hold anything.
class PhiloxWords {
 public:
    explicit PhiloxWords(const PhiloxStream& stream) {
        const Wide wide;
        PhiloxKey key = stream.key;
        for (int round = 0; round < kRounds; ++round) {
            keys_[0][round] = hn::Set(wide, std::uint64_t{key.word[0]});
            keys_[1][round] = hn::Set(wide, std::uint64_t{key.word[1]});
            key.word[0] += 0x9E3779B9U;
            key.word[1] += 0xBB67AE85U;
        }
        for (int i = 0; i < 3; ++i) {
            counter_[i] = hn::Set(wide, std::uint64_t{stream.counter[i]});
        }
        // Interleaving takes the even lanes first: they get the blocks that come first.
        std::uint64_t order[kCounters];
        for (std::uint64_t lane = 0; lane < kCounters; ++lane) {
            order[lane] = lane % 2 * (kCounters / 2) + lane / 2;
        }
        order_ = hn::LoadU(wide, order);
    }

    /// Words 32 * chunk to 32 * chunk + 31 of the stream, in order.
    HWY_INLINE void draw(std::int64_t chunk, WordVector* words) const {
        auto first = static_cast<std::uint64_t>(8 * chunk);
        for (int i = 0; i < kVectors; i += 2, first += kCounters) {
            drawBlocks(hn::Add(hn::Set(Wide(), first), order_), words + i);
        }
    }

 private:
    using Wide = hn::Repartition<std::uint64_t, BitsTag>;
    using WideVector = hn::Vec<Wide>;
    static constexpr int kRounds = 10;
    static constexpr std::uint64_t kCounters = hn::MaxLanes(Wide());

    HWY_INLINE void drawBlocks(WideVector c0, WordVector* words) const {
        const BitsTag narrow;
        const auto multiplier0 = hn::Set(narrow, 0xD2511F53U);
        const auto multiplier1 = hn::Set(narrow, 0xCD9E8D57U);
        WideVector c1 = counter_[0];
        WideVector c2 = counter_[1];
        WideVector c3 = counter_[2];
        for (int round = 0; round < kRounds; ++round) {
            const WideVector product0 = hn::MulEven(hn::BitCast(narrow, c0), multiplier0);
            const WideVector product1 = hn::MulEven(hn::BitCast(narrow, c2), multiplier1);
            c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product1), c1), keys_[0][round]);
            c1 = product1;
            c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product0), c3), keys_[1][round]);
            c3 = product0;
        }
        const auto words01 = joined(c0, c1);
        const auto words23 = joined(c2, c3);
        words[0] = hn::BitCast(narrow, hn::InterleaveLower(Wide(), words01, words23));
        words[1] = hn::BitCast(narrow, hn::InterleaveUpper(Wide(), words01, words23));
    }

    /// The low halves of both, as the halves of one.
    static HWY_INLINE WideVector joined(WideVector low, WideVector high) {
        const BitsTag narrow;
        return hn::BitCast(Wide(), hn::OddEven(hn::BitCast(narrow, hn::ShiftLeft<32>(high)),
                                               hn::BitCast(narrow, low)));
    }

    WideVector keys_[2][kRounds];
    WideVector counter_[3];
    WideVector order_;
};

#endif

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
