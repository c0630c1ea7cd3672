// SPDX-License-Identifier: Apache-2.0
// Small data sets in their true formats, for tests of readers and loaders.
#pragma once
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace concertina {

inline void writeFile(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

/// An IDX file of bytes, all of them `fill`.
inline std::string idxOf(const std::vector<std::uint32_t>& dims, char fill = 0) {
    std::string bytes{0, 0, 8, static_cast<char>(dims.size())};
    std::size_t content = 1;
    for (const std::uint32_t dim : dims) {
        for (const int shift : {24, 16, 8, 0}) {
            bytes += static_cast<char>((dim >> static_cast<unsigned>(shift)) & 0xffU);
        }
        content *= dim;
    }
    return bytes + std::string(content, fill);
}

inline std::string gzipOf(const std::string& bytes) {
    z_stream stream{};
    deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// A CIFAR file of black images: classes 0, 1, ... in turn, label bytes before the last all 0.
inline void writeCifar(const std::filesystem::path& file,
                       std::int64_t samples,
                       std::int64_t labelBytes,
                       std::int64_t classes) {
    const std::int64_t record = labelBytes + 3072;
    std::string bytes(static_cast<std::size_t>(samples * record), '\0');
    for (std::int64_t i = 0; i < samples; ++i) {
        bytes[static_cast<std::size_t>(i * record + labelBytes - 1)] =
            static_cast<char>(i % classes);
    }
    std::filesystem::remove(file);
    writeFile(file, bytes);
}

/// All six files are one, which takes a sixth of the time: change them by patchFile only.
inline void writeCifar10(const std::filesystem::path& folder) {
    writeCifar(folder / "data_batch_1.bin", 10000, 1, 10);
    for (const char* name : {"data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                             "data_batch_5.bin", "test_batch.bin"}) {
        std::filesystem::remove(folder / name);
        std::filesystem::create_hard_link(folder / "data_batch_1.bin", folder / name);
    }
}

inline void writeCifar100(const std::filesystem::path& folder) {
    writeCifar(folder / "train.bin", 50000, 2, 100);
    writeCifar(folder / "test.bin", 10000, 2, 100);
}

/// The file becomes one of its own, without links.
inline void unlinkFile(const std::filesystem::path& file) {
    const std::filesystem::path copy = file.string() + ".copy";
    std::filesystem::copy_file(file, copy);
    std::filesystem::rename(copy, file);
}

/// The bytes at `offset` of a file are replaced.
inline void patchFile(const std::filesystem::path& file,
                      std::int64_t offset,
                      const std::string& bytes) {
    unlinkFile(file);
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(offset);
    stream << bytes;
}

}  // namespace concertina
