// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/idx_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/catalogue/datasets/data_file.h"

namespace concertina {
namespace {

namespace fs = std::filesystem;
using Dims = std::vector<std::int64_t>;

constexpr int kMaxDims = 4;
constexpr std::uint8_t kUnsignedByteType = 8;

Dims readHeader(DataFile& file) {
    std::array<std::uint8_t, 4> magic{};
    const std::size_t found = file.read(magic);
    if (found < magic.size()) {
        failData(file.path(),
                 fmt::format("cut short: {} bytes, not even a header{}", found, file.sizeNote()));
    }
    if (magic[0] != 0 || magic[1] != 0 || magic[2] != kUnsignedByteType || magic[3] == 0 ||
        magic[3] > kMaxDims) {
        failData(file.path(), fmt::format("is not an IDX file of bytes: it starts with {:02x}, "
                                          "expected 00 00 08 and 01 to {:02x}",
                                          fmt::join(magic, " "), kMaxDims));
    }
    Dims dims;
    for (int i = 0; i < magic[3]; ++i) {
        std::array<std::uint8_t, 4> size{};
        if (file.read(size) < size.size()) {
            failData(file.path(), "cut short inside its header" + file.sizeNote());
        }
        dims.push_back((std::int64_t{size[0]} << 24) | (size[1] << 16) | (size[2] << 8) | size[3]);
    }
    return dims;
}

/// Product of dims. Fails when the file cannot possibly hold that much, which also bounds the
/// allocation.
std::int64_t contentBytes(const DataFile& file, const Dims& dims) {
    std::int64_t bytes = 1;
    for (const std::int64_t dim : dims) {
        if (dim != 0 && bytes > file.mostBytes() / dim) {
            failData(file.path(), fmt::format("cut short or damaged: its header announces {} bytes "
                                              "of data, the file has {} bytes",
                                              fmt::join(dims, " x "), file.fileBytes()));
        }
        bytes *= dim;
    }
    return bytes;
}

struct ExpectedFile {
    const char* baseName;
    const char* content;  // for sentences
    Dims dims;            // 0: any
};

std::array<ExpectedFile, 4> expectedFiles(const IdxSet& set) {
    return {
        {{"train-images-idx3-ubyte", "training images", {set.trainSamples, set.height, set.width}},
         {"train-labels-idx1-ubyte", "training labels", {set.trainSamples}},
         {"t10k-images-idx3-ubyte", "test images", {set.testSamples, set.height, set.width}},
         {"t10k-labels-idx1-ubyte", "test labels", {set.testSamples}}}};
}

bool matches(const Dims& dims, const Dims& expected) {
    return std::equal(dims.begin(), dims.end(), expected.begin(), expected.end(),
                      [](std::int64_t found, std::int64_t wanted) {
                          return found > 0 && (wanted == 0 || found == wanted);
                      });
}

std::string dimsText(const Dims& dims) {
    std::vector<std::string> parts;
    for (const std::int64_t dim : dims) {
        parts.push_back(dim == 0 ? "any" : std::to_string(dim));
    }
    return join(parts, " x ");
}

/// Which of the four files has these dims: names a swap instead of leaving the user to guess.
std::string swapHint(const Dims& dims, const IdxSet& set) {
    for (const ExpectedFile& other : expectedFiles(set)) {
        if (matches(dims, other.dims) && set.trainSamples > 0) {
            return fmt::format("; these are the {}: the files were swapped", other.content);
        }
    }
    return "";
}

/// Whether an array is what the file should hold: an error, or nothing.
std::string checkContent(const ExpectedFile& expected, const IdxArray& array, const IdxSet& set) {
    if (!matches(array.dims, expected.dims)) {
        return fmt::format("holds {} bytes, expected {} ({}){}", fmt::join(array.dims, " x "),
                           dimsText(expected.dims), expected.content, swapHint(array.dims, set));
    }
    const auto wrong = expected.dims.size() > 1
                           ? array.bytes.end()
                           : std::find_if(array.bytes.begin(), array.bytes.end(),
                                          [&set](auto label) { return label >= set.classes; });
    if (wrong != array.bytes.end()) {
        return fmt::format("label {} of sample {}, allowed: 0 to {}", *wrong,
                           wrong - array.bytes.begin(), set.classes - 1);
    }
    return "";
}

}  // namespace

IdxArray readIdx(const fs::path& folder, const std::string& baseName) {
    DataFile file(folder, baseName);
    IdxArray array{.dims = readHeader(file), .bytes = {}};
    array.bytes.resize(static_cast<std::size_t>(contentBytes(file, array.dims)));
    file.readRest(array.bytes, 4 + 4 * array.dims.size());
    return array;
}

Dims readIdxDims(const fs::path& folder, const std::string& baseName) {
    DataFile file(folder, baseName);
    return readHeader(file);
}

std::vector<std::string> idxProblems(const fs::path& folder, const IdxSet& set) {
    std::vector<std::string> sentences;
    IdxSet known = set;  // what the files before this one have fixed
    for (std::size_t i = 0; i < 4; ++i) {
        const ExpectedFile expected = expectedFiles(known)[i];
        try {
            const IdxArray array = readIdx(folder, expected.baseName);
            const std::string problem = checkContent(expected, array, known);
            if (!problem.empty()) {
                sentences.push_back(dataPath(folder, expected.baseName).string() + ": " + problem);
                continue;
            }
            (i < 2 ? known.trainSamples : known.testSamples) = array.dims[0];
            if (array.dims.size() == 3) {
                known.height = array.dims[1];
                known.width = array.dims[2];
            }
        } catch (const Error& error) {
            sentences.emplace_back(error.what());
        }
    }
    return sentences;
}

}  // namespace concertina
