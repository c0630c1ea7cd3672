// SPDX-License-Identifier: Apache-2.0
// Ascending indices in few bits: the form of Elias (1974) and Fano (1971), as in Vigna,
// "Quasi-succinct indices" (2013). Called by the TopK compressor on the communication thread, its
// sizes also by the catalogue's byte plan; any thread may, on buffers of its own.
//
// Why not gaps in a variable-length code (delta coding with Elias or Golomb): those come within
// about the same half a bit an index of the optimum log2(n choose k) / k, but their length depends
// on the indices, so sizes would have to be exchanged before every step, and each code starts where
// the one before it ends, so that one thread has to read them all. Here the size follows from n and
// k alone, and every word can be read by another thread.
#pragma once
#include <cstdint>

#include "kernels/host_device.h"
#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

/// `kept` of `count` indices in 32-bit words: the lowBits lower bits of each, packed, filled up to
/// a word; then a bitmap, filled up to a word, with one bit set for each index: that of position j
/// (ascending, from 0) at (index >> lowBits) + j. Bit 0 of a word is its lowest.
struct EliasFano {
    std::int64_t kept, count;
    int lowBits;

    CONCERTINA_HD std::int64_t lowWords() const { return (kept * lowBits + 31) / 32; }
    CONCERTINA_HD std::int64_t bitmapWords() const {
        return (kept + ((count - 1) >> lowBits) + 31) / 32;
    }
    CONCERTINA_HD std::int64_t bytes() const { return 4 * (lowWords() + bitmapWords()); }
};

/// lowBits = floor(log2(count / kept)): then the bitmap has at most two bits an index besides its
/// own. REQUIRES: 1 <= kept <= count <= 2^31 - 1 for packing; for sizes any count.
CONCERTINA_HD inline EliasFano eliasFanoOf(std::int64_t kept, std::int64_t count) {
    int lowBits = 0;
    while (kept <= count >> (lowBits + 1)) {
        ++lowBits;
    }
    return {kept, count, lowBits};
}

/// Word `word` of the packed lower bits.
CONCERTINA_HD inline std::uint32_t lowWord(const std::int32_t* indices,
                                           const EliasFano& form,
                                           std::int64_t word) {
    std::uint64_t bits = 0;
    const std::int64_t firstBit = 32 * word;
    const std::uint32_t mask = (std::uint32_t{1} << form.lowBits) - 1;
    for (std::int64_t j = firstBit / form.lowBits;
         j < form.kept && j * form.lowBits < firstBit + 32; ++j) {
        const std::uint64_t low = static_cast<std::uint32_t>(indices[j]) & mask;
        const std::int64_t place = j * form.lowBits - firstBit;  // negative: began a word earlier
        bits |= place < 0 ? low >> -place : low << place;
    }
    return static_cast<std::uint32_t>(bits);
}

CONCERTINA_HD inline std::uint32_t lowBitsOf(const std::uint32_t* words,
                                             const EliasFano& form,
                                             std::int64_t position) {
    if (form.lowBits == 0) {
        return 0;
    }
    const std::int64_t firstBit = position * form.lowBits;
    const std::int64_t word = firstBit / 32;
    const auto shift = static_cast<int>(firstBit % 32);
    std::uint64_t pair = words[word];
    if (shift + form.lowBits > 32) {
        pair |= std::uint64_t{words[word + 1]} << 32;
    }
    return static_cast<std::uint32_t>(pair >> shift) & ((std::uint32_t{1} << form.lowBits) - 1);
}

/// Where the bit of an index is in the bitmap.
CONCERTINA_HD inline std::int64_t bitmapPlace(const EliasFano& form,
                                              std::int32_t index,
                                              std::int64_t position) {
    return (index >> form.lowBits) + position;
}

/// The indices whose bits are in bitmap word `word`, in front of which `ones` bits are set, to
/// their places; none beyond the `kept` places. A bit too far out (a corrupted payload) gives -1.
CONCERTINA_HD inline void unpackBitmapWord(const std::uint32_t* words,
                                           const EliasFano& form,
                                           std::int64_t word,
                                           std::int64_t ones,
                                           std::int32_t* indices) {
    std::uint32_t bits = words[form.lowWords() + word];
    for (std::int64_t place = 32 * word; bits != 0 && ones < form.kept; ++place, bits >>= 1) {
        if ((bits & 1) != 0) {
            const std::int64_t index =
                ((place - ones) << form.lowBits) | lowBitsOf(words, form, ones);
            indices[ones++] = index <= INT32_MAX ? static_cast<std::int32_t>(index) : -1;
        }
    }
}

/// Writes all form.bytes() of `words`. REQUIRES: kept ascending indices in 0..count-1.
namespace cpu {
KernelStatus packIndices(const std::int32_t* indices,
                         const EliasFano& form,
                         std::uint32_t* words,
                         Stream stream);
KernelStatus unpackIndices(const std::uint32_t* words,
                           const EliasFano& form,
                           int rank,
                           std::int32_t* indices,
                           Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus packIndices(const std::int32_t* indices,
                         const EliasFano& form,
                         std::uint32_t* words,
                         Stream stream);
KernelStatus unpackIndices(const std::uint32_t* words,
                           const EliasFano& form,
                           int rank,
                           std::int32_t* indices,
                           Stream stream);
}  // namespace cuda

inline KernelStatus packIndices(const std::int32_t* indices,
                                const EliasFano& form,
                                std::uint32_t* words,
                                Stream stream) {
    return stream.cuda ? cuda::packIndices(indices, form, words, stream)
                       : cpu::packIndices(indices, form, words, stream);
}

/// The `kept` indices. A bitmap with another number of bits set (a corrupted payload) gives a
/// status that names `rank`; what else may be wrong, scatterMean (sparse_lists.h) finds: indices
/// that do not ascend or lie outside the tensor. CUDA: waits for the stream, because the status is
/// returned.
inline KernelStatus unpackIndices(const std::uint32_t* words,
                                  const EliasFano& form,
                                  int rank,
                                  std::int32_t* indices,
                                  Stream stream) {
    return stream.cuda ? cuda::unpackIndices(words, form, rank, indices, stream)
                       : cpu::unpackIndices(words, form, rank, indices, stream);
}

}  // namespace concertina::kernels
