// SPDX-License-Identifier: Apache-2.0
// Memory on the GPU, and skipping where there is none, for the tests of the CUDA kernels.
#pragma once
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <vector>

#include "kernels/stream.h"

namespace concertina::kernels {

inline const Stream kGpu{true, nullptr};

inline void expectSuccess(cudaError_t error) {
    ASSERT_EQ(error, cudaSuccess) << cudaGetErrorString(error);
}

/// `values` on the GPU; host() waits and copies back.
template <typename T>
class OnGpu {
 public:
    explicit OnGpu(const std::vector<T>& values) : count_(values.size()) {
        expectSuccess(cudaMalloc(&data_, count_ * sizeof(T) + 1));
        expectSuccess(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~OnGpu() { cudaFree(data_); }
    OnGpu(const OnGpu&) = delete;
    OnGpu& operator=(const OnGpu&) = delete;

    T* data() const { return static_cast<T*>(data_); }
    std::vector<T> host() const {
        std::vector<T> values(count_);
        expectSuccess(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

 private:
    std::size_t count_;
    void* data_ = nullptr;
};

class Gpu : public testing::Test {
 protected:
    void SetUp() override {
        int devices = 0;
        if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
            GTEST_SKIP() << "no CUDA device on this machine";
        }
    }
};

}  // namespace concertina::kernels
