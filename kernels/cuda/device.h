// SPDX-License-Identifier: Apache-2.0
// What every CUDA kernel file needs: statuses of CUDA's errors, scratch memory ordered on a stream,
// sums over a block in a fixed order. Included by kernels/cuda/*.cu only.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels::cuda {

constexpr int kThreads = 256;

inline cudaStream_t handleOf(Stream stream) { return static_cast<cudaStream_t>(stream.handle); }

inline KernelStatus statusOf(cudaError_t error) {
    if (error == cudaSuccess) {
        return {};
    }
    return {false, std::string("CUDA: ") + cudaGetErrorString(error)};
}

/// Of the launches since the last call; what they do when they run shows at the next wait.
inline KernelStatus launched() { return statusOf(cudaGetLastError()); }

/// Enough blocks of kThreads for one thread per element; REQUIRES: count > 0.
inline unsigned blocksFor(std::int64_t count) {
    return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

/// `count` values of T, or one where that is 0 (CUDA allots no nothing), freed in stream order.
/// data() is null, and status() says why, when there was no memory.
template <typename T>
class Scratch {
 public:
    Scratch(std::int64_t count, Stream stream)
        : stream_(handleOf(stream)),
          status_(statusOf(cudaMallocAsync(&data_, (count > 0 ? count : 1) * sizeof(T), stream_))) {
    }
    ~Scratch() {
        if (data_) {
            cudaFreeAsync(data_, stream_);
        }
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    T* data() const { return static_cast<T*>(data_); }
    const KernelStatus& status() const { return status_; }

 private:
    void* data_ = nullptr;
    cudaStream_t stream_;
    KernelStatus status_;
};

/// Copies one value to the host and waits for the stream.
template <typename T>
KernelStatus fetch(const T* from, T& to, Stream stream) {
    const cudaStream_t handle = handleOf(stream);
    const cudaError_t error = cudaMemcpyAsync(&to, from, sizeof(T), cudaMemcpyDeviceToHost, handle);
    return statusOf(error != cudaSuccess ? error : cudaStreamSynchronize(handle));
}

/// `value` of all threads of a block of kThreads combined, to all of them: halves with halves, so
/// that the order never varies. Every thread of the block must call it.
template <typename T, typename Combine>
__device__ T overBlock(T value, Combine combine) {
    __shared__ T values[kThreads];
    values[threadIdx.x] = value;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            values[threadIdx.x] = combine(values[threadIdx.x], values[threadIdx.x + half]);
        }
        __syncthreads();
    }
    const T result = values[0];
    __syncthreads();  // before the next call overwrites it
    return result;
}

struct Plus {
    template <typename T>
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};

struct Larger {
    template <typename T>
    __device__ T operator()(T a, T b) const {
        return a > b ? a : b;
    }
};

template <typename T>
__device__ T sumOverBlock(T value) {
    return overBlock(value, Plus());
}

template <typename T>
__device__ T maxOverBlock(T value) {
    return overBlock(value, Larger());
}

}  // namespace concertina::kernels::cuda
