// SPDX-License-Identifier: Apache-2.0
#include "core/base/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "core/base/check.h"

namespace concertina {

struct Sha256::State {
    struct Free {
        void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    };
    std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
    bool finished = false;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
    CONCERTINA_CHECK(state_->context != nullptr &&
                         EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) == 1,
                     "OpenSSL offers no SHA-256");
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
    CONCERTINA_CHECK(!state_->finished, "update() after hex()");
    CONCERTINA_CHECK(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1,
                     "EVP_DigestUpdate");
}

std::string Sha256::hex() {
    CONCERTINA_CHECK(!state_->finished, "hex() called twice");
    state_->finished = true;
    std::array<unsigned char, 32> digest{};
    CONCERTINA_CHECK(EVP_DigestFinal_ex(state_->context.get(), digest.data(), nullptr) == 1,
                     "EVP_DigestFinal_ex");
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string sha256Hex(std::span<const std::byte> bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.hex();
}

std::string sha256Hex(std::string_view text) { return sha256Hex(std::as_bytes(std::span(text))); }

}  // namespace concertina
