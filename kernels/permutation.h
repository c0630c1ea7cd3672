// SPDX-License-Identifier: Apache-2.0
// A random order of 0..count-1 of which any element is known without the others: a Feistel network
// (Luby, Rackoff 1988) on the fewest bits (10 at the least) that hold `count` numbers, walked on
// along its cycle while it points outside (Black, Rogaway, "Ciphers with arbitrary finite domains",
// CT-RSA 2002). A pure function of the index, so draws without replacement need no memory and no
// order, and are the same on host and device. Any thread.
#pragma once
#include <cstdint>

#include "kernels/host_device.h"
#include "kernels/philox.h"

namespace concertina::kernels {

/// A bijection of numbers of lowBits bits and the bits of highMask above them.
struct FeistelNetwork {
    // Four rounds make a network a pseudo-random permutation if each is a pseudo-random function
    // (Luby, Rackoff); these are hashes of small halves, so twice that.
    static constexpr int kRounds = 8;

    unsigned lowBits;
    std::uint32_t lowMask, highMask, keys[kRounds];

    /// The finalizer of MurmurHash3 (Appleby 2011): every bit depends on every bit.
    CONCERTINA_HD static std::uint32_t mixed(std::uint32_t half, std::uint32_t key) {
        std::uint32_t hash = half ^ key;
        hash = (hash ^ hash >> 16) * 0x85EBCA6BU;
        hash = (hash ^ hash >> 13) * 0xC2B2AE35U;
        return hash ^ hash >> 16;
    }

    CONCERTINA_HD std::uint64_t encipher(std::uint64_t number) const {
        auto low = static_cast<std::uint32_t>(number & lowMask);
        auto high = static_cast<std::uint32_t>(number >> lowBits);
        for (int round = 0; round < kRounds; round += 2) {
            high ^= mixed(low, keys[round]) & highMask;
            low ^= mixed(high, keys[round + 1]) & lowMask;
        }
        return static_cast<std::uint64_t>(high) << lowBits | low;
    }
};

class RandomPermutation {
 public:
    /// REQUIRES: 1 <= count <= 2^62.
    CONCERTINA_HD RandomPermutation(std::uint64_t count, const PhiloxStream& stream)
        : count_(count) {
        unsigned bits = kFewestBits;
        while (std::uint64_t{1} << bits < count) {
            ++bits;
        }
        network_.lowBits = (bits + 1) / 2;
        network_.lowMask = maskOf(network_.lowBits);
        network_.highMask = maskOf(bits / 2);
        for (int round = 0; round < FeistelNetwork::kRounds; ++round) {
            network_.keys[round] = stream.word(static_cast<std::uint64_t>(round));
        }
    }

    /// Where element `index` < count goes. From 512 elements on a walk takes fewer than two steps
    /// on the average, because at least half of the network's numbers are inside.
    CONCERTINA_HD std::uint64_t at(std::uint64_t index) const {
        do {
            index = network_.encipher(index);
        } while (index >= count_);
        return index;
    }

    /// For whoever walks many at once.
    CONCERTINA_HD const FeistelNetwork& network() const { return network_; }

 private:
    // A network on a few bits has too few different rounds to be random: of 8 numbers some pairs
    // came out a seventh more often than others. All walks of a small set together are 2^10 steps.
    static constexpr unsigned kFewestBits = 10;

    CONCERTINA_HD static std::uint32_t maskOf(unsigned bits) {
        return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
    }

    std::uint64_t count_;
    FeistelNetwork network_;
};

}  // namespace concertina::kernels
