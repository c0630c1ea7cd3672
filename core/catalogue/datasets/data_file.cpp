// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/data_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "core/base/error.h"

namespace concertina {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunkBytes = std::size_t{256} << 10;
constexpr std::int64_t kMaxDeflateRatio =
    1032;  // deflate cannot expand more: zlib's technical notes

bool startsAsGzip(std::span<const std::uint8_t> bytes) {
    return bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

std::int64_t sizeOf(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error)) {
        failData(file,
                 "no such file, neither plain nor as .gz; check data.path or install the data set");
    }
    if (!fs::is_regular_file(file, error)) {
        failData(file, "is not a file");
    }
    const auto bytes = fs::file_size(file, error);
    if (error) {
        failData(file, "cannot be read: " + error.message());
    }
    return static_cast<std::int64_t>(bytes);
}

}  // namespace

void failData(const fs::path& file, const std::string& sentence) {
    throw Error(ErrorKind::Usage, file.string() + ": " + sentence);
}

fs::path dataPath(const fs::path& folder, const std::string& baseName) {
    const fs::path plain = folder / baseName;
    const fs::path packed = folder / (baseName + ".gz");
    std::error_code ignored;
    return !fs::exists(plain, ignored) && fs::exists(packed, ignored) ? packed : plain;
}

DataFile::DataFile(const fs::path& folder, const std::string& baseName)
    : file_(dataPath(folder, baseName)),
      fileBytes_(sizeOf(file_)),
      stream_(file_, std::ios::binary),
      buffer_(kChunkBytes) {
    if (!stream_) {
        failData(file_, "cannot be opened; check its permissions");
    }
    refillInput();
    refuseWebPage();
    if (file_.extension() == ".gz") {
        startInflate();
    } else if (startsAsGzip(input_)) {
        failData(file_, "is gzip data: rename it to " + file_.filename().string() +
                            ".gz, or unpack it (an archive of several files: unpack it)");
    }
}

DataFile::~DataFile() = default;

std::size_t DataFile::read(std::span<std::uint8_t> target) {
    return inflate_ ? readInflated(target) : readPlain(target);
}

std::int64_t DataFile::mostBytes() const {
    return inflate_ ? fileBytes_ * kMaxDeflateRatio : fileBytes_;
}

std::string DataFile::sizeNote() const {
    return packed() ? fmt::format(" (the packed file has {} bytes)", fileBytes_) : "";
}

void DataFile::readRest(std::span<std::uint8_t> target, std::size_t before) {
    const std::size_t found = read(target);
    if (found < target.size()) {
        failData(file_,
                 fmt::format("cut short: expected {} bytes{}, found {}{}", before + target.size(),
                             packed() ? " unpacked" : "", before + found, sizeNote()));
    }
    expectEnd(before + target.size());
}

std::string DataFile::readText(std::size_t mostBytes) {
    std::string text;
    std::vector<std::uint8_t> chunk(kChunkBytes);
    for (std::size_t found = read(chunk); found > 0; found = read(chunk)) {
        if (text.size() + found > mostBytes) {
            failData(file_, fmt::format("too long: at most {} bytes{}", mostBytes, sizeNote()));
        }
        text.append(reinterpret_cast<const char*>(chunk.data()), found);
    }
    expectEnd(text.size());
    return text;
}

/// After the last byte there must be nothing more, and of gzip data the whole checksum.
void DataFile::expectEnd(std::size_t expectedBytes) {
    std::array<std::uint8_t, 1> extra{};
    if (read(extra) != 0) {
        failData(file_,
                 fmt::format("too long: expected {} bytes in all, there are more{}", expectedBytes,
                             packed() ? sizeNote() : fmt::format(" ({} bytes)", fileBytes_)));
    }
    if (inflate_ && !ended_) {
        failData(file_, "cut short inside its gzip data" + sizeNote());
    }
}

void DataFile::refillInput() {
    stream_.read(reinterpret_cast<char*>(buffer_.data()),
                 static_cast<std::streamsize>(buffer_.size()));
    if (stream_.bad()) {
        failData(file_, "reading failed");
    }
    input_ = std::span(buffer_).first(static_cast<std::size_t>(stream_.gcount()));
}

void DataFile::refuseWebPage() const {
    const auto* letters = reinterpret_cast<const char*>(input_.data());
    std::string_view start(letters, std::min<std::size_t>(input_.size(), 256));
    start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
    constexpr std::array<std::string_view, 6> kPages{"<!DOCTYPE", "<!doctype", "<html",
                                                     "<HTML",     "<head",     "<?xml"};
    if (std::any_of(kPages.begin(), kPages.end(),
                    [start](std::string_view page) { return start.starts_with(page); })) {
        failData(file_,
                 "is a web page, not data: a download was answered by an error page; fetch it "
                 "again");
    }
}

void DataFile::startInflate() {
    if (!startsAsGzip(input_)) {
        // An IDX file: 00 00, then its type.
        const bool unpacked =
            input_.size() >= 3 && input_[0] == 0 && input_[1] == 0 && input_[2] == 8;
        failData(file_, unpacked ? "is not gzip data, it is already unpacked: rename it without .gz"
                                 : fmt::format("is not gzip data ({} bytes)", fileBytes_));
    }
    inflate_.reset(new z_stream{});
    if (inflateInit2(inflate_.get(), 15 + 16) != Z_OK) {
        throw Error(ErrorKind::Machine, "zlib could not start: out of memory");
    }
}

std::size_t DataFile::readPlain(std::span<std::uint8_t> target) {
    std::size_t written = 0;
    while (written < target.size()) {
        if (input_.empty()) {
            refillInput();
            if (input_.empty()) {
                break;
            }
        }
        const std::size_t count = std::min(target.size() - written, input_.size());
        std::copy_n(input_.begin(), count, target.begin() + static_cast<std::ptrdiff_t>(written));
        input_ = input_.subspan(count);
        written += count;
    }
    return written;
}

std::size_t DataFile::readInflated(std::span<std::uint8_t> target) {
    std::size_t written = 0;
    while (written < target.size() && !ended_) {
        if (input_.empty()) {
            refillInput();
            if (input_.empty()) {
                break;  // cut short: the caller compares sizes
            }
        }
        const std::size_t room =
            std::min<std::size_t>(target.size() - written, std::numeric_limits<uInt>::max());
        inflate_->next_in = input_.data();
        inflate_->avail_in = static_cast<uInt>(input_.size());
        inflate_->next_out = target.data() + written;
        inflate_->avail_out = static_cast<uInt>(room);
        const int status = ::inflate(inflate_.get(), Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
            failData(file_, fmt::format("damaged gzip data after {} unpacked bytes; fetch it again",
                                        inflate_->total_out));
        }
        written += room - inflate_->avail_out;
        input_ = input_.last(inflate_->avail_in);
        ended_ = status == Z_STREAM_END;
    }
    refuseTrailingBytes();
    return written;
}

void DataFile::refuseTrailingBytes() {
    if (!ended_) {
        return;
    }
    if (input_.empty()) {
        refillInput();
    }
    if (!input_.empty()) {
        failData(file_,
                 fmt::format(
                     "holds more after the end of its gzip data ({} bytes in all); fetch it again",
                     fileBytes_));
    }
}

void DataFile::EndInflate::operator()(z_stream_s* stream) const {
    inflateEnd(stream);
    delete stream;
}

}  // namespace concertina
