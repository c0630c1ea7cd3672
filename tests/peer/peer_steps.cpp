// SPDX-License-Identifier: Apache-2.0
// Steps of one of our compressors on gradients from a file, for compare_hooks.py: ranks in one
// process, error feedback where the compressor needs it.
//
// usage: peer_steps COMPRESSOR KEY=VALUE RANKS STEPS ROWS COLUMNS FOLDER
// FOLDER holds gradients.f32, (steps, ranks, rows * columns); of PowerSGD also query.f32, the first
// Q as (rank, columns). Writes means.f32, (steps, rows * columns). Raw fp32 of this machine.
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "tests/contract/compressor_ranks.h"

namespace concertina {
namespace {

namespace fs = std::filesystem;

at::Tensor readFloats(const fs::path& file, at::IntArrayRef shape) {
    at::Tensor values = at::empty(shape, at::kFloat);
    if (fs::file_size(file) != values.nbytes()) {
        throw std::runtime_error(file.string() + " has " + std::to_string(fs::file_size(file)) +
                                 " bytes, expected " + std::to_string(values.nbytes()));
    }
    std::ifstream stream(file, std::ios::binary);
    stream.read(static_cast<char*>(values.mutable_data_ptr()),
                static_cast<std::streamsize>(values.nbytes()));
    return values;
}

std::int64_t toInteger(const std::string& text) {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    if (std::from_chars(text.data(), end, value).ptr != end) {
        throw std::runtime_error("not a whole number: " + text);
    }
    return value;
}

/// "rank=2": a whole number where the compressor has one there, else text.
Settings levelOf(const CompressorDescriptor& compressor, const std::string& text) {
    const auto equals = text.find('=');
    const std::string key = text.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
    for (const Parameter& parameter : compressor.levelParameters) {
        if (parameter.name == key && parameter.type == ParameterType::Integer) {
            return {{key, toInteger(value)}};
        }
    }
    return {{key, value}};
}

void run(const std::vector<std::string>& arguments) {
    if (arguments.size() != 7) {
        throw std::runtime_error(
            "usage: peer_steps COMPRESSOR KEY=VALUE RANKS STEPS ROWS COLUMNS FOLDER");
    }
    const std::string& name = arguments[0];
    const CompressorDescriptor* compressor = findCompressor(name);
    if (compressor == nullptr) {
        throw std::runtime_error("no compressor is named " + name);
    }
    const Settings level = levelOf(*compressor, arguments[1]);
    const std::int64_t ranks = toInteger(arguments[2]);
    const std::int64_t steps = toInteger(arguments[3]);
    const Shape shape{toInteger(arguments[4]), toInteger(arguments[5])};
    const fs::path folder = arguments[6];

    CompressorRanks world(name, static_cast<int>(ranks));
    const LevelPlan plan = planOf(name, shape, level);
    if (name == "powersgd") {
        const std::int64_t rank = plan.phases()[0].payloadBytes / (4 * shape[0]);
        const at::Tensor query = readFloats(folder / "query.f32", {rank, shape[1]});
        for (int i = 0; i < ranks; ++i) {
            world.rank(i).load({{"layer0.q", query}}, {&shape, 1});
        }
    }
    const at::Tensor gradients =
        readFloats(folder / "gradients.f32", {steps, ranks, elementsOf(shape)});
    std::ofstream means(folder / "means.f32", std::ios::binary);
    std::vector<at::Tensor> memory(static_cast<std::size_t>(ranks),
                                   at::zeros_like(gradients[0][0]));
    for (std::int64_t step = 0; step < steps; ++step) {
        std::vector<at::Tensor> inputs;
        for (std::int64_t rank = 0; rank < ranks; ++rank) {
            inputs.push_back(gradients[step][rank] + memory[static_cast<std::size_t>(rank)]);
        }
        const at::Tensor mean = world.step(plan, shape, inputs, step);
        means.write(static_cast<const char*>(mean.const_data_ptr()),
                    static_cast<std::streamsize>(mean.nbytes()));
        if (compressor->needsErrorFeedback) {
            memory = inputs;
        }
    }
}

}  // namespace
}  // namespace concertina

int main(int count, char** values) {
    testing::InitGoogleTest(&count, values);  // CompressorRanks checks with its macros
    try {
        concertina::run({values + 1, values + count});
    } catch (const std::exception& error) {
        std::cerr << "peer_steps: " << error.what() << '\n';
        return 1;
    }
    return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? 1 : 0;
}
