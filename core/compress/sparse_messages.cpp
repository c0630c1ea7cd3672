// SPDX-License-Identifier: Apache-2.0
#include "core/compress/sparse_messages.h"

#include <vector>

#include "core/compress/dispatch.h"

namespace concertina {

kernels::SparseList sparseListOf(const void* message,
                                 std::int64_t writtenBytes,
                                 std::int64_t count,
                                 int rank) {
    kernels::SparseList list{};
    check(kernels::readSparseMessage(message, writtenBytes, count, rank, list));
    return list;
}

void decodeSparseMessages(LayerWork& work, const at::Tensor& combined) {
    std::vector<kernels::SparseList> lists;
    for (const std::int64_t bytes : work.rowBytes) {
        const auto rank = static_cast<int>(lists.size());
        lists.push_back(
            sparseListOf(combined[rank].const_data_ptr(), bytes, work.output.numel(), rank));
    }
    check(kernels::scatterMean(lists.data(), static_cast<int>(lists.size()),
                               work.output.mutable_data_ptr<float>(), work.output.numel(),
                               streamOf(work.output)));
}

}  // namespace concertina
