// SPDX-License-Identifier: Apache-2.0
// Messages of variable size as the kernels of select.h write them, between those kernels and the
// compressors that send them (threshold, adacomp, variance, dgc, and
// atomo with the basis of entries). Communication thread.
//
// A message is k indices (int32, ascending), then k values (fp32): 8 k bytes. Where that is not
// less than 4 n it is all n values instead, and the residual is empty: the length alone tells
// which, and no message is longer than the dense gradient.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/compress/compressor.h"
#include "kernels/sparse_lists.h"

namespace concertina {

/// The list that is in the first `writtenBytes` of `message`, a message of `rank` about
/// `count` elements; an Error where it can be none.
kernels::SparseList sparseListOf(const void* message,
                                 std::int64_t writtenBytes,
                                 std::int64_t count,
                                 int rank);

/// decode(): the mean of the messages of all ranks becomes work.output.
void decodeSparseMessages(LayerWork& work, const at::Tensor& combined);

}  // namespace concertina
