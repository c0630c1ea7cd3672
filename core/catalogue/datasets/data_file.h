// SPDX-License-Identifier: Apache-2.0
// DataFile: the bytes of one file of a data set, plain or gzip, with words for what is wrong with
// it. Readers of every format go through it, in the catalogue before a run starts and on each rank.
// One object on one thread at a time.
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct z_stream_s;

namespace concertina {

/// Throws Error(Usage) "FILE: sentence".
[[noreturn]] void failData(const std::filesystem::path& file, const std::string& sentence);

/// `folder/baseName`, or `folder/baseName.gz` when only that exists.
std::filesystem::path dataPath(const std::filesystem::path& folder, const std::string& baseName);

class DataFile {
 public:
    /// Throws Error(Usage) when there is no such file (plain or .gz), when it cannot be read, when
    /// it is a web page, and when what is in it and the ending .gz do not go together.
    DataFile(const std::filesystem::path& folder, const std::string& baseName);
    ~DataFile();

    /// Fills `target` as far as the file goes; the number of bytes written.
    std::size_t read(std::span<std::uint8_t> target);
    /// Fills `target` with all that is left after the first `before` bytes. Throws Error(Usage)
    /// with expected and found size when it is shorter or longer, or lacks part of its checksum.
    void readRest(std::span<std::uint8_t> target, std::size_t before);
    /// All that is left. Throws Error(Usage) beyond `mostBytes`.
    std::string readText(std::size_t mostBytes);

    /// How much the file could hold once unpacked.
    std::int64_t mostBytes() const;
    std::int64_t fileBytes() const { return fileBytes_; }
    bool packed() const { return inflate_ != nullptr; }
    const std::filesystem::path& path() const { return file_; }
    /// " (the packed file has 123 bytes)", or nothing for a plain one.
    std::string sizeNote() const;

 private:
    void refillInput();
    void refuseWebPage() const;
    void startInflate();
    std::size_t readPlain(std::span<std::uint8_t> target);
    std::size_t readInflated(std::span<std::uint8_t> target);
    void refuseTrailingBytes();
    void expectEnd(std::size_t expectedBytes);

    struct EndInflate {
        void operator()(z_stream_s* stream) const;
    };

    std::filesystem::path file_;
    std::int64_t fileBytes_ = 0;
    std::ifstream stream_;
    std::vector<std::uint8_t> buffer_;
    std::span<std::uint8_t> input_;  // read from the file, not yet handed on
    std::unique_ptr<z_stream_s, EndInflate> inflate_;
    bool ended_ = false;
};

}  // namespace concertina
