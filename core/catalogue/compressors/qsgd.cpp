// SPDX-License-Identifier: Apache-2.0
// QSGD: each element as one of s equal steps of its bucket's norm and a sign. Payload bytes per
// rank and step, packed: 4 ceil(n / bucket) + bits n / 8, rounded up to a multiple of 4. Elias: 8
// ceil(n / bucket) and each bucket's stream of the omega code, rounded up to a multiple of 4.
// Communication steps: one all-gather. Formulas: methods.md §3.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/catalogue/compressors/buckets.h"
#include "core/catalogue/sizes.h"
#include "kernels/elias.h"

namespace concertina {
namespace {

constexpr double kPi = 3.141592653589793;

struct Format {
    std::int64_t bits, steps, bucket;
    bool isElias, isNorm;
};

std::int64_t mostSteps(std::int64_t bits) { return (std::int64_t{1} << (bits - 1)) - 1; }

Format formatOf(const Settings& level, const Settings& options) {
    const std::int64_t bits = integerOf(level, "bits");
    const std::int64_t steps = integerOf(level, "s");
    return {bits, steps == 0 ? mostSteps(bits) : steps, integerOf(options, "bucket"),
            textOf(options, "coding") == "elias", textOf(options, "norm") == "l2"};
}

int omegaBits(std::int64_t number) {
    return kernels::omegaCode(static_cast<std::uint32_t>(number)).length;
}

/// E max(|z| - t, 0) of a standard normal z.
double meanExcess(double t) {
    const double density = std::exp(-t * t / 2) / std::sqrt(2 * kPi);
    return 2 * density - t * std::erfc(t / std::sqrt(2.0));
}

/// The largest of `count` magnitudes, on average: that of 2 count normal numbers, which is Gumbel's
/// (Cramer 1946, section 28.6; 0.58 is Euler's constant).
double meanLargest(double count) {
    const double logarithm = std::log(2 * count);
    const double a = std::sqrt(2 * logarithm);
    return a - (std::log(logarithm) + std::log(4 * kPi)) / (2 * a) + 0.5772156649 / a;
}

/// What an element of a bucket costs in bits when its values are normally distributed: the shorter
/// of the two forms. An element's place on the levels is x = c |z|; rounded without bias it reaches
/// level l with the mean of x - (l - 1), between 0 and 1. Code lengths change at powers of two
/// only.
double expectedBits(const Format& format, std::int64_t elements) {
    const auto size = static_cast<double>(std::min(format.bucket, elements));
    const double c =
        static_cast<double>(format.steps) / (format.isNorm ? std::sqrt(size) : meanLargest(size));
    const auto excess = [c](std::int64_t level) {
        return c * meanExcess(static_cast<double>(level) / c);
    };
    const auto reaches = [&](std::int64_t level) {
        return level > format.steps ? 0 : excess(level - 1) - excess(level);
    };
    const double notZero = reaches(1);
    double dense = 1 - notZero;
    double sparse = 0;
    for (std::int64_t power = 1; power <= format.steps; power *= 2) {
        sparse += (reaches(power) - reaches(2 * power)) * (omegaBits(power) + 1);
        dense += (reaches(2 * power - 1) - reaches(4 * power - 1)) * (omegaBits(2 * power) + 1);
    }
    // A gap has more than k digits with probability (1 - notZero)^(2^k - 1); one more leads to the
    // bucket's end.
    const double gaps = notZero + 1 / size;
    double longer = 1;
    for (int digits = 1; digits <= 31 && longer > 0; ++digits) {
        const double next = std::pow(1 - notZero, std::exp2(digits) - 1);
        sparse += gaps * (longer - next) * omegaBits(std::int64_t{1} << (digits - 1));
        longer = next;
    }
    return std::min(dense, sparse);
}

BytePlan plan(const Shape& shape, const Settings& level, const Settings& options) {
    const Format format = formatOf(level, options);
    const std::int64_t n = elementsOf(shape);
    const std::int64_t norms = scaleBytes(n, format.bucket);
    PhasePlan phase{Reduction::Gather, norms + packedBytes(n * format.bits)};
    if (format.isElias && n > 0) {
        phase.capacityBytes = kernels::eliasCapacityBytes(format.steps, n, format.bucket);
        // A bucket has a norm and a header, and loses half a word at the end of its stream.
        const std::int64_t bucketBytes = packedBytes(8 * (2 * norms + norms / 2));
        const double streamBits = expectedBits(format, n) * static_cast<double>(n);
        const std::int64_t streamBytes =
            packedBytes(static_cast<std::int64_t>(std::ceil(streamBits)));
        phase.payloadBytes = std::min(phase.capacityBytes, bucketBytes + streamBytes);
    }
    const std::string effective = format.isElias
                                      ? fmt::format("s {}, elias", format.steps)
                                      : fmt::format("bits {} (s {})", format.bits, format.steps);
    return {.dense = false, .effectiveLevel = effective, .phases = {phase}};
}

std::vector<KeyConflict> conflicts(const Settings& level, const Settings& options) {
    const Format format = formatOf(level, options);
    std::vector<KeyConflict> found = bucketConflicts(options);
    if (!format.isElias && format.steps > mostSteps(format.bits)) {
        found.push_back(
            {"s", fmt::format("found {} with coding packed and bits {}, allowed there: at most {}",
                              format.steps, format.bits, mostSteps(format.bits))});
    }
    return found;
}

Settings bitsLevel(std::int64_t bits) { return {{"bits", bits}, {"s", std::int64_t{0}}}; }

}  // namespace

CompressorDescriptor qsgdCompressor() {
    return {
        .name = "qsgd",
        .summary = "Unbiased stochastic rounding to a few equal levels of each bucket's norm",
        .levelParameters =
            {{.name = "bits",
              .type = ParameterType::Integer,
              .unit = "bits",
              .defaultValue = std::int64_t{4},
              .min = 2,
              .max = 8,
              .summary = "a sign and bits - 1 bits of level, packed"},
             {.name = "s",
              .type = ParameterType::Integer,
              .unit = "1",
              .defaultValue = std::int64_t{0},
              .min = 0,
              .max = 32767,
              .summary = "levels above zero; 0: 2^(bits-1) - 1, the most that packed codes hold; "
                         "elias takes no notice of bits where s is given"}},
        .options = {{.name = "bucket",
                     .type = ParameterType::Integer,
                     .unit = "elements",
                     .defaultValue = std::int64_t{512},
                     .min = 32,
                     .max = 65536,
                     .summary = "elements that share a norm; a multiple of 32"},
                    {.name = "norm",
                     .type = ParameterType::Choice,
                     .unit = "",
                     .defaultValue = std::string("l2"),
                     .choices = {"l2", "max"},
                     .summary = "what the levels divide: the l2 norm, or the largest magnitude"},
                    {.name = "coding",
                     .type = ParameterType::Choice,
                     .unit = "",
                     .defaultValue = std::string("packed"),
                     .choices = {"packed", "elias"},
                     .summary = "fields of fixed width, or Elias' omega code, dense or with gaps, "
                                "whichever is shorter"}},
        .biased = false,
        .linear = false,
        .deterministic = false,
        .refusesErrorFeedback = true,
        .byteFormula =
            "4 ceil(n / bucket) + bits n / 8, rounded up to a multiple of 4: norms, then "
            "codes; elias: 8 ceil(n / bucket) and the streams, variable",
        .defaultLevels = {bitsLevel(8), bitsLevel(4)},
        .plan = plan,
        .conflicts = conflicts};
}

}  // namespace concertina
