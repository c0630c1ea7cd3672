// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/datasets/idx_files.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include "core/base/error.h"

namespace concertina {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunkBytes = std::size_t{256} << 10;
constexpr int kMaxDims = 4;
constexpr std::uint8_t kUnsignedByteType = 8;
constexpr std::int64_t kMaxDeflateRatio =
    1032;  // deflate cannot expand more: zlib's technical notes

[[noreturn]] void fail(const fs::path& file, const std::string& sentence) {
    throw Error(ErrorKind::Usage, file.string() + ": " + sentence);
}

/// The bytes of a plain or gzip file, in order.
class Source {
 public:
    explicit Source(const fs::path& file)
        : file_(file), fileBytes_(sizeOf(file)), stream_(file, std::ios::binary) {
        if (!stream_) {
            fail(file_, "cannot be opened; check its permissions");
        }
        refillInput();
        refuseWebPage();
        if (file_.extension() == ".gz") {
            startInflate();
        }
    }

    /// Fills `target` as far as the file goes; the number of bytes written.
    std::size_t read(std::span<std::uint8_t> target) {
        return inflate_ ? readInflated(target) : readPlain(target);
    }

    /// Whether the end was reached where it should be: a gzip file may also lack part of its
    /// checksum.
    bool complete() const { return !inflate_ || ended_; }

    /// How much the file could hold once unpacked.
    std::int64_t mostBytes() const { return inflate_ ? fileBytes_ * kMaxDeflateRatio : fileBytes_; }

    std::int64_t fileBytes() const { return fileBytes_; }
    bool packed() const { return inflate_ != nullptr; }
    const fs::path& file() const { return file_; }

 private:
    static std::int64_t sizeOf(const fs::path& file) {
        std::error_code error;
        const auto bytes = fs::file_size(file, error);
        if (error) {
            fail(file, "cannot be read: " + error.message());
        }
        return static_cast<std::int64_t>(bytes);
    }

    void refillInput() {
        stream_.read(reinterpret_cast<char*>(buffer_.data()),
                     static_cast<std::streamsize>(buffer_.size()));
        if (stream_.bad()) {
            fail(file_, "reading failed");
        }
        input_ = std::span(buffer_).first(static_cast<std::size_t>(stream_.gcount()));
    }

    void refuseWebPage() const {
        const auto* letters = reinterpret_cast<const char*>(input_.data());
        std::string_view start(letters, std::min<std::size_t>(input_.size(), 256));
        start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
        if (start.starts_with("<!") || start.starts_with("<h") || start.starts_with("<H") ||
            start.starts_with("<?")) {
            fail(file_,
                 "is a web page, not data: a download was answered by an error page; fetch it "
                 "again");
        }
    }

    void startInflate() {
        if (input_.size() < 2 || input_[0] != 0x1f || input_[1] != 0x8b) {
            const bool unpacked = input_.size() >= 3 && input_[0] == 0 && input_[1] == 0 &&
                                  input_[2] == kUnsignedByteType;
            fail(file_, unpacked ? "is not gzip data, it is already unpacked: rename it without .gz"
                                 : fmt::format("is not gzip data ({} bytes)", fileBytes_));
        }
        inflate_.reset(new z_stream{});
        if (inflateInit2(inflate_.get(), 15 + 16) != Z_OK) {
            throw Error(ErrorKind::Machine, "zlib could not start: out of memory");
        }
    }

    std::size_t readPlain(std::span<std::uint8_t> target) {
        std::size_t written = 0;
        while (written < target.size()) {
            if (input_.empty()) {
                refillInput();
                if (input_.empty()) {
                    break;
                }
            }
            const std::size_t count = std::min(target.size() - written, input_.size());
            std::copy_n(input_.begin(), count,
                        target.begin() + static_cast<std::ptrdiff_t>(written));
            input_ = input_.subspan(count);
            written += count;
        }
        return written;
    }

    std::size_t readInflated(std::span<std::uint8_t> target) {
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
                fail(file_, fmt::format("damaged gzip data after {} unpacked bytes; fetch it again",
                                        inflate_->total_out));
            }
            written += room - inflate_->avail_out;
            input_ = input_.last(inflate_->avail_in);
            ended_ = status == Z_STREAM_END;
        }
        refuseTrailingBytes();
        return written;
    }

    void refuseTrailingBytes() {
        if (!ended_) {
            return;
        }
        if (input_.empty()) {
            refillInput();
        }
        if (!input_.empty()) {
            fail(file_,
                 fmt::format(
                     "holds more after the end of its gzip data ({} bytes in all); fetch it again",
                     fileBytes_));
        }
    }

    struct EndInflate {
        void operator()(z_stream* stream) const {
            inflateEnd(stream);
            delete stream;
        }
    };

    fs::path file_;
    std::int64_t fileBytes_;
    std::ifstream stream_;
    std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(kChunkBytes);
    std::span<std::uint8_t> input_;  // read from the file, not yet handed on
    std::unique_ptr<z_stream, EndInflate> inflate_;
    bool ended_ = false;
};

std::string sizeNote(const Source& source) {
    return source.packed() ? fmt::format(" (the packed file has {} bytes)", source.fileBytes())
                           : "";
}

std::vector<std::int64_t> readHeader(Source& source) {
    std::array<std::uint8_t, 4> magic{};
    const std::size_t found = source.read(magic);
    if (found < magic.size()) {
        fail(source.file(),
             fmt::format("cut short: {} bytes, not even a header{}", found, sizeNote(source)));
    }
    if (magic[0] != 0 || magic[1] != 0 || magic[2] != kUnsignedByteType || magic[3] == 0 ||
        magic[3] > kMaxDims) {
        fail(source.file(), fmt::format("is not an IDX file of bytes: it starts with {:02x}, "
                                        "expected 00 00 08 and 01 to {:02x}",
                                        fmt::join(magic, " "), kMaxDims));
    }
    std::vector<std::int64_t> dims;
    for (int i = 0; i < magic[3]; ++i) {
        std::array<std::uint8_t, 4> size{};
        if (source.read(size) < size.size()) {
            fail(source.file(), "cut short inside its header" + sizeNote(source));
        }
        dims.push_back((std::int64_t{size[0]} << 24) | (size[1] << 16) | (size[2] << 8) | size[3]);
    }
    return dims;
}

/// Product of dims. Fails when the file cannot possibly hold that much, which also bounds the
/// allocation.
std::int64_t contentBytes(const Source& source, const std::vector<std::int64_t>& dims) {
    std::int64_t bytes = 1;
    for (const std::int64_t dim : dims) {
        if (dim != 0 && bytes > source.mostBytes() / dim) {
            fail(source.file(), fmt::format("cut short or damaged: its header announces {} bytes "
                                            "of data, the file has {} bytes",
                                            fmt::join(dims, " x "), source.fileBytes()));
        }
        bytes *= dim;
    }
    return bytes;
}

/// After the last byte there must be nothing more, and of gzip data the whole checksum.
void checkEnd(Source& source, std::size_t expectedBytes) {
    std::array<std::uint8_t, 1> extra{};
    if (source.read(extra) != 0) {
        fail(source.file(),
             fmt::format("too long: its header announces {} bytes in all, there are more{}",
                         expectedBytes,
                         source.packed() ? sizeNote(source)
                                         : fmt::format(" ({} bytes)", source.fileBytes())));
    }
    if (!source.complete()) {
        fail(source.file(), "cut short inside its gzip checksum" + sizeNote(source));
    }
}

}  // namespace

fs::path idxPath(const fs::path& folder, const std::string& baseName) {
    const fs::path plain = folder / baseName;
    const fs::path packed = folder / (baseName + ".gz");
    std::error_code ignored;
    return !fs::exists(plain, ignored) && fs::exists(packed, ignored) ? packed : plain;
}

IdxArray readIdx(const fs::path& folder, const std::string& baseName) {
    const fs::path file = idxPath(folder, baseName);
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
        fail(file,
             "no such file, neither plain nor as .gz; check data.path or install the data set");
    }
    if (!fs::is_regular_file(file, ignored)) {
        fail(file, "is not a file");
    }
    Source source(file);
    IdxArray array{.dims = readHeader(source), .bytes = {}};
    array.bytes.resize(static_cast<std::size_t>(contentBytes(source, array.dims)));
    const std::size_t headerBytes = 4 + 4 * array.dims.size();
    const std::size_t found = source.read(array.bytes);
    if (found < array.bytes.size()) {
        fail(file, fmt::format("cut short: expected {} bytes{}, found {}{}",
                               headerBytes + array.bytes.size(), source.packed() ? " unpacked" : "",
                               headerBytes + found, sizeNote(source)));
    }
    checkEnd(source, headerBytes + array.bytes.size());
    return array;
}

}  // namespace concertina
