// SPDX-License-Identifier: Apache-2.0
#include "kernels/elias_fano.h"

#include <algorithm>

#include "kernels/sparse_faults.h"

namespace concertina::kernels {

KernelStatus cpu::packIndices(const std::int32_t* indices,
                              const EliasFano& form,
                              std::uint32_t* words,
                              Stream) {
    for (std::int64_t word = 0; word < form.lowWords(); ++word) {
        words[word] = lowWord(indices, form, word);
    }
    std::uint32_t* bitmap = words + form.lowWords();
    std::fill_n(bitmap, form.bitmapWords(), 0);
    for (std::int64_t j = 0; j < form.kept; ++j) {
        const std::int64_t place = bitmapPlace(form, indices[j], j);
        bitmap[place / 32] |= std::uint32_t{1} << (place % 32);
    }
    return {};
}

KernelStatus cpu::unpackIndices(
    const std::uint32_t* words, const EliasFano& form, int rank, std::int32_t* indices, Stream) {
    std::int64_t ones = 0;
    for (std::int64_t word = 0; word < form.bitmapWords(); ++word) {
        unpackBitmapWord(words, form, word, ones, indices);
        ones += __builtin_popcount(words[form.lowWords() + word]);
    }
    return ones == form.kept ? KernelStatus{}
                             : KernelStatus{false, bitmapFault(rank, ones, form.kept)};
}

}  // namespace concertina::kernels
