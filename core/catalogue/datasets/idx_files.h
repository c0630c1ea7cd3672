// SPDX-License-Identifier: Apache-2.0
// IDX files (the format of MNIST): big-endian header, then bytes; plain or gzip. Called by the
// catalogue before a run starts and by core/data on each rank, so that both read the same thing. No
// state, any thread.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace concertina {

struct IdxArray {
    std::vector<std::int64_t> dims;   // as in the header: (N) labels, (N, H, W) images
    std::vector<std::uint8_t> bytes;  // product of dims
};

/// `folder/baseName`, or `folder/baseName.gz` when there is no plain one. Throws Error(Usage) with
/// path, expected and found size when the file is absent, cut short, too long, damaged (gzip
/// checksum) or not an IDX file of bytes. Allocates no more than the file can hold.
IdxArray readIdx(const std::filesystem::path& folder, const std::string& baseName);

/// The file readIdx takes: the plain one, the .gz one, or the plain one's path when neither exists.
std::filesystem::path idxPath(const std::filesystem::path& folder, const std::string& baseName);

}  // namespace concertina
