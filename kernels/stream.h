// SPDX-License-Identifier: Apache-2.0
// Stream: where a kernel runs. Callers make one from the device of their buffers and pass it to
// every operation; all pointers of a call are memory of that device. CPU operations have ended when
// they return; CUDA operations are queued on `handle`, unless their comment says that they wait.
#pragma once

namespace concertina::kernels {

struct Stream {
    bool cuda = false;
    void* handle = nullptr;  // cudaStream_t; null is the default stream
};

}  // namespace concertina::kernels
