// SPDX-License-Identifier: Apache-2.0
#include "kernels/dithering.h"

#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/dithering.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/dither-inl.h"
#include "kernels/cpu/doubles-inl.h"
#include "kernels/cpu/planes-inl.h"

#include <algorithm>
#include <cstring>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

/// 32 values from `values`, of which the last may be missing: then zeros, in a buffer that commit()
/// copies back.
class Chunk {
 public:
    Chunk(float* values, std::int64_t count)
        : values_(values), count_(count < kPlaneCodes ? static_cast<int>(count) : kPlaneCodes) {
        if (count_ < kPlaneCodes) {
            std::memcpy(padded_, values, count_ * sizeof(float));
            std::memset(padded_ + count_, 0, (kPlaneCodes - count_) * sizeof(float));
        }
    }
    float* data() { return count_ < kPlaneCodes ? padded_ : values_; }
    int count() const { return count_; }
    void commit() const {
        if (count_ < kPlaneCodes) {
            std::memcpy(values_, padded_, count_ * sizeof(float));
        }
    }

 private:
    float* values_;
    int count_;
    float padded_[kPlaneCodes];
};

HWY_INLINE void addSquares(const float* values, Doubles* sums) {
    for (std::int64_t first = 0; first < kNormLanes; first += kLanes) {
        Doubles& sum = sums[first / kLanes];
        sum = addProducts(sum, values + first, values + first);
    }
}

float normOf(const float* values, std::int64_t count) {
    Doubles sums[kNormLanes / kLanes] = {zeroDoubles(), zeroDoubles(), zeroDoubles(),
                                         zeroDoubles()};
    std::int64_t i = 0;
    for (; i + kNormLanes <= count; i += kNormLanes) {
        addSquares(values + i, sums);
    }
    float rest[kNormLanes] = {};
    std::memcpy(rest, values + i, (count - i) * sizeof(float));
    addSquares(rest, sums);
    double lanes[kNormLanes];
    for (std::int64_t first = 0; first < kNormLanes; first += kLanes) {
        for (std::size_t part = 0; part < Doubles::kParts; ++part) {
            hn::StoreU(sums[first / kLanes].part[part], DoubleTag(),
                       lanes + first + part * kDoubleWidth);
        }
    }
    return normOfSquares(lanes);
}

float largestOf(const float* values, std::int64_t count) {
    Floats largest = broadcast(0);
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        largest = max(largest, abs(load(values + i)));
    }
    return largestOfLanes(max(largest, abs(loadSome(values + i, count - i))));
}

float scaleOf(const DitherFormat& format, const float* values, std::int64_t count) {
    return format.scale == ScaleKind::Norm ? normOf(values, count) : largestOf(values, count);
}

/// Where codes go: planes, or a word each.
struct PlaneSink {
    std::uint32_t* planes;
    int bits;
    HWY_INLINE void put(std::int64_t chunk, const WordVector* codes, int count) const {
        std::uint32_t* to = planes + chunk * bits;
        if (count == kPlaneCodes) {
            writePlanes(codes, bits, to);
            return;
        }
        std::uint32_t whole[kPlaneCodes];
        writePlanes(codes, bits, whole);
        for (int plane = 0; plane < bits; ++plane) {
            whole[plane] &= (1U << count) - 1;
        }
        putPlanes(whole, bits, count, to);
    }
};

struct WordSink {
    std::uint32_t* words;
    HWY_INLINE void put(std::int64_t chunk, const WordVector* codes, int count) const {
        std::uint32_t all[kPlaneCodes];
        for (int i = 0; i < kVectors; ++i) {
            hn::StoreU(codes[i], BitsTag(), all + i * kFloatWidth);
        }
        std::memcpy(words + chunk * kPlaneCodes, all, count * sizeof(std::uint32_t));
    }
};

/// Rounds 32 elements of a bucket.
template <Spacing kSpacing>
class Rounding {
 public:
    Rounding(const DitherFormat& format, const PhiloxStream& random)
        : format_(format),
          levels_(format),
          generator_(random),
          clip_(hn::Set(FloatTag(), format.clip)),
          signBit_(hn::Set(BitsTag(), 0x80000000U)) {}

    void startBucket(float scale) {
        scale_ = hn::Set(FloatTag(), scale);
        divisor_ = hn::Set(FloatTag(), scale > 0 ? scale : 1.0F);
    }

    HWY_INLINE void chunk(std::int64_t index, float* values, WordVector* codes) const {
        generator_.draw(index, codes);
        for (int i = 0; i < kVectors; ++i) {
            float* at = values + i * kFloatWidth;
            const auto value = hn::LoadU(FloatTag(), at);
            const auto x = hn::Div(hn::Min(hn::Abs(value), clip_), divisor_);
            const auto sign = hn::And(hn::BitCast(BitsTag(), value), signBit_);
            const auto level = levels_.levels(x, codes[i]);
            const auto magnitude = levels_.magnitudes(level, scale_);
            const auto rounded = hn::Or(magnitude, hn::BitCast(FloatTag(), sign));
            hn::StoreU(hn::Sub(value, rounded), FloatTag(), at);
            codes[i] = hn::Or(level, hn::ShiftRightSame(sign, 32 - format_.bits));
        }
    }

 private:
    const DitherFormat& format_;
    Levels<kSpacing> levels_;
    PhiloxWords generator_;
    FloatVector clip_, scale_ = hn::Zero(FloatTag()), divisor_ = hn::Zero(FloatTag());
    WordVector signBit_;
};

template <Spacing kSpacing, typename Sink>
void ditherBuckets(const DitherFormat& format,
                   float* values,
                   std::int64_t count,
                   const PhiloxStream& random,
                   float* scales,
                   Sink sink) {
    Rounding<kSpacing> rounding(format, random);
    for (std::int64_t begin = 0; begin < count; begin += format.bucket) {
        const std::int64_t end = std::min(begin + format.bucket, count);
        const std::int64_t bucket = begin / format.bucket;
        if (format.scale != ScaleKind::Given) {
            scales[bucket] = scaleOf(format, values + begin, end - begin);
        }
        rounding.startBucket(scales ? scales[bucket] : 1.0F);
        for (std::int64_t i = begin; i < end; i += kPlaneCodes) {
            Chunk chunk(values + i, end - i);
            WordVector codes[kVectors];
            rounding.chunk(i / kPlaneCodes, chunk.data(), codes);
            sink.put(i / kPlaneCodes, codes, chunk.count());
            chunk.commit();
        }
    }
}

template <typename Sink>
void ditherSpaced(const DitherFormat& format,
                  float* values,
                  std::int64_t count,
                  const PhiloxStream& random,
                  float* scales,
                  Sink sink) {
    const auto run = format.spacing == Spacing::Equal ? ditherBuckets<Spacing::Equal, Sink>
                                                      : ditherBuckets<Spacing::Halving, Sink>;
    run(format, values, count, random, scales, sink);
}

void ditherToPlanes(const DitherFormat& format,
                    float* values,
                    std::int64_t count,
                    const PhiloxStream& random,
                    float* scales,
                    std::uint32_t* codes) {
    ditherSpaced(format, values, count, random, scales, PlaneSink{codes, format.bits});
}

void ditherToWords(const DitherFormat& format,
                   float* values,
                   std::int64_t count,
                   const PhiloxStream& random,
                   float* scales,
                   std::uint32_t* codes) {
    ditherSpaced(format, values, count, random, scales, WordSink{codes});
}

/// Sums up 32 elements of all rows.
template <Spacing kSpacing>
class RowSum {
 public:
    RowSum(const DitherFormat& format, const DitheredRows& rows)
        : format_(format), rows_(rows), levels_(format), shares_(rows.rows) {}

    void startBucket(std::int64_t bucket) {
        for (int row = 0; row < rows_.rows; ++row) {
            shares_[row] = scaleOfRow(rows_, row, bucket) / static_cast<float>(rows_.rows);
        }
    }

    HWY_INLINE void chunk(std::int64_t index, int count, float* mean) {
        FloatVector sum[kVectors];
        for (auto& vector : sum) {
            vector = hn::Zero(FloatTag());
        }
        for (int row = 0; row < rows_.rows; ++row) {
            const std::uint32_t* planes = codesOfRow(rows_, row) + index * format_.bits;
            std::uint32_t whole[kPlaneCodes];
            if (count < kPlaneCodes) {
                for (int plane = 0; plane < format_.bits; ++plane) {
                    whole[plane] = planeOf(planes, plane, count);
                }
                planes = whole;
            }
            add(planes, hn::Set(FloatTag(), shares_[row]), sum);
        }
        for (int i = 0; i < kVectors; ++i) {
            hn::StoreU(sum[i], FloatTag(), mean + i * kFloatWidth);
        }
    }

    bool allLegal() const { return hn::AllTrue(BitsTag(), hn::Eq(bad_, hn::Zero(BitsTag()))); }

 private:
    HWY_INLINE void add(const std::uint32_t* planes, FloatVector share, FloatVector* sum) {
        WordVector level[kVectors];
        WordVector sign[kVectors];
        readPlanes(planes, 0, format_.bits - 1, level);
        readPlanes(planes, format_.bits - 1, format_.bits, sign);
        for (int i = 0; i < kVectors; ++i) {
            bad_ = hn::Or(bad_, levels_.tooLarge(level[i]));
            const auto signBit = hn::BitCast(FloatTag(), hn::ShiftLeft<31>(sign[i]));
            sum[i] = hn::Add(sum[i], hn::Or(levels_.magnitudes(level[i], share), signBit));
        }
    }

    const DitherFormat& format_;
    const DitheredRows& rows_;
    Levels<kSpacing> levels_;
    std::vector<float> shares_;  // a row's scale divided by the rows
    WordVector bad_ = hn::Zero(BitsTag());
};

template <Spacing kSpacing>
bool meanOfBuckets(const DitherFormat& format,
                   const DitheredRows& rows,
                   float* mean,
                   std::int64_t count) {
    RowSum<kSpacing> rowSum(format, rows);
    for (std::int64_t begin = 0; begin < count; begin += format.bucket) {
        rowSum.startBucket(begin / format.bucket);
        const std::int64_t end = std::min(begin + format.bucket, count);
        std::int64_t i = begin;
        for (; i + kPlaneCodes <= end; i += kPlaneCodes) {
            rowSum.chunk(i / kPlaneCodes, kPlaneCodes, mean + i);
        }
        if (i < end) {
            float padded[kPlaneCodes];
            rowSum.chunk(i / kPlaneCodes, static_cast<int>(end - i), padded);
            std::memcpy(mean + i, padded, (end - i) * sizeof(float));
        }
    }
    return rowSum.allLegal();
}

/// Whether all levels were legal.
bool meanOfRows(const DitherFormat& format,
                const DitheredRows& rows,
                float* mean,
                std::int64_t count) {
    return format.spacing == Spacing::Equal
               ? meanOfBuckets<Spacing::Equal>(format, rows, mean, count)
               : meanOfBuckets<Spacing::Halving>(format, rows, mean, count);
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(ditherToPlanes);
HWY_EXPORT(ditherToWords);
HWY_EXPORT(meanOfRows);

namespace {

bool scalesAreLegal(const DitherFormat& format,
                    const DitheredRows& rows,
                    int row,
                    std::int64_t count) {
    for (std::int64_t bucket = 0; bucket < format.buckets(count); ++bucket) {
        if (!isScale(scaleOfRow(rows, row, bucket))) {
            return false;
        }
    }
    return true;
}

/// Of what is known to hold one.
KernelStatus firstCorruptBucket(const DitherFormat& format,
                                const DitheredRows& rows,
                                std::int64_t count) {
    for (int row = 0; row < rows.rows; ++row) {
        for (std::int64_t i = 0; i < count; ++i) {
            const std::uint32_t level = levelOfCode(format, codeOfRow(format, rows, row, i, count));
            const float scale = scaleOfRow(rows, row, i / format.bucket);
            if (!isScale(scale) || level > static_cast<std::uint32_t>(format.largestLevel)) {
                return {false, corruptBucket(format, row, i / format.bucket)};
            }
        }
    }
    return {};
}

}  // namespace

namespace cpu {

KernelStatus dither(const DitherFormat& format,
                    float* values,
                    std::int64_t count,
                    const PhiloxStream& random,
                    float* scales,
                    std::uint32_t* codes,
                    Stream) {
    HWY_DYNAMIC_DISPATCH(ditherToPlanes)(format, values, count, random, scales, codes);
    return {};
}

KernelStatus ditherUnpacked(const DitherFormat& format,
                            float* values,
                            std::int64_t count,
                            const PhiloxStream& random,
                            float* scales,
                            std::uint32_t* codes,
                            Stream) {
    HWY_DYNAMIC_DISPATCH(ditherToWords)(format, values, count, random, scales, codes);
    return {};
}

KernelStatus ditheredMean(
    const DitherFormat& format, const DitheredRows& rows, float* mean, std::int64_t count, Stream) {
    bool isLegal = HWY_DYNAMIC_DISPATCH(meanOfRows)(format, rows, mean, count);
    for (int row = 0; row < rows.rows && isLegal; ++row) {
        isLegal = scalesAreLegal(format, rows, row, count);
    }
    return isLegal ? KernelStatus{} : firstCorruptBucket(format, rows, count);
}

}  // namespace cpu
}  // namespace concertina::kernels
#endif
