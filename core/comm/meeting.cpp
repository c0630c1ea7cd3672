// SPDX-License-Identifier: Apache-2.0
#include "core/comm/meeting.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "core/base/error.h"

namespace concertina {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

class Socket {
 public:
    Socket(const addrinfo& address, int type)
        : fd_(::socket(address.ai_family, type | SOCK_CLOEXEC, 0)) {
        if (fd_ < 0) {
            throw Error(ErrorKind::Machine,
                        std::string("cannot open a socket: ") + std::strerror(errno));
        }
    }
    ~Socket() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    int get() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }

 private:
    int fd_;
};

std::string nameOf(const MeetingPoint& point) {
    return "MASTER_ADDR " + point.address + ", MASTER_PORT " + std::to_string(point.port);
}

Addresses resolve(const MeetingPoint& point) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int failure =
        ::getaddrinfo(point.address.c_str(), std::to_string(point.port).c_str(), &hints, &found);
    if (failure != 0) {
        throw Error(ErrorKind::Usage, nameOf(point) + ": " + ::gai_strerror(failure) +
                                          "; expected the name or address of rank 0's machine");
    }
    return {found, &::freeaddrinfo};
}

int listenAt(const MeetingPoint& point) {
    const Addresses address = resolve(point);
    Socket socket(*address, SOCK_STREAM);
    const int on = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(socket.get(), address->ai_addr, address->ai_addrlen) != 0 ||
        ::listen(socket.get(), SOMAXCONN) != 0) {
        const bool elsewhere = errno == EADDRNOTAVAIL;
        throw Error(elsewhere ? ErrorKind::Usage : ErrorKind::Machine,
                    nameOf(point) + ": rank 0 cannot listen there: " + std::strerror(errno) +
                        (elsewhere ? "; MASTER_ADDR must be an address of rank 0's machine" : ""));
    }
    return socket.release();
}

}  // namespace

c10::intrusive_ptr<c10d::Store> meet(const MeetingPoint& point,
                                     bool isRankZero,
                                     std::chrono::milliseconds timeout) {
    c10d::TCPStoreOptions options;
    options.port = point.port;
    options.timeout = timeout;
    options.waitWorkers = false;
    options.isServer = isRankZero && !point.launcherListens;
    if (options.isServer) {
        options.masterListenFd = listenAt(point);  // the store closes it
    }
    return c10::make_intrusive<c10d::TCPStore>(point.address, options);
}

std::string addressTowards(const MeetingPoint& point) {
    const Addresses address = resolve(point);
    // Connecting a datagram socket sends nothing; it chooses the route.
    const Socket socket(*address, SOCK_DGRAM);
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    std::array<char, NI_MAXHOST> text{};
    if (::connect(socket.get(), address->ai_addr, address->ai_addrlen) != 0 ||
        ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &size) != 0 ||
        ::getnameinfo(reinterpret_cast<sockaddr*>(&own), size, text.data(), text.size(), nullptr, 0,
                      NI_NUMERICHOST) != 0) {
        throw Error(ErrorKind::Usage,
                    nameOf(point) + ": no way there from this machine: " + std::strerror(errno));
    }
    return text.data();
}

}  // namespace concertina
