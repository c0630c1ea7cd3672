// SPDX-License-Identifier: Apache-2.0
// Pages against the catalogue, in both directions, and every experiment against the spec reader.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "core/base/text.h"
#include "core/catalogue/catalogue.h"
#include "core/catalogue/check.h"
#include "core/catalogue/describe.h"
#include "core/spec/run_spec.h"

namespace concertina {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;
const fs::path kSource = CONCERTINA_SOURCE_DIR;

std::string readText(const fs::path& file) {
    std::ifstream stream(file);
    EXPECT_TRUE(stream.is_open()) << file;
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// Rows "| `first` ...| second | third | ..." of the page's tables that have `columns` columns,
/// cells trimmed.
std::vector<std::vector<std::string>> tableRows(const fs::path& page, std::size_t columns) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(readText(page));
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `")) {
            continue;
        }
        line = std::regex_replace(line, std::regex(R"(\\\|)"), "/");
        std::vector<std::string> cells;
        std::istringstream parts(line.substr(1));
        for (std::string cell; std::getline(parts, cell, '|');) {
            cells.push_back(std::regex_replace(cell, std::regex("^ +| +$"), ""));
        }
        if (cells.size() == columns) {
            rows.push_back(cells);
        }
    }
    return rows;
}

/// What spec.md must say of each key: "`train.lr`" or "`policy.eta` (accordion)" -> type, unit,
/// default.
using KeyRows = std::map<std::string, std::vector<std::string>>;

void addKeys(KeyRows& rows,
             const std::string& prefix,
             const std::string& row,
             std::span<const Parameter> parameters) {
    for (const Parameter& parameter : parameters) {
        const std::string owner = row.empty() ? "" : " (" + row + ")";
        rows["`" + prefix + parameter.name + "`" + owner] = {
            toText(parameter.type), parameter.unit, "`" + toText(parameter.defaultValue) + "`"};
    }
}

KeyRows catalogueKeys() {
    KeyRows rows;
    addKeys(rows, "", "", generalParameters());
    addKeys(rows, "train.", "", trainParameters());
    addKeys(rows, "ranks.", "", ranksParameters());
    addKeys(rows, "compress.", "", compressParameters());
    addKeys(rows, "link.", "", linkParameters());
    for (const CompressorDescriptor& compressor : compressors()) {
        addKeys(rows, "compress.levels.", compressor.name, compressor.levelParameters);
        addKeys(rows, "compress.", compressor.name, compressor.options);
    }
    for (const PolicyDescriptor& policy : policies()) {
        addKeys(rows, "policy.", policy.name, policy.parameters);
    }
    for (const ModelDescriptor& model : models()) {
        addKeys(rows, "model.", model.name, model.parameters);
    }
    for (const DatasetDescriptor& dataset : datasets()) {
        addKeys(rows, "data.", dataset.name, dataset.parameters);
    }
    return rows;
}

TEST(Docs, SpecPageListsExactlyTheKeysOfTheCatalogue) {
    KeyRows page;
    for (const auto& cells : tableRows(kSource / "resources/docs/spec.md", 6)) {
        EXPECT_TRUE(
            page.emplace(cells[0], std::vector<std::string>{cells[1], cells[2], cells[3]}).second)
            << cells[0];
    }
    EXPECT_EQ(page, catalogueKeys());
}

TEST(Docs, SpecPageNamesEveryChoice) {
    const std::string page = readText(kSource / "resources/docs/spec.md");
    for (const auto& [key, cells] : catalogueKeys()) {
        EXPECT_THAT(page, HasSubstr(key));
    }
    const auto named = [&page](const auto& rows) {
        for (const auto& row : rows) {
            EXPECT_THAT(page, HasSubstr("`" + row.name + "`"));
        }
    };
    named(compressors());
    named(policies());
    named(models());
    named(datasets());
}

TEST(Docs, MetricsPageListsExactlyTheMetricsOfTheCatalogue) {
    std::set<std::vector<std::string>> page;
    for (const auto& cells : tableRows(kSource / "resources/docs/metrics.md", 4)) {
        EXPECT_FALSE(cells[3].empty()) << cells[0];
        page.insert({cells[0], cells[1], cells[2]});
    }
    std::set<std::vector<std::string>> catalogue;
    for (const MetricDescriptor& metric : metrics()) {
        catalogue.insert({"`" + metric.name + "`", metric.unit, metric.better});
    }
    EXPECT_EQ(page, catalogue);
}

TEST(Docs, MetricsPageGivesEveryByteFormula) {
    std::map<std::string, std::string> page;
    for (const auto& cells : tableRows(kSource / "resources/docs/metrics.md", 3)) {
        page[cells[0]] = cells[1];
    }
    std::map<std::string, std::string> catalogue;
    for (const CompressorDescriptor& compressor : compressors()) {
        catalogue["`" + compressor.name + "`"] = compressor.byteFormula;
    }
    EXPECT_EQ(page, catalogue);
}

TEST(Docs, EveryDatasetHasAPage) {
    for (const DatasetDescriptor& dataset : datasets()) {
        const std::string page = readText(kSource / "resources/datasets" / (dataset.name + ".md"));
        for (const char* part : {"| source |", "| licence |", "| size |", "SHA-256"}) {
            EXPECT_THAT(page, HasSubstr(part)) << dataset.name;
        }
    }
}

TEST(Docs, EveryPolicyHasAPage) {
    for (const PolicyDescriptor& policy : policies()) {
        const std::string page =
            readText(kSource / "resources/docs/policies" / (policy.name + ".md"));
        EXPECT_TRUE(page.starts_with("# " + policy.name + "\n")) << policy.name;
        for (const char* part : {"\n## Rule\n", "\n## Keys\n", "\n## Source\n"}) {
            EXPECT_THAT(page, HasSubstr(part)) << policy.name;
        }
        for (const Parameter& parameter : policy.parameters) {
            EXPECT_THAT(page, HasSubstr("`" + parameter.name + "`")) << policy.name;
        }
        const std::string signals = join(policy.signals);
        EXPECT_THAT(page, HasSubstr("\nSignals: " + (signals.empty() ? "none" : signals) + "."))
            << policy.name;
    }
    for (const auto& entry : fs::directory_iterator(kSource / "resources/docs/policies")) {
        EXPECT_NE(findPolicy(entry.path().stem().string()), nullptr) << entry.path();
    }
}

TEST(Docs, DescribeJsonHasEveryRow) {
    const auto json = nlohmann::json::parse(describeJson());
    const auto check = [&json](const char* family, const auto& rows) {
        ASSERT_EQ(json.at(family).size(), rows.size()) << family;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(json[family][i].at("name"), rows[i].name);
            EXPECT_EQ(json[family][i].at("summary"), rows[i].summary);
            for (const auto& parameter : json[family][i].at("parameters")) {
                for (const char* key : {"name", "type", "unit", "default", "min", "max"}) {
                    EXPECT_TRUE(parameter.contains(key)) << parameter;
                }
            }
        }
    };
    check("compressors", compressors());
    check("policies", policies());
    check("models", models());
    check("datasets", datasets());
    check("metrics", metrics());
    EXPECT_EQ(json["models"][0]["parameter_count"], 235146);
    EXPECT_EQ(json["models"][1]["parameter_count"], 61706);
    EXPECT_EQ(json["compressors"][1]["byte_formula"], compressors()[1].byteFormula);
    EXPECT_EQ(json["policies"].back()["parameters"][0]["default"], 0.5);
    EXPECT_TRUE(json["models"][0]["parameters"][0]["default"].is_array());
}

TEST(Docs, DescribeTextHasEveryNameAndParameter) {
    const std::string text = describeText();
    for (const auto& [key, cells] : catalogueKeys()) {
        const std::string last = key.substr(0, key.rfind('`'));
        EXPECT_THAT(text, HasSubstr(last.substr(last.find_last_of("`.") + 1))) << key;
    }
}

TEST(Docs, DefaultsSatisfyTheirOwnParameter) {
    const auto check = [](std::span<const Parameter> parameters) {
        for (const Parameter& parameter : parameters) {
            EXPECT_EQ(problemOf(parameter, parameter.defaultValue), std::nullopt) << parameter.name;
            EXPECT_FALSE(parameter.summary.empty() || parameter.summary.ends_with("."))
                << parameter.name;
        }
    };
    for (const auto& table : {generalParameters(), trainParameters(), ranksParameters(),
                              compressParameters(), linkParameters()}) {
        check(table);
    }
    for (const CompressorDescriptor& compressor : compressors()) {
        check(compressor.levelParameters);
        check(compressor.options);
    }
    for (const PolicyDescriptor& policy : policies()) {
        check(policy.parameters);
    }
    for (const ModelDescriptor& model : models()) {
        check(model.parameters);
        EXPECT_NE(findDataset(model.defaultDataset), nullptr) << model.name;
    }
    for (const DatasetDescriptor& dataset : datasets()) {
        check(dataset.parameters);
    }
}

/// A study is what has variants, seeds or a grid; everything else is a run.
TEST(Experiments, EveryTomlFileIsAValidSpecOrStudy) {
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(kSource / "experiments")) {
        if (entry.path().extension() != ".toml") {
            continue;
        }
        ++files;
        const std::string text = readText(entry.path());
        const bool study =
            std::regex_search(text, std::regex(R"((^|\n)(seeds *=|base *=|\[\[variant|\[grid))"));
        try {
            if (study) {
                EXPECT_FALSE(readStudySpec(entry.path()).trials.empty());
            } else {
                readRunSpec(entry.path());
            }
        } catch (const std::exception& error) {
            ADD_FAILURE() << error.what();
        }
    }
    EXPECT_GT(files, 0);
}

TEST(Experiments, TheSpecPageShowsASpecThatIsValid) {
    const std::string page = readText(kSource / "resources/docs/spec.md");
    const std::size_t begin = page.find("```toml\n") + 8;
    const RunSpec spec =
        parseRunSpec(page.substr(begin, page.find("```", begin) - begin), "spec.md");
    EXPECT_EQ(spec.name, "fashion-accordion");
}

}  // namespace
}  // namespace concertina
