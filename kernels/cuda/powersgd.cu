// SPDX-License-Identifier: Apache-2.0
#include "kernels/powersgd.h"

#include "kernels/cuda/device.h"

namespace concertina::kernels::cuda {
namespace {

// Columns of a factor done in one pass over M.
constexpr int kColumns = 4;

/// Block (row, group): up to kColumns columns of P at one row.
__global__ void multiplyKernel(const float* matrix, const float* q, MatrixShape s, float* p) {
    const std::int64_t row = blockIdx.x;
    const std::int64_t first = std::int64_t{blockIdx.y} * kColumns;
    float sum[kColumns] = {};
    for (std::int64_t j = threadIdx.x; j < s.columns; j += kThreads) {
        const float value = matrix[row * s.columns + j];
        for (int c = 0; c < kColumns && first + c < s.rank; ++c) {
            sum[c] += value * q[(first + c) * s.columns + j];
        }
    }
    for (int c = 0; c < kColumns && first + c < s.rank; ++c) {
        const float total = sumOverBlock(sum[c]);
        if (threadIdx.x == 0) {
            p[(first + c) * s.rows + row] = total;
        }
    }
}

constexpr int kTileColumns = 32, kTileRows = kThreads / kTileColumns;

/// Block (tile of 32 columns of M, group): up to kColumns columns of Q; thread row y adds rows y, y
/// + 8, ...
__global__ void multiplyTransposedKernel(const float* matrix,
                                         const float* p,
                                         MatrixShape s,
                                         float* q) {
    __shared__ float sums[kTileRows][kTileColumns];
    const std::int64_t j = std::int64_t{blockIdx.x} * kTileColumns + threadIdx.x;
    const std::int64_t first = std::int64_t{blockIdx.y} * kColumns;
    float sum[kColumns] = {};
    for (std::int64_t i = threadIdx.y; i < s.rows && j < s.columns; i += kTileRows) {
        const float value = matrix[i * s.columns + j];
        for (int c = 0; c < kColumns && first + c < s.rank; ++c) {
            sum[c] += value * p[(first + c) * s.rows + i];
        }
    }
    for (int c = 0; c < kColumns && first + c < s.rank; ++c) {
        sums[threadIdx.y][threadIdx.x] = sum[c];
        __syncthreads();
        if (threadIdx.y == 0 && j < s.columns) {
            float total = 0;
            for (int y = 0; y < kTileRows; ++y) {
                total += sums[y][threadIdx.x];
            }
            q[(first + c) * s.columns + j] = total;
        }
        __syncthreads();
    }
}

__device__ double dot(const float* a, const float* b, std::int64_t length) {
    double sum = 0;
    for (std::int64_t i = threadIdx.x; i < length; i += kThreads) {
        sum += static_cast<double>(a[i]) * b[i];
    }
    return sumOverBlock(sum);
}

/// One block: columns depend on those before them, and are short.
__global__ void orthogonaliseKernel(float* columns, std::int64_t length, std::int64_t rank) {
    for (std::int64_t c = 0; c < rank; ++c) {
        float* column = columns + c * length;
        const double before = sqrt(dot(column, column, length));
        for (int pass = 0; pass < 2; ++pass) {
            for (std::int64_t done = 0; done < c; ++done) {
                const float* other = columns + done * length;
                const auto overlap = static_cast<float>(dot(other, column, length));
                for (std::int64_t i = threadIdx.x; i < length; i += kThreads) {
                    column[i] -= overlap * other[i];
                }
                __syncthreads();
            }
        }
        const double after = sqrt(dot(column, column, length));
        const bool vanished = after <= kVanishingColumn * before;
        for (std::int64_t i = threadIdx.x; i < length; i += kThreads) {
            column[i] = vanished ? 0.0F : static_cast<float>(column[i] / after);
        }
        __syncthreads();
    }
}

__global__ void reconstructKernel(
    const float* p, const float* q, MatrixShape s, float* matrix, float* output) {
    const std::int64_t at = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (at >= s.rows * s.columns) {
        return;
    }
    const std::int64_t row = at / s.columns;
    const std::int64_t column = at % s.columns;
    float sum = p[row] * q[column];
    for (std::int64_t c = 1; c < s.rank; ++c) {
        sum += p[c * s.rows + row] * q[c * s.columns + column];
    }
    output[at] = sum;
    if (matrix) {
        matrix[at] -= sum;
    }
}

unsigned columnGroups(MatrixShape s) {
    return static_cast<unsigned>((s.rank + kColumns - 1) / kColumns);
}

}  // namespace

KernelStatus multiply(
    const float* matrix, const float* q, MatrixShape shape, float* p, Stream stream) {
    const dim3 blocks(static_cast<unsigned>(shape.rows), columnGroups(shape));
    multiplyKernel<<<blocks, kThreads, 0, handleOf(stream)>>>(matrix, q, shape, p);
    return launched();
}

KernelStatus multiplyTransposed(
    const float* matrix, const float* p, MatrixShape shape, float* q, Stream stream) {
    const auto tiles = static_cast<unsigned>((shape.columns + kTileColumns - 1) / kTileColumns);
    const dim3 blocks(tiles, columnGroups(shape));
    const dim3 threads(kTileColumns, kTileRows);
    multiplyTransposedKernel<<<blocks, threads, 0, handleOf(stream)>>>(matrix, p, shape, q);
    return launched();
}

KernelStatus orthogonalise(float* columns, std::int64_t length, std::int64_t rank, Stream stream) {
    orthogonaliseKernel<<<1, kThreads, 0, handleOf(stream)>>>(columns, length, rank);
    return launched();
}

KernelStatus reconstruct(const float* p,
                         const float* q,
                         MatrixShape shape,
                         float* matrix,
                         float* output,
                         Stream stream) {
    const unsigned blocks = blocksFor(shape.rows * shape.columns);
    reconstructKernel<<<blocks, kThreads, 0, handleOf(stream)>>>(p, q, shape, matrix, output);
    return launched();
}

}  // namespace concertina::kernels::cuda
