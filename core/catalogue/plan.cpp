// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/check.h"
#include "core/catalogue/catalogue.h"

namespace concertina {
namespace {

constexpr std::int64_t kFloatBytes = 4;

template <typename Row>
const Row* find(std::span<const Row> rows, std::string_view name) {
    const auto row =
        std::find_if(rows.begin(), rows.end(), [name](const Row& r) { return r.name == name; });
    return row == rows.end() ? nullptr : &*row;
}

}  // namespace

std::int64_t elementsOf(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

MatrixSize matrixOf(const Shape& shape) {
    CONCERTINA_CHECK(shape.size() >= 2, "a tensor of dim 0 or 1 is no matrix");
    return {shape[0], elementsOf(Shape(shape.begin() + 1, shape.end()))};
}

double wireBytes(Reduction reduction, double payloadBytes, int worldSize) {
    CONCERTINA_CHECK(worldSize >= 1, "world size " + std::to_string(worldSize));
    const double others = worldSize - 1;
    return isSum(reduction) ? 2 * others / worldSize * payloadBytes : others * payloadBytes;
}

std::int64_t BytePlan::payloadBytes() const {
    return std::accumulate(
        phases.begin(), phases.end(), std::int64_t{0},
        [](std::int64_t sum, const PhasePlan& p) { return sum + p.payloadBytes; });
}

double BytePlan::wireBytes(int worldSize) const {
    return std::accumulate(
        phases.begin(), phases.end(), 0.0, [worldSize](double sum, const PhasePlan& p) {
            return sum + concertina::wireBytes(p.reduction, static_cast<double>(p.payloadBytes),
                                               worldSize);
        });
}

BytePlan densePlan(const Shape& shape, std::string effectiveLevel) {
    return {.dense = true,
            .effectiveLevel = std::move(effectiveLevel),
            .phases = {{Reduction::Sum, kFloatBytes * elementsOf(shape)}}};
}

BytePlan planLayer(const CompressorDescriptor& compressor,
                   const Shape& shape,
                   const Settings& level,
                   const Settings& options,
                   int worldSize) {
    if (shape.size() <= 1) {
        return densePlan(shape);
    }
    BytePlan compressed = compressor.plan(shape, level, options);
    if (compressed.dense) {
        return compressed;
    }
    const BytePlan dense = densePlan(shape, "dense: not worth it");
    // One rank sends nothing, so its wire bytes decide nothing.
    const bool smaller = worldSize == 1
                             ? compressed.payloadBytes() < dense.payloadBytes()
                             : compressed.wireBytes(worldSize) < dense.wireBytes(worldSize);
    return smaller ? compressed : dense;
}

const CompressorDescriptor* findCompressor(std::string_view name) {
    return find(compressors(), name);
}

const PolicyDescriptor* findPolicy(std::string_view name) { return find(policies(), name); }

const ModelDescriptor* findModel(std::string_view name) { return find(models(), name); }

const DatasetDescriptor* findDataset(std::string_view name) { return find(datasets(), name); }

}  // namespace concertina
