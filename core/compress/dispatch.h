// SPDX-License-Identifier: Apache-2.0
// Between tensors and kernels, for compressors and the pipeline: where a tensor's kernels run, and
// how a bad status becomes an Error. Communication thread; any thread may.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "core/base/error.h"
#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina {

/// The stream torch currently uses on the tensor's device. Through the generic guard, so that
/// nothing of CUDA is linked.
inline kernels::Stream streamOf(const at::Tensor& tensor) {
    if (!tensor.is_cuda()) {
        return {};
    }
    const c10::impl::VirtualGuardImpl guard(tensor.device().type());
    return {true, guard.getStream(tensor.device()).native_handle()};
}

inline void check(const kernels::KernelStatus& status) {
    if (!status.ok) {
        throw Error(ErrorKind::Machine, status.message);
    }
}

/// fp32 values of a contiguous payload. REQUIRES: 4-byte aligned.
inline float* floatsOf(const at::Tensor& bytes) { return static_cast<float*>(bytes.data_ptr()); }

}  // namespace concertina
