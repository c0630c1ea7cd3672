// SPDX-License-Identifier: Apache-2.0
// Holds a tree of nodes against the catalogue and makes a RunSpec of it. A value that is a mistake
// is replaced by its default, so that the rest is checked as well and all mistakes are found in one
// go.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/catalogue/check.h"
#include "core/spec/settings_reader.h"

namespace concertina {
namespace {

constexpr std::size_t kMaxLevels = 64;
/// Levels are ordered by the bytes they plan for it.
Shape referenceShape() { return {512, 512}; }

class SpecBuilder : private SettingsReader {
 public:
    using SettingsReader::SettingsReader;

    RunSpec build() {
        static const std::vector<std::string> kTables{"data",     "model",  "train", "ranks",
                                                      "compress", "policy", "link"};
        const Settings general = parameters(*root().members(), "", generalParameters(), kTables);
        RunSpec spec;
        spec.name = textOf(general, "name");
        spec.seed = static_cast<std::uint64_t>(integerOf(general, "seed"));
        spec.data = choice("data", datasets());
        spec.model = choice("model", models());
        spec.policy = choice("policy", policies());
        spec.train = parameters(table("train"), "train", trainParameters(), {});
        spec.ranks = parameters(table("ranks"), "ranks", ranksParameters(), {});
        if (root().members()->contains("link")) {
            spec.link = parameters(table("link"), "link", linkParameters(), {});
        }
        compress(spec);
        crossCheckTraining(spec);
        crossCheckPolicy(spec);
        return spec;
    }

 private:
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
        for (std::size_t i = 0; compressor.conflicts != nullptr && i < spec.levels.size(); ++i) {
            for (const KeyConflict& conflict :
                 compressor.conflicts(spec.levels[i], spec.compress.options)) {
                addConflict(compressor, i, conflict);
            }
        }
    }

    /// At the key that it is about: one of level `i`, or an option, of which every level complains.
    void addConflict(const CompressorDescriptor& compressor,
                     std::size_t i,
                     const KeyConflict& conflict) {
        const std::vector<std::string> ofLevel = namesOf<Parameter>(compressor.levelParameters);
        if (std::find(ofLevel.begin(), ofLevel.end(), conflict.key) != ofLevel.end()) {
            add(lineOfLevel(i, conflict.key),
                fmt::format("compress.levels[{}].{}", i, conflict.key), conflict.sentence);
        } else if (const std::string key = "compress." + conflict.key; isClean({key})) {
            add(lineOf("compress", conflict.key), key, conflict.sentence);
        }
    }

    /// The line of a key of level `i`, of the level, or of the list.
    int lineOfLevel(std::size_t i, const std::string& key) {
        const Node::Members& members = table("compress");
        const auto levels = members.find("levels");
        const Node::Items* items = levels == members.end() ? nullptr : levels->second.items();
        if (items == nullptr || i >= items->size()) {
            return lineOf("compress", "levels");
        }
        const Node& level = (*items)[i];
        const bool given = level.members() != nullptr && level.members()->contains(key);
        return given ? level.members()->at(key).line : level.line;
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
            return compressor.plan(referenceShape(), spec.levels[i], spec.compress.options);
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
        crossCheckDataWithoutFiles(spec);
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

    void crossCheckDataWithoutFiles(const RunSpec& spec) {
        const DatasetDescriptor* dataset = findDataset(spec.data.name);
        if (dataset == nullptr || dataset->formNeedsFiles || !isClean({"data"})) {
            return;
        }
        const DataForm form = dataset->formOf(spec.data.options);
        const ModelDescriptor* model = findModel(spec.model.name);
        if (model != nullptr && isClean({"model"})) {
            if (const auto problem = modelProblem(*model, spec.model.options, form);
                !problem.empty()) {
                add(lineOf("model", "name"), "model.name", problem);
            }
        }
        const std::string problem = stepProblem(spec, form);
        if (isClean({"train.batch_per_rank", "ranks.count"}) && !problem.empty()) {
            add(lineOf("train", "batch_per_rank"), "train.batch_per_rank", problem);
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
};

}  // namespace

RunSpec buildRunSpec(const Node& root, std::vector<SpecMistake>& mistakes) {
    RunSpec spec = SpecBuilder(root, mistakes).build();
    std::stable_sort(mistakes.begin(), mistakes.end(),
                     [](const SpecMistake& a, const SpecMistake& b) { return a.line < b.line; });
    return spec;
}

}  // namespace concertina
