// SPDX-License-Identifier: Apache-2.0
// The binary CIFAR files (Krizhevsky 2009): records of one or two label bytes, then 1024 red, 1024
// green and 1024 blue bytes of a 32x32 image, row by row. Called by the catalogue before a run
// starts and by core/data on each rank. No state, any thread.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace concertina {

constexpr std::int64_t kCifarPixels = std::int64_t{3} * 32 * 32;

/// Which files make a set. The last label byte of a record is the class; one before it is coarser.
struct CifarSet {
    std::vector<std::string> trainFiles;
    std::string testFile;
    std::int64_t trainFileSamples, testSamples;
    std::vector<std::int64_t> labelClasses;  // of each label byte
    std::int64_t recordBytes() const {
        return static_cast<std::int64_t>(labelClasses.size()) + kCifarPixels;
    }
};
CifarSet cifar10Files();
CifarSet cifar100Files();

struct CifarImages {
    std::vector<std::uint8_t> pixels;  // (N, 3, 32, 32)
    std::vector<std::uint8_t> labels;  // (N)
};

/// Throws Error(Usage) naming the file when it is absent, of another size than the format's, or
/// holds a label out of range.
CifarImages readCifar(const std::filesystem::path& folder,
                      const CifarSet& set,
                      const std::vector<std::string>& files);

/// One sentence for each unusable file; then whether each class is as frequent as it should be,
/// which finds a test file in the place of a training file.
std::vector<std::string> cifarProblems(const std::filesystem::path& folder, const CifarSet& set);

}  // namespace concertina
