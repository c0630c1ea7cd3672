// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/cifar_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/catalogue/datasets/data_file.h"

namespace concertina {
namespace {

namespace fs = std::filesystem;

/// What else of the family has that size.
std::string sizeHint(std::int64_t bytes, std::int64_t expected) {
    struct Known {
        std::int64_t bytes;
        const char* what;
    };
    constexpr Known kKnown[] = {{30730000, "a CIFAR-10 file"},
                                {153700000, "CIFAR-100's train.bin"},
                                {30740000, "CIFAR-100's test.bin"}};
    for (const Known& known : kKnown) {
        if (bytes == known.bytes && bytes != expected) {
            return std::string("; that is the size of ") + known.what;
        }
    }
    return "";
}

void checkLabels(const fs::path& file,
                 const CifarSet& set,
                 const std::vector<std::uint8_t>& records) {
    const auto stride = static_cast<std::size_t>(set.recordBytes());
    for (std::size_t at = 0; at < records.size(); at += stride) {
        for (std::size_t i = 0; i < set.labelClasses.size(); ++i) {
            if (records[at + i] >= set.labelClasses[i]) {
                failData(file, fmt::format("label {} of sample {}, allowed: 0 to {}",
                                           records[at + i], at / stride, set.labelClasses[i] - 1));
            }
        }
    }
}

std::vector<std::uint8_t> readRecords(const fs::path& folder,
                                      const CifarSet& set,
                                      const std::string& name) {
    const std::int64_t samples = name == set.testFile ? set.testSamples : set.trainFileSamples;
    const std::int64_t expected = samples * set.recordBytes();
    DataFile file(folder, name);
    if (!file.packed() && file.fileBytes() != expected) {
        failData(file.path(), fmt::format("holds {} bytes, expected {} ({} records of {} bytes){}",
                                          file.fileBytes(), expected, samples, set.recordBytes(),
                                          sizeHint(file.fileBytes(), expected)));
    }
    std::vector<std::uint8_t> records(static_cast<std::size_t>(expected));
    file.readRest(records, 0);
    checkLabels(file.path(), set, records);
    return records;
}

void append(CifarImages& images, const CifarSet& set, const std::vector<std::uint8_t>& records) {
    const auto stride = set.recordBytes();
    for (auto at = records.begin(); at != records.end(); at += stride) {
        images.labels.push_back(at[stride - kCifarPixels - 1]);
        images.pixels.insert(images.pixels.end(), at + (stride - kCifarPixels), at + stride);
    }
}

/// The first class that is not as frequent as all are in the official sets; nothing when all are.
std::string balanceProblem(const CifarImages& images, std::int64_t classes) {
    const auto expected = static_cast<std::ptrdiff_t>(images.labels.size()) / classes;
    for (std::int64_t label = 0; label < classes; ++label) {
        const auto found = std::count(images.labels.begin(), images.labels.end(), label);
        if (found != expected) {
            return fmt::format(
                "{} samples of class {}, expected {} of each: is a file there "
                "twice, or a test file in the place of a training file?",
                found, label, expected);
        }
    }
    return "";
}

}  // namespace

CifarSet cifar10Files() {
    CifarSet set{.trainFiles = {},
                 .testFile = "test_batch.bin",
                 .trainFileSamples = 10000,
                 .testSamples = 10000,
                 .labelClasses = {10}};
    for (int i = 1; i <= 5; ++i) {
        set.trainFiles.push_back(fmt::format("data_batch_{}.bin", i));
    }
    return set;
}

CifarSet cifar100Files() {
    return {.trainFiles = {"train.bin"},
            .testFile = "test.bin",
            .trainFileSamples = 50000,
            .testSamples = 10000,
            .labelClasses = {20, 100}};
}

CifarImages readCifar(const fs::path& folder,
                      const CifarSet& set,
                      const std::vector<std::string>& files) {
    CifarImages images;
    for (const std::string& file : files) {
        append(images, set, readRecords(folder, set, file));
    }
    return images;
}

std::vector<std::string> cifarProblems(const fs::path& folder, const CifarSet& set) {
    std::vector<std::string> sentences;
    for (const auto& files : {set.trainFiles, std::vector<std::string>{set.testFile}}) {
        CifarImages images;
        const std::size_t before = sentences.size();
        for (const std::string& file : files) {
            try {
                append(images, set, readRecords(folder, set, file));
            } catch (const Error& error) {
                sentences.emplace_back(error.what());
            }
        }
        const std::string problem = balanceProblem(images, set.labelClasses.back());
        if (sentences.size() == before && !problem.empty()) {
            const std::string which =
                files.size() > 1 ? files.front() + " to " + files.back() : files.front();
            sentences.push_back((folder / which).string() + ": " + problem);
        }
    }
    return sentences;
}

}  // namespace concertina
