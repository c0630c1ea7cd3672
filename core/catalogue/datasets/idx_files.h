// SPDX-License-Identifier: Apache-2.0
// IDX files (the format of MNIST): big-endian header, then bytes; plain or gzip. And what the data
// sets made of four of them share. Called by the catalogue before a run starts and by core/data on
// each rank, so that both read the same thing. No state, any thread.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"

namespace concertina {

struct IdxArray {
    std::vector<std::int64_t> dims;   // as in the header: (N) labels, (N, H, W) images
    std::vector<std::uint8_t> bytes;  // product of dims
};

/// `folder/baseName`, or `folder/baseName.gz` when there is no plain one. Throws Error(Usage) with
/// path, expected and found size when the file is absent, cut short, too long, damaged (gzip
/// checksum) or not an IDX file of bytes. Allocates no more than the file can hold.
IdxArray readIdx(const std::filesystem::path& folder, const std::string& baseName);

/// Only the dims of its header.
std::vector<std::int64_t> readIdxDims(const std::filesystem::path& folder,
                                      const std::string& baseName);

/// What the four files of a set must hold: train-images-idx3-ubyte, train-labels-idx1-ubyte,
/// t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte. 0 is any number, the same where it must be.
struct IdxSet {
    std::int64_t trainSamples = 0, testSamples = 0, height = 0, width = 0;
    std::int64_t classes = 10;
};

/// One sentence for each unusable file: absent, damaged, swapped, of another size, with a label out
/// of range.
std::vector<std::string> idxProblems(const std::filesystem::path& folder, const IdxSet& set);

}  // namespace concertina
