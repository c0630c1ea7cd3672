// SPDX-License-Identifier: Apache-2.0
// One bucket's stream of elias.h, written and read; shared by CPU and GPU, where a thread takes a
// bucket. Pure; any thread.
#pragma once
#include <cstdint>

#include "kernels/dither_element.h"
#include "kernels/elias.h"
#include "kernels/omega.h"

namespace concertina::kernels {

struct EliasLength {
    std::int64_t words;
    bool isDense;

    CONCERTINA_HD std::uint32_t header() const {
        return static_cast<std::uint32_t>(2 * words + (isDense ? 1 : 0));
    }
};

/// Of the shorter form of a bucket of `count` elements; nothing where all are zero and so is the
/// scale.
CONCERTINA_HD inline EliasLength eliasLength(const DitherFormat& format,
                                             const std::uint32_t* codes,
                                             std::int64_t count,
                                             float scale) {
    if (scale == 0) {
        return {0, false};
    }
    std::int64_t sparse = 0;
    std::int64_t dense = 0;
    std::int64_t before = -1;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t level = levelOfCode(format, codes[i]);
        dense += omegaCode(level + 1).length;
        if (level != 0) {
            dense += 1;
            sparse += omegaCode(static_cast<std::uint32_t>(i - before)).length + 1 +
                      omegaCode(level).length;
            before = i;
        }
    }
    sparse += omegaCode(static_cast<std::uint32_t>(count - before)).length;
    const bool isDense = dense < sparse;
    return {((isDense ? dense : sparse) + 31) / 32, isDense};
}

/// REQUIRES: room for the words that eliasLength gave.
CONCERTINA_HD inline void writeElias(const DitherFormat& format,
                                     const std::uint32_t* codes,
                                     std::int64_t count,
                                     bool isDense,
                                     std::uint32_t* words) {
    BitWriter writer(words);
    std::int64_t before = -1;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t level = levelOfCode(format, codes[i]);
        const std::uint32_t sign = codes[i] >> (format.bits - 1) & 1U;
        if (isDense) {
            writer.putOmega(level + 1);
            if (level != 0) {
                writer.put(sign, 1);
            }
        } else if (level != 0) {
            writer.putOmega(static_cast<std::uint32_t>(i - before));
            writer.put(sign, 1);
            writer.putOmega(level);
            before = i;
        }
    }
    if (!isDense) {
        writer.putOmega(static_cast<std::uint32_t>(count - before));
    }
    writer.finish();
}

/// Adds what the levels of a stream stand for to `sum`; whether it was a stream.
class EliasAdder {
 public:
    CONCERTINA_HD EliasAdder(
        const DitherFormat& format, BitReader reader, float scale, float* sum, std::int64_t count)
        : format_(format), reader_(reader), scale_(scale), sum_(sum), count_(count) {}

    CONCERTINA_HD bool add(bool isDense) {
        return (isDense ? addDense() : addSparse()) && reader_.isAtEnd();
    }

 private:
    CONCERTINA_HD bool addLevel(std::int64_t i, std::uint32_t level, std::uint32_t sign) {
        if (level > static_cast<std::uint32_t>(format_.largestLevel)) {
            return false;
        }
        sum_[i] += ditheredValue(format_, level | sign << (format_.bits - 1), scale_);
        return true;
    }
    CONCERTINA_HD bool addDense() {
        for (std::int64_t i = 0; i < count_; ++i) {
            const std::uint32_t number = reader_.takeOmega();
            if (number == 0 || (number > 1 && !addLevel(i, number - 1, reader_.take(1)))) {
                return false;
            }
        }
        return true;
    }
    CONCERTINA_HD bool addSparse() {
        std::int64_t i = -1;
        while (true) {
            const std::uint32_t gap = reader_.takeOmega();
            i += gap;
            if (gap == 0 || i >= count_) {
                return gap != 0 && i == count_;
            }
            const std::uint32_t sign = reader_.take(1);
            const std::uint32_t level = reader_.takeOmega();
            if (level == 0 || !addLevel(i, level, sign)) {
                return false;
            }
        }
    }

    const DitherFormat& format_;
    BitReader reader_;
    float scale_;
    float* sum_;
    std::int64_t count_;
};

/// Reads the stream of one bucket of `size` elements and adds the `rows`-th part of it to `sum`;
/// whether the bucket was legal. `scale` is as it was sent: divided, a denormal one may become
/// zero, which stands for a bucket without a stream.
CONCERTINA_HD inline bool addElias(const DitherFormat& format,
                                   const std::uint32_t* stream,
                                   std::uint32_t header,
                                   float scale,
                                   float rows,
                                   float* sum,
                                   std::int64_t size) {
    if (!isScale(scale) || scale == 0) {
        return scale == 0 && header == 0;
    }
    EliasAdder adder(format, BitReader(stream, header / 2), scale / rows, sum, size);
    return adder.add((header & 1U) != 0);
}

inline std::string corruptStream(int row, std::int64_t bucket) {
    return "the Elias stream of bucket " + std::to_string(bucket) + " of rank " +
           std::to_string(row) + " is corrupted";
}

inline std::string corruptLength(int row, std::int64_t bytes) {
    return "the Elias message of rank " + std::to_string(row) + " does not fit its " +
           std::to_string(bytes) + " bytes";
}

}  // namespace concertina::kernels
