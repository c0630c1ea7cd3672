// SPDX-License-Identifier: Apache-2.0
#include "core/base/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/base/error.h"

namespace concertina {
namespace {

[[noreturn]] void fail(const std::string& what, const std::filesystem::path& file, int error) {
    throw Error(ErrorKind::Machine, what + " " + file.string() + ": " + std::strerror(error));
}

/// 0, or what went wrong.
int writeAll(int fd, std::span<const std::byte> bytes) {
    constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), std::min(bytes.size(), kMostAtOnce));
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return errno;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return ::fsync(fd) == 0 ? 0 : errno;
}

}  // namespace

void writeDurably(const std::filesystem::path& file, std::span<const std::byte> bytes) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) {
        fail("cannot write", file, errno);
    }
    int error = writeAll(fd, bytes);
    if (::close(fd) != 0 && error == 0) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(file.c_str());
        fail("cannot write", file, error);
    }
}

void writeDurably(const std::filesystem::path& file, std::string_view text) {
    writeDurably(file, std::as_bytes(std::span(text.data(), text.size())));
}

void flushFolder(const std::filesystem::path& folder) {
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool flushed = fd >= 0 && ::fsync(fd) == 0;
    const int error = errno;
    if (fd >= 0) {
        ::close(fd);
    }
    if (!flushed) {
        fail("cannot flush", folder, error);
    }
}

std::string readWhole(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), {});
    if (!stream.is_open() || stream.bad()) {
        fail("cannot read", file, errno);
    }
    return text;
}

}  // namespace concertina
