// SPDX-License-Identifier: Apache-2.0
// Every compressor's encode and decode as multiples of a memory copy of as many floats, made in
// turns with them in one run, and beside plain torch operations (targets: design.md 8). Prints the
// table of resources/docs/performance.md. One thread.
//
// usage: compressors_bench [COMPRESSOR]...
// Walks the registry: every default level, at default options; every other value of an option that
// is a choice, one at a time, at the mildest default level; and the levels of design.md's targets.
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>

#include "core/catalogue/check.h"
#include "tests/bench/bench_ranks.h"
#include "tests/bench/measure.h"
#include "tests/bench/torch_ops.h"

namespace concertina::bench {
namespace {

constexpr int kRepetitions = 11;
constexpr int kSlowRepetitions = 7;  // where one takes more than a second

struct Row {
    Settings level, options;  // what is shown; over the defaults
};

Settings over(Settings settings, const Settings& given) {
    for (const auto& [name, value] : given) {
        settings[name] = value;
    }
    return settings;
}

/// Levels that are no defaults, but have a target or say more.
std::vector<Row> furtherRows(const std::string& name) {
    if (name == "topk") {
        return {{{{"ratio", 0.01}}, {}}};
    }
    if (name == "powersgd") {
        return {{{{"rank", std::int64_t{2}}}, {}}};
    }
    if (name == "atomo") {
        return {{{{"budget", 0.01}}, {{"basis", std::string("entry")}}}};
    }
    return {};
}

std::vector<Row> rowsOf(const CompressorDescriptor& compressor) {
    std::vector<Row> rows;
    for (const Settings& level : compressor.defaultLevels) {
        rows.push_back({level, {}});
    }
    for (const Parameter& option : compressor.options) {
        for (const std::string& choice : option.choices) {
            if (Value(choice) != option.defaultValue) {
                rows.push_back({compressor.defaultLevels.front(), {{option.name, choice}}});
            }
        }
    }
    const std::vector<Row> further = furtherRows(compressor.name);
    rows.insert(rows.end(), further.begin(), further.end());
    return rows;
}

/// A copy of the elements, in turns with what is measured.
class Copy {
 public:
    explicit Copy(std::int64_t count)
        : from_(static_cast<std::size_t>(count), 1), to_(static_cast<std::size_t>(count), 2) {}
    double seconds() {
        const double taken = secondsOf(
            [this] { std::memcpy(to_.data(), from_.data(), to_.size() * sizeof(float)); });
        all_.push_back(taken);
        return taken;
    }
    Spread spread() const { return spreadOf(all_); }

 private:
    std::vector<float> from_, to_;
    std::vector<double> all_;
};

std::string ratioText(const std::vector<double>& ratios) {
    const Spread spread = spreadOf(ratios);
    char text[100];
    std::snprintf(text, sizeof(text), "%.1f (%.1f to %.1f)", spread.median, spread.lowest,
                  spread.highest);
    return text;
}

bool standsBeside(const TorchOps& ops, const std::string& name, const Settings& level) {
    return ops.compressor == name &&
           std::all_of(ops.level.begin(), ops.level.end(), [&](auto& key) {
               const auto found = level.find(key.first);
               return found != level.end() && found->second == key.second;
           });
}

/// Encode, and for PowerSGD both phases and decode, in torch operations.
std::string torchText(const TorchOps& ops, Copy& copy) {
    std::vector<at::Tensor> gradients, memories;
    std::uint32_t seed = 0;
    for (const auto& [rows, columns] : resnet18Matrices()) {
        gradients.push_back(normalFloats(rows * columns, ++seed).view({rows, columns}));
        memories.push_back(normalFloats(rows * columns, ++seed).view({rows, columns}));
    }
    std::vector<double> ratios;
    for (int i = -1; i < kSlowRepetitions; ++i) {
        std::vector<at::Tensor> kept;
        for (const at::Tensor& memory : memories) {
            kept.push_back(memory.clone());
        }
        const double copied = copy.seconds();
        const double taken = secondsOf([&] {
            for (std::size_t layer = 0; layer < gradients.size(); ++layer) {
                ops.run(gradients[layer], kept[layer]);
            }
        });
        if (i >= 0) {
            ratios.push_back(taken / copied);
        }
    }
    return ratioText(ratios);
}

void printRow(const CompressorDescriptor& compressor, const Row& row, Copy& copy) {
    const Settings level = over(defaultsOf(compressor.levelParameters), row.level);
    const Settings options = over(defaultsOf(compressParametersOf(compressor)), row.options);
    if (compressor.conflicts != nullptr && !compressor.conflicts(level, options).empty()) {
        return;
    }
    BenchRanks ranks(compressor, level, options);
    const BenchRanks::Seconds first = ranks.step();
    const int repetitions = first.encode + first.decode > 1 ? kSlowRepetitions : kRepetitions;
    std::vector<double> encode, decode;
    for (int i = 0; i < repetitions; ++i) {
        const double copied = copy.seconds();
        const BenchRanks::Seconds taken = ranks.step();
        encode.push_back(taken.encode / copied);
        decode.push_back(taken.decode / copied);
    }
    std::string torch;
    for (const TorchOps& ops : torchOps()) {
        if (row.options.empty() && standsBeside(ops, compressor.name, level)) {
            torch = torchText(ops, copy);
        }
    }
    const std::string variant = row.options.empty() ? "" : " (" + toText(row.options) + ")";
    std::printf("| %s%s | %s | %s | %s | %.2f %% | %s |\n", compressor.name.c_str(),
                variant.c_str(), toText(level).c_str(), ratioText(encode).c_str(),
                ratioText(decode).c_str(), 100 * ranks.sentShare(), torch.c_str());
    std::fflush(stdout);
}

}  // namespace
}  // namespace concertina::bench

int main(int count, char** values) {
    using namespace concertina;
    at::set_num_threads(1);
    const std::set<std::string> wanted(values + 1, values + count);
    std::int64_t elements = 0;
    for (const auto& [rows, columns] : bench::resnet18Matrices()) {
        elements += rows * columns;
    }
    bench::Copy copy(elements);
    std::printf(
        "| compressor | level | encode, copies | decode, copies | sent of fp32 | torch operations, "
        "copies |\n|---|---|---|---|---|---|\n");
    for (const CompressorDescriptor& compressor : compressors()) {
        if (wanted.empty() || wanted.contains(compressor.name)) {
            for (const bench::Row& row : bench::rowsOf(compressor)) {
                bench::printRow(compressor, row, copy);
            }
        }
    }
    const bench::Spread copies = copy.spread();
    std::printf("\nOne copy of %lld floats took %.2f ms (%.2f to %.2f).\n",
                static_cast<long long>(elements), copies.median * 1e3, copies.lowest * 1e3,
                copies.highest * 1e3);
}
