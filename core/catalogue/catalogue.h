// SPDX-License-Identifier: Apache-2.0
// The catalogue: what exists and what each thing accepts. Specs are validated against it, forms and
// `describe` are generated from it, byte plans come from it. Torch-free; the factories in
// core_train are held to the same names by a contract test. Immutable after start, so any thread
// may read it.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/value.h"

namespace concertina {

enum class ParameterType { Boolean, Integer, Real, Text, Choice, IntegerList, RealList };

struct Parameter {
    std::string name;  // the spec's key
    ParameterType type;
    std::string unit;  // "epochs", "bytes", "1" for pure numbers, "" where none applies
    Value defaultValue;
    std::optional<double> min{}, max{};  // inclusive; of each element for lists
    bool minExclusive = false;           // min itself is not allowed (lr > 0)
    std::vector<std::string> choices{};  // for Choice
    std::string summary{};               // one line, no full stop
};

using Shape = std::vector<std::int64_t>;
std::int64_t elementsOf(const Shape& shape);
/// A gradient as a matrix: rows = dim 0, columns = product of the rest (methods.md §1.7). REQUIRES:
/// dim >= 2.
struct MatrixSize {
    std::int64_t rows, columns;
};
MatrixSize matrixOf(const Shape& shape);

/// How ranks combine a payload. Sum, SumFp16, SumBf16: all-reduce of values of that type. Gather:
/// all-gather of bytes.
enum class Reduction { Sum, SumFp16, SumBf16, Gather };
constexpr bool isSum(Reduction reduction) { return reduction != Reduction::Gather; }
/// Bytes one rank sends to have `payloadBytes` combined over `worldSize` ranks (ring): all-reduce
/// 2(W-1)/W * n, all-gather (W-1) * n. 0 for one rank.
double wireBytes(Reduction reduction, double payloadBytes, int worldSize);

struct PhasePlan {
    Reduction reduction;
    /// One rank's contribution. Of a variable phase: what is expected of normally distributed
    /// values, for forecasts, the order of levels and "not worth it"; what a run shows is what was
    /// sent.
    std::int64_t payloadBytes;
    /// The most that encode() may write in a variable phase (Gather only); 0: exactly payloadBytes.
    std::int64_t capacityBytes = 0;
    bool isVariable() const { return capacityBytes > 0; }
};

/// What one layer at one level sends in one step.
struct BytePlan {
    bool dense = false;             // travels uncompressed (fp32, Sum)
    std::string effectiveLevel;     // "rank 4", "ratio 0.01 (k 60)", "dense", "dense: not worth it"
    std::vector<PhasePlan> phases;  // collectives in order
    std::int64_t payloadBytes() const;
    double wireBytes(int worldSize) const;
};

/// A key that does not go with another one: what was found and what is allowed.
struct KeyConflict {
    std::string key, sentence;
};

/// One compressor. Levels come in a list ordered from mild (more bytes) to strong (fewer bytes).
struct CompressorDescriptor {
    std::string name, summary;
    std::vector<Parameter> levelParameters;  // keys of one level
    std::vector<Parameter> options;          // further keys of [compress]
    bool biased = false, linear = false, deterministic = true;
    /// What error feedback is to it: needed (on unless switched off), or refused, because an
    /// unbiased estimate whose noise exceeds its input is no contraction: the memory would grow.
    bool needsErrorFeedback = false, refusesErrorFeedback = false;
    std::string
        byteFormula;  // payload bytes per rank and step, in words of resources/docs/metrics.md
    std::vector<Settings> defaultLevels;  // mild first; a launchable default
    /// The plan for a tensor of dim >= 2, before the "not worth it" rule. Pure.
    BytePlan (*plan)(const Shape& shape, const Settings& level, const Settings& options);
    /// What is wrong between the keys of a level and of the options, each valid by itself. May be
    /// null.
    std::vector<KeyConflict> (*conflicts)(const Settings& level, const Settings& options) = nullptr;
};

struct PolicyDescriptor {
    std::string name, summary;
    std::vector<Parameter> parameters;
    std::vector<std::string> signals;  // what must be recorded so that it can be replayed
    int minLevels = 1;                 // accordion needs 2
    /// What is wrong between the keys, each valid by itself, or with this many levels. May be null.
    std::vector<KeyConflict> (*conflicts)(const Settings& options,
                                          std::int64_t levelCount) = nullptr;
};

/// What there is to predict: a class of each sample, numbers of each sample, or at every token of a
/// text the next one.
enum class Task { Classes, Values, Tokens };
const char* toText(Task task);

/// What a model gets from a data set.
struct DataForm {
    Task task = Task::Classes;
    Shape inputShape;          // of one sample: (C, H, W) images, (n) numbers, (T) tokens
    std::int64_t outputs = 0;  // classes, numbers to predict, or words of the vocabulary
    std::int64_t trainSamples = 0, testSamples = 0;
};

struct ModelDescriptor {
    std::string name, summary;
    std::vector<Parameter> parameters;
    std::string defaultDataset;
    std::int64_t parameterCount;  // at the default data set and parameters
    /// Why it cannot be built for such data ("needs images of ..., these are ..."); empty when it
    /// can.
    std::string (*problem)(const Settings& options, const DataForm& data);
};

struct DatasetDescriptor {
    std::string name, summary;
    std::vector<Parameter> parameters;
    DataForm form;  // of the full set at its defaults, as known without its files
    /// What is wrong with the files these settings name: one sentence a file (path, expected and
    /// found), none when all is well. Reads the files; torch-free, so that a run is refused before
    /// a rank starts.
    std::vector<std::string> (*problems)(const Settings& settings);
    /// The form that these settings give. Throws Error(Usage) where it reads files to know it and
    /// these are unusable.
    DataForm (*formOf)(const Settings& settings);
    bool formNeedsFiles = false;
};

struct MetricDescriptor {
    std::string name, unit, better, summary;  // better: "higher", "lower", "none"
};

std::span<const CompressorDescriptor> compressors();
std::span<const PolicyDescriptor> policies();
std::span<const ModelDescriptor> models();
std::span<const DatasetDescriptor> datasets();
std::span<const MetricDescriptor> metrics();
/// Keys of the spec outside tables (name, seed) and of its fixed tables.
std::span<const Parameter> generalParameters();
std::span<const Parameter> trainParameters();
/// What is wrong between keys of [train], each valid by itself.
std::vector<KeyConflict> trainConflicts(const Settings& train);
std::span<const Parameter> ranksParameters();
/// Keys of [compress] that belong to the exchange and not to a compressor: error feedback, where
/// momentum is applied.
std::span<const Parameter> compressParameters();
/// The same with the defaults that this compressor gives them, then its own options.
std::vector<Parameter> compressParametersOf(const CompressorDescriptor& compressor);
std::span<const Parameter> linkParameters();

/// The row with that name, or nullptr.
const CompressorDescriptor* findCompressor(std::string_view name);
const PolicyDescriptor* findPolicy(std::string_view name);
const ModelDescriptor* findModel(std::string_view name);
const DatasetDescriptor* findDataset(std::string_view name);

/// Why this model with these options cannot be trained on data of that form: "resnet18 needs ...,
/// found ..."; empty when it can.
std::string modelProblem(const ModelDescriptor& model,
                         const Settings& options,
                         const DataForm& data);

/// The plan a run really uses: dim <= 1 -> dense; a compressed form whose wire bytes at `worldSize`
/// are not below the dense ones -> "dense: not worth it" (with one rank payload bytes decide);
/// otherwise descriptor.plan.
BytePlan planLayer(const CompressorDescriptor& compressor,
                   const Shape& shape,
                   const Settings& level,
                   const Settings& options,
                   int worldSize);
/// Uncompressed fp32 all-reduce of the tensor.
BytePlan densePlan(const Shape& shape, std::string effectiveLevel = "dense");

}  // namespace concertina
