// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4, by OpenSSL): identifies specs and final weights. One object on one thread at
// a time.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace concertina {

/// Hashes what is handed over piece by piece. hex() may be called once, after the last piece.
class Sha256 {
 public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void update(std::span<const std::byte> bytes);
    /// 64 lower-case hex digits. REQUIRES: not called before.
    std::string hex();

 private:
    struct State;
    std::unique_ptr<State> state_;
};

std::string sha256Hex(std::span<const std::byte> bytes);
std::string sha256Hex(std::string_view text);

}  // namespace concertina
