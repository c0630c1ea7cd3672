// SPDX-License-Identifier: Apache-2.0
// A study file: a base spec, variants, grid and seeds, multiplied out into trials.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/catalogue/check.h"
#include "core/spec/node.h"
#include "core/spec/spec_error.h"

namespace concertina {
namespace {

constexpr std::size_t kMaxTrials = 10000;

struct Variant {
    std::string name;
    NodeOverrides overrides;
};

class StudyBuilder {
 public:
    StudyBuilder(std::filesystem::path file, const Overrides& overrides)
        : file_(std::move(file)), overrides_(toNodes(overrides)) {}

    StudySpec build() {
        root_ = parseToml(readSpecFile(file_), mistakes_);
        stopAtMistakes();
        StudySpec study{
            .name = take("name", generalParameters()[0]).value_or(file_.stem().string()),
            .trials = {}};
        const std::vector<Node> seeds = takeSeeds();
        std::vector<Variant> variants = takeVariants();
        variants = timesGrid(variants);
        const Node base = takeBase();
        if (variants.size() * std::max<std::size_t>(1, seeds.size()) > kMaxTrials) {
            add(0, "",
                fmt::format("{} variants times {} seeds, allowed: {} trials", variants.size(),
                            seeds.size(), kMaxTrials));
        }
        stopAtMistakes();
        for (const Variant& variant : variants) {
            addTrials(study, base, variant, seeds);
        }
        stopAtMistakes();
        return study;
    }

 private:
    void add(int line, const std::string& key, const std::string& sentence) {
        mistakes_.push_back({std::max(0, line), excerpt(key, 200), sentence});
    }

    void stopAtMistakes() {
        if (!mistakes_.empty()) {
            throw SpecError(file_.string(), mistakes_);
        }
    }

    /// Removes a key of the study from the tree, so that what is left is the base spec.
    std::optional<Node> takeNode(const std::string& key) {
        auto taken = root_.members()->extract(key);
        return taken.empty() ? std::nullopt : std::optional(std::move(taken.mapped()));
    }

    std::optional<std::string> textIn(const Node& node,
                                      const std::string& key,
                                      const Parameter& parameter) {
        const auto* text = std::get_if<std::string>(&node.value);
        if (text == nullptr || problemOf(parameter, *text)) {
            add(node.line, key,
                fmt::format("found {}, allowed: {}", foundText(node), allowedText(parameter)));
            return std::nullopt;
        }
        return *text;
    }

    std::optional<std::string> take(const std::string& key, const Parameter& parameter) {
        const std::optional<Node> node = takeNode(key);
        return node ? textIn(*node, key, parameter) : std::nullopt;
    }

    std::vector<Node> takeSeeds() {
        const std::optional<Node> node = takeNode("seeds");
        if (!node) {
            return {};
        }
        std::set<std::int64_t> seen;
        const Node::Items* items = node->items();
        const bool valid = items != nullptr && !items->empty() &&
                           std::all_of(items->begin(), items->end(), [&seen](const Node& item) {
                               const auto* seed = std::get_if<std::int64_t>(&item.value);
                               return seed != nullptr && *seed >= 0 && seen.insert(*seed).second;
                           });
        if (!valid) {
            add(node->line, "seeds",
                fmt::format("found {}, allowed: a list of different integers at least 0",
                            foundText(*node)));
            return {};
        }
        return *items;
    }

    std::vector<Variant> takeVariants() {
        const std::optional<Node> node = takeNode("variant");
        if (!node) {
            return {Variant{}};
        }
        const Node::Items* items = node->items();
        if (items == nullptr || items->empty()) {
            add(node->line, "variant",
                "found " + foundText(*node) + ", expected [[variant]] tables");
            return {};
        }
        std::vector<Variant> variants;
        for (const Node& item : *items) {
            addVariant(variants, item);
        }
        return variants;
    }

    void addVariant(std::vector<Variant>& variants, const Node& node) {
        if (node.members() == nullptr) {
            add(node.line, "variant",
                "found " + foundText(node) + ", expected a table with name and set");
            return;
        }
        Variant variant;
        bool named = false;
        for (const auto& [key, member] : *node.members()) {
            if (key == "name") {
                named = true;
                variant.name = textIn(member, "variant.name", generalParameters()[0]).value_or("");
            } else if (key == "set" && member.members() != nullptr) {
                flatten(member, "", variant.overrides);
            } else if (key == "set") {
                add(member.line, "variant.set",
                    "found " + foundText(member) +
                        ", expected a table such as { \"policy.eta\" = 0.3 }");
            } else {
                add(member.line, "variant." + key, "unknown key, allowed: name, set");
            }
        }
        const bool repeated =
            std::any_of(variants.begin(), variants.end(),
                        [&variant](const Variant& other) { return other.name == variant.name; });
        if (!named || repeated) {
            add(node.line, "variant.name",
                named ? "found \"" + excerpt(variant.name) + "\" twice, allowed: different names"
                      : "missing");
        }
        variants.push_back(std::move(variant));
    }

    /// { "policy.eta" = 1 } and { policy = { eta = 1 } } mean the same.
    static void flatten(const Node& node, const std::string& prefix, NodeOverrides& overrides) {
        for (const auto& [key, member] : *node.members()) {
            std::string dotted = prefix;
            dotted.append(prefix.empty() ? "" : ".").append(key);
            if (member.members() != nullptr) {
                flatten(member, dotted, overrides);
            } else {
                overrides.emplace_back(dotted, member);
            }
        }
    }

    /// Every variant with every combination of the grid's values; the combination is added to the
    /// name.
    std::vector<Variant> timesGrid(std::vector<Variant> variants) {
        const std::optional<Node> node = takeNode("grid");
        if (!node) {
            return variants;
        }
        if (node->members() == nullptr) {
            add(node->line, "grid",
                "found " + foundText(*node) + ", expected a table [grid] of lists");
            return variants;
        }
        NodeOverrides axes;
        flatten(*node, "", axes);
        for (const auto& [key, values] : axes) {
            if (values.items() == nullptr || values.items()->empty()) {
                add(values.line, "grid." + key,
                    "found " + foundText(values) + ", expected a list of values");
            } else if (variants.size() * values.items()->size() > kMaxTrials) {
                add(values.line, "grid." + key,
                    fmt::format("makes more than the allowed {} trials", kMaxTrials));
                break;
            } else {
                variants = timesAxis(variants, key, *values.items());
            }
        }
        return variants;
    }

    static std::vector<Variant> timesAxis(const std::vector<Variant>& variants,
                                          const std::string& key,
                                          const Node::Items& values) {
        std::vector<Variant> product;
        for (const Variant& variant : variants) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                Variant next = variant;
                // Lists and tables have no short text: their place in the grid names them.
                const bool list = values[i].items() != nullptr;
                const auto* text = std::get_if<std::string>(&values[i].value);
                const std::string shown = text != nullptr ? *text
                                          : list          ? fmt::format("#{}", i + 1)
                                                          : foundText(values[i]);
                next.name += fmt::format("{}{}={}", next.name.empty() ? "" : " ", key, shown);
                next.overrides.emplace_back(key, values[i]);
                product.push_back(std::move(next));
            }
        }
        return product;
    }

    /// The base file's tree without lines, which belong to another file; or what is left of this
    /// one.
    Node takeBase() {
        const Parameter path{
            .name = "base", .type = ParameterType::Text, .unit = "", .defaultValue = std::string()};
        const std::optional<std::string> base = take("base", path);
        if (!base) {
            return root_;
        }
        for (const auto& [key, node] : *root_.members()) {
            add(node.line, key,
                "a study with a base allowed only: name, base, seeds, variant, grid");
        }
        const std::filesystem::path file = file_.parent_path() / *base;
        std::vector<SpecMistake> mistakes;
        Node root = parseToml(readSpecFile(file), mistakes);
        if (mistakes.empty()) {
            buildRunSpec(root, mistakes);
        }
        if (!mistakes.empty()) {
            throw SpecError(file.string(), mistakes);
        }
        return root;
    }

    void addTrials(StudySpec& study,
                   const Node& base,
                   const Variant& variant,
                   const std::vector<Node>& seeds) {
        std::vector<SpecMistake> mistakes;
        Node root = base;
        applyOverrides(root, variant.overrides, mistakes);
        applyOverrides(root, overrides_, mistakes);
        RunSpec spec = buildRunSpec(root, mistakes);
        for (SpecMistake& mistake : mistakes) {
            mistake.sentence += variant.name.empty() ? "" : " (variant " + variant.name + ")";
            mistakes_.push_back(mistake);
        }
        spec.name = variant.name.empty() ? study.name : study.name + "-" + variant.name;
        study.trials.push_back({variant.name, spec});
        for (std::size_t i = 0; i < seeds.size(); ++i) {
            spec.seed = static_cast<std::uint64_t>(std::get<std::int64_t>(seeds[i].value));
            if (i == 0) {
                study.trials.back().spec = spec;
            } else {
                study.trials.push_back({variant.name, spec});
            }
        }
    }

    std::filesystem::path file_;
    NodeOverrides overrides_;
    Node root_;
    std::vector<SpecMistake> mistakes_;
};

}  // namespace

StudySpec readStudySpec(const std::filesystem::path& file, const Overrides& overrides) {
    return StudyBuilder(file, overrides).build();
}

}  // namespace concertina
