// SPDX-License-Identifier: Apache-2.0
#include "core/launch/rank_board.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "core/base/error.h"

namespace concertina {
namespace {

static_assert(std::atomic<std::int64_t>::is_always_lock_free,
              "a lock would be private to one process");
static_assert(std::atomic<double>::is_always_lock_free, "a lock would be private to one process");
static_assert(std::atomic<RankPhase>::is_always_lock_free,
              "a lock would be private to one process");

BoardLayout* map(int fd, int flags) {
    void* address = ::mmap(nullptr, sizeof(BoardLayout), PROT_READ | PROT_WRITE, flags, fd, 0);
    if (address == MAP_FAILED) {
        const std::string why = std::strerror(errno);
        if (fd >= 0) {
            ::close(fd);
        }
        throw Error(ErrorKind::Machine,
                    "cannot map the shared memory between supervisor and ranks: " + why);
    }
    return static_cast<BoardLayout*>(address);
}

}  // namespace

const char* toText(RankPhase phase) {
    switch (phase) {
        case RankPhase::Starting:
            return "starting";
        case RankPhase::Joining:
            return "joining";
        case RankPhase::Loading:
            return "loading";
        case RankPhase::Training:
            return "training";
        case RankPhase::Evaluating:
            return "evaluating";
        case RankPhase::Finishing:
            return "finishing";
        case RankPhase::Done:
            return "done";
    }
    return "unknown";
}

RankBoard RankBoard::create() {
    const int fd = ::memfd_create("concertina-board", MFD_ALLOW_SEALING);
    if (fd < 0) {
        throw Error(ErrorKind::Machine,
                    std::string("cannot create the shared memory between supervisor and ranks: ") +
                        std::strerror(errno));
    }
    // Sealed, so that no rank can shrink the file under the others (which would be SIGBUS for
    // them).
    if (::ftruncate(fd, sizeof(BoardLayout)) != 0 ||
        ::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
        const std::string why = std::strerror(errno);
        ::close(fd);
        throw Error(ErrorKind::Machine,
                    "cannot size the shared memory between supervisor and ranks: " + why);
    }
    return {fd, new (map(fd, MAP_SHARED)) BoardLayout{}};
}

RankBoard RankBoard::open(int fd) {
    struct stat info {};
    if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size != sizeof(BoardLayout)) {
        throw Error(ErrorKind::Usage, "--board-fd " + std::to_string(fd) +
                                          ": not the board of a supervisor of this version (ranks "
                                          "are started by `concertina run`)");
    }
    return {fd, map(fd, MAP_SHARED)};
}

RankBoard RankBoard::priv() {
    return {-1, new (map(-1, MAP_PRIVATE | MAP_ANONYMOUS)) BoardLayout{}};
}

RankBoard::RankBoard(RankBoard&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), layout_(std::exchange(other.layout_, nullptr)) {}

RankBoard::~RankBoard() {
    if (layout_ != nullptr) {
        ::munmap(layout_, sizeof(BoardLayout));
    }
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

std::int64_t steadyNowNs() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace concertina
