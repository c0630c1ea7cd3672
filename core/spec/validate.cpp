// SPDX-License-Identifier: Apache-2.0
// Holds a tree of nodes against the catalogue and makes a RunSpec of it. A value that is a mistake
// is replaced by its default, so that the rest is checked as well and all mistakes are found in one
// go.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/catalogue/check.h"
#include "core/spec/node.h"

namespace concertina {
namespace {

constexpr std::size_t kMaxLevels = 64;
const Shape kReferenceShape{512, 512};  // levels are ordered by the bytes they plan for it

/// The node as a value of the parameter's type; nothing where it can never be one.
std::optional<Value> toValue(const Node& node, ParameterType type) {
    if (const auto* boolean = std::get_if<bool>(&node.value)) {
        return *boolean;
    }
    if (const auto* integer = std::get_if<std::int64_t>(&node.value)) {
        return type == ParameterType::Real ? Value(static_cast<double>(*integer)) : Value(*integer);
    }
    if (const auto* real = std::get_if<double>(&node.value)) {
        return *real;
    }
    if (const auto* text = std::get_if<std::string>(&node.value)) {
        return *text;
    }
    if (node.items() == nullptr) {
        return std::nullopt;
    }
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    for (const Node& item : *node.items()) {
        if (const auto* integer = std::get_if<std::int64_t>(&item.value)) {
            integers.push_back(*integer);
            reals.push_back(static_cast<double>(*integer));
        } else if (const auto* real = std::get_if<double>(&item.value);
                   real != nullptr && type == ParameterType::RealList) {
            reals.push_back(*real);
        } else {
            return std::nullopt;
        }
    }
    return type == ParameterType::RealList ? Value(reals) : Value(integers);
}

template <typename Row>
std::vector<std::string> namesOf(std::span<const Row> rows) {
    std::vector<std::string> names;
    std::transform(rows.begin(), rows.end(), std::back_inserter(names),
                   [](const Row& row) { return row.name; });
    return names;
}

class SpecBuilder {
 public:
    explicit SpecBuilder(const Node& root, std::vector<SpecMistake>& mistakes)
        : root_(root), mistakes_(mistakes) {}

    RunSpec build() {
        static const std::vector<std::string> kTables{"data",     "model",  "train", "ranks",
                                                      "compress", "policy", "link"};
        const Settings general = parameters(*root_.members(), "", generalParameters(), kTables);
        RunSpec spec;
        spec.name = textOf(general, "name");
        spec.seed = static_cast<std::uint64_t>(integerOf(general, "seed"));
        spec.data = choice("data", datasets());
        spec.model = choice("model", models());
        spec.policy = choice("policy", policies());
        spec.train = parameters(table("train"), "train", trainParameters(), {});
        spec.ranks = parameters(table("ranks"), "ranks", ranksParameters(), {});
        if (root_.members()->contains("link")) {
            spec.link = parameters(table("link"), "link", linkParameters(), {});
        }
        compress(spec);
        crossCheckTraining(spec);
        crossCheckPolicy(spec);
        return spec;
    }

 private:
    void add(int line, const std::string& key, const std::string& sentence) {
        const std::string source = line == kOverrideLine ? " (given by --set)" : "";
        mistakes_.push_back({std::max(0, line), excerpt(key, 200), sentence + source});
    }

    static std::string dotted(const std::string& prefix, const std::string& name) {
        return prefix.empty() ? name : prefix + "." + name;
    }

    /// The line of `table.key`, of its table, or 0.
    int lineOf(const std::string& tableName, const std::string& key) const {
        const auto found = root_.members()->find(tableName);
        if (found == root_.members()->end()) {
            return 0;
        }
        const Node& node = found->second;
        const bool given = node.members() != nullptr && node.members()->contains(key);
        return given ? node.members()->at(key).line : node.line;
    }

    bool isClean(std::initializer_list<std::string> keys) const {
        return std::none_of(
            mistakes_.begin(), mistakes_.end(), [&keys](const SpecMistake& mistake) {
                return std::any_of(keys.begin(), keys.end(), [&mistake](const std::string& key) {
                    return mistake.key.starts_with(key);
                });
            });
    }

    const Node::Members& table(const std::string& name) {
        static const Node::Members kEmpty;
        const auto found = root_.members()->find(name);
        if (found == root_.members()->end()) {
            return kEmpty;
        }
        if (found->second.members() == nullptr) {
            if (isClean({name})) {
                add(found->second.line, name,
                    fmt::format("found {}, expected a table [{}]", foundText(found->second), name));
            }
            return kEmpty;
        }
        return *found->second.members();
    }

    Value value(const Node& node, const std::string& key, const Parameter& parameter) {
        const std::optional<Value> found = toValue(node, parameter.type);
        std::optional<std::string> problem =
            found ? problemOf(parameter, *found)
                  : fmt::format("found {}, allowed: {}", foundText(node), allowedText(parameter));
        if (!problem) {
            return *found;
        }
        if (const auto* text = std::get_if<std::string>(&node.value);
            text != nullptr && !parameter.choices.empty()) {
            const std::string nearest = nearestName(*text, parameter.choices);
            *problem += nearest.empty() ? "" : "; did you mean " + nearest + "?";
        }
        add(node.line, key, *problem);
        return parameter.defaultValue;
    }

    Settings parameters(const Node::Members& members,
                        const std::string& prefix,
                        std::span<const Parameter> known,
                        std::vector<std::string> otherKeys) {
        Settings settings = defaultsOf(known);
        for (const Parameter& parameter : known) {
            if (const auto found = members.find(parameter.name); found != members.end()) {
                settings[parameter.name] =
                    value(found->second, dotted(prefix, parameter.name), parameter);
            }
        }
        const std::vector<std::string> names = namesOf(known);
        otherKeys.insert(otherKeys.end(), names.begin(), names.end());
        for (const auto& [name, node] : members) {
            if (std::find(otherKeys.begin(), otherKeys.end(), name) == otherKeys.end()) {
                unknownKey(node.line, dotted(prefix, name), name, otherKeys);
            }
        }
        return settings;
    }

    void unknownKey(int line,
                    const std::string& key,
                    const std::string& name,
                    const std::vector<std::string>& known) {
        const std::string nearest = nearestName(name, known);
        const std::string hint = nearest.empty() ? "" : "; did you mean " + nearest + "?";
        add(line, key,
            known.empty() ? "unknown key; none is allowed here"
                          : fmt::format("unknown key, allowed: {}{}", join(known), hint));
    }

    /// The row that `[table] name` names; nullptr (and a mistake) when there is none.
    template <typename Row>
    const Row* row(const std::string& tableName, std::span<const Row> rows) {
        const Node::Members& members = table(tableName);
        const Parameter name{.name = "name",
                             .type = ParameterType::Choice,
                             .unit = "",
                             .defaultValue = std::string(),
                             .choices = namesOf(rows)};
        const std::string key = tableName + ".name";
        const auto found = members.find("name");
        if (found == members.end()) {
            if (isClean({tableName})) {
                add(lineOf(tableName, "name"), key, "missing, allowed: " + allowedText(name));
            }
            return nullptr;
        }
        const std::string chosen = std::get<std::string>(value(found->second, key, name));
        const auto match = std::find_if(rows.begin(), rows.end(),
                                        [&chosen](const Row& r) { return r.name == chosen; });
        return match == rows.end() ? nullptr : &*match;
    }

    template <typename Row>
    Choice choice(const std::string& tableName, std::span<const Row> rows) {
        const Row* chosen = row(tableName, rows);
        if (chosen == nullptr) {
            return {};
        }
        return {chosen->name,
                parameters(table(tableName), tableName, chosen->parameters, {"name"})};
    }

    void compress(RunSpec& spec) {
        const CompressorDescriptor* compressor = row("compress", compressors());
        if (compressor == nullptr) {
            return;
        }
        const std::vector<Parameter> known = compressParametersOf(*compressor);
        const Node::Members& members = table("compress");
        spec.compress = {compressor->name,
                         parameters(members, "compress", known, {"name", "levels"})};
        const auto levels = members.find("levels");
        if (levels == members.end()) {
            spec.levels = compressor->defaultLevels;
        } else {
            readLevels(*compressor, levels->second, spec);
        }
        crossCheckCompress(*compressor, spec);
    }

    void crossCheckCompress(const CompressorDescriptor& compressor, const RunSpec& spec) {
        if (!isClean({"compress"})) {
            return;
        }
        if (compressor.refusesErrorFeedback && booleanOf(spec.compress.options, "error_feedback")) {
            add(lineOf("compress", "error_feedback"), "compress.error_feedback",
                fmt::format("found true, allowed with {}: false; it is unbiased, and memory of "
                            "its noise would grow",
                            compressor.name));
        }
        for (std::size_t i = 0; compressor.conflict != nullptr && i < spec.levels.size(); ++i) {
            const std::string problem = compressor.conflict(spec.levels[i], spec.compress.options);
            if (!problem.empty()) {
                add(lineOf("compress", "levels"), fmt::format("compress.levels[{}]", i), problem);
            }
        }
    }

    void readLevels(const CompressorDescriptor& compressor, const Node& node, RunSpec& spec) {
        spec.levels = compressor.defaultLevels;
        const Node::Items* items = node.items();
        if (items != nullptr && items->empty() && compressor.levelParameters.empty()) {
            return;
        }
        if (items == nullptr || items->empty() || items->size() > kMaxLevels) {
            const std::string count = items == nullptr ? "" : fmt::format(" of {}", items->size());
            add(node.line, "compress.levels",
                fmt::format(
                    "found {}{}, allowed: a list of 1 to {} levels, mild first, such as [{}]",
                    foundText(node), count, kMaxLevels, exampleLevels(compressor)));
            return;
        }
        spec.levels.clear();
        for (std::size_t i = 0; i < items->size(); ++i) {
            spec.levels.push_back(
                level(compressor, (*items)[i], fmt::format("compress.levels[{}]", i)));
        }
        if (isClean({"compress.levels"})) {
            checkOrder(compressor, *items, spec);
        }
    }

    static std::string exampleLevels(const CompressorDescriptor& compressor) {
        std::vector<std::string> levels;
        for (const Settings& settings : compressor.defaultLevels) {
            std::string inside;
            for (const auto& [name, value] : settings) {
                inside += fmt::format("{}{} = {}", inside.empty() ? "" : ", ", name, toText(value));
            }
            levels.push_back("{" + inside + "}");
        }
        return join(levels);
    }

    Settings level(const CompressorDescriptor& compressor,
                   const Node& node,
                   const std::string& key) {
        if (node.members() == nullptr) {
            add(node.line, key,
                fmt::format("found {}, expected a table such as {}", foundText(node),
                            exampleLevels(compressor)));
            return defaultsOf(compressor.levelParameters);
        }
        return parameters(*node.members(), key, compressor.levelParameters, {});
    }

    void checkOrder(const CompressorDescriptor& compressor,
                    const Node::Items& items,
                    const RunSpec& spec) {
        const auto planOf = [&](std::size_t i) {
            return compressor.plan(kReferenceShape, spec.levels[i], spec.compress.options);
        };
        for (std::size_t i = 1; i < items.size(); ++i) {
            const BytePlan before = planOf(i - 1);
            const BytePlan plan = planOf(i);
            // Equal in bytes is a choice where a level says more than how many (scale of signs).
            if (plan.payloadBytes() > before.payloadBytes() ||
                plan.effectiveLevel == before.effectiveLevel) {
                add(items[i].line, fmt::format("compress.levels[{}]", i),
                    fmt::format("levels go from mild (more bytes) to strong (fewer bytes): {} "
                                "sends {} bytes for a 512 x 512 "
                                "matrix, the level before sends {}",
                                spec.levels[i].empty() ? "this one" : toText(spec.levels[i]),
                                plan.payloadBytes(), before.payloadBytes()));
            }
        }
    }

    void crossCheckTraining(const RunSpec& spec) {
        for (const auto& [key, sentence] : trainConflicts(spec.train)) {
            add(lineOf("train", key), "train." + key, sentence);
        }
        crossCheckMomentum(spec);
        if (textOf(spec.ranks, "device") == "cpu" && textOf(spec.ranks, "backend") == "nccl") {
            add(lineOf("ranks", "backend"), "ranks.backend",
                "found nccl on device cpu, allowed there: auto, gloo");
        }
        checkStepFits(spec);
    }

    void crossCheckMomentum(const RunSpec& spec) {
        // Without a compressor (a mistake of its own) there are no options to look into.
        if (spec.compress.options.empty() ||
            textOf(spec.compress.options, "momentum_place") != "before") {
            return;
        }
        if (booleanOf(spec.train, "nesterov")) {
            add(lineOf("train", "nesterov"), "train.nesterov",
                "found true with compress.momentum_place \"before\", allowed: false");
        }
        if (const std::string& optimizer = textOf(spec.train, "optimizer"); optimizer != "sgd") {
            add(lineOf("compress", "momentum_place"), "compress.momentum_place",
                fmt::format("found before with train.optimizer {}, allowed there: after",
                            optimizer));
        }
    }

    void checkStepFits(const RunSpec& spec) {
        const DatasetDescriptor* dataset = findDataset(spec.data.name);
        if (dataset == nullptr || !isClean({"train.batch_per_rank", "ranks.count", "data"})) {
            return;
        }
        const std::int64_t chosen = integerOf(spec.data.options, "train_samples");
        const std::int64_t samples = chosen == 0 ? dataset->trainSamples : chosen;
        const std::int64_t batch = integerOf(spec.train, "batch_per_rank");
        const std::int64_t ranks = integerOf(spec.ranks, "count");
        if (batch * ranks > samples) {
            add(lineOf("train", "batch_per_rank"), "train.batch_per_rank",
                fmt::format("found {} on {} ranks, which takes {} samples a step, allowed: at most "
                            "the {} training samples",
                            batch, ranks, batch * ranks, samples));
        }
    }

    void crossCheckPolicy(const RunSpec& spec) {
        const PolicyDescriptor* policy = findPolicy(spec.policy.name);
        if (policy == nullptr || !isClean({"compress.name", "compress.levels", "policy"})) {
            return;
        }
        const auto count = static_cast<std::int64_t>(spec.levels.size());
        if (count < policy->minLevels) {
            add(lineOf("policy", "name"), "policy.name",
                fmt::format("{} chooses between at least {} levels, compress.levels has {}",
                            policy->name, policy->minLevels, count));
        }
        if (policy->conflicts == nullptr) {
            return;
        }
        for (const auto& [key, sentence] : policy->conflicts(spec.policy.options, count)) {
            add(lineOf("policy", key), "policy." + key, sentence);
        }
    }

    const Node& root_;
    std::vector<SpecMistake>& mistakes_;
};

}  // namespace

RunSpec buildRunSpec(const Node& root, std::vector<SpecMistake>& mistakes) {
    RunSpec spec = SpecBuilder(root, mistakes).build();
    std::stable_sort(mistakes.begin(), mistakes.end(),
                     [](const SpecMistake& a, const SpecMistake& b) { return a.line < b.line; });
    return spec;
}

}  // namespace concertina
