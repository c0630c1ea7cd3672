// SPDX-License-Identifier: Apache-2.0
// The matrix work of PowerSGD (Vogels, Karimireddy, Jaggi 2019; methods.md 2.1). Called by it and,
// for its singular basis, by ATOMO, on the communication thread; any thread may, on buffers of its
// own. M is (n, m) fp32, row after row. Factors P (n, r) and Q (m, r) are kept column after column,
// r columns of n or m floats: a column is what every step walks along (products with rows of M,
// orthogonalisation), and a change of rank keeps or appends whole columns. REQUIRES everywhere: n,
// m, r >= 1; no overlaps, except where one is named. On the CPU sums run in an order that does not
// depend on the vector width: the same bits on every machine.
#pragma once
#include <cstdint>

#include "kernels/status.h"
#include "kernels/stream.h"

namespace concertina::kernels {

struct MatrixShape {
    std::int64_t rows, columns;  // n, m
    std::int64_t rank;           // r
};

/// A column whose length after taking out the columns before it is not above this fraction of its
/// length before is no direction but rounding noise.
constexpr double kVanishingColumn = 1e-6;

namespace cpu {
/// p = M q
KernelStatus multiply(
    const float* matrix, const float* q, MatrixShape shape, float* p, Stream stream);
/// q = M^T p
KernelStatus multiplyTransposed(
    const float* matrix, const float* p, MatrixShape shape, float* q, Stream stream);
/// Columns of length one, orthogonal to each other: modified Gram-Schmidt in place, each column
/// cleaned twice ("twice is enough", Giraud, Langou, Rozloznik 2005), sums in fp64. A column that
/// vanishes (kVanishingColumn, or all zero) becomes all zero, so a zero matrix stays one and
/// nothing divides by zero.
KernelStatus orthogonalise(float* columns, std::int64_t length, std::int64_t rank, Stream stream);
/// output = P Q^T and, where matrix is not null, matrix -= output, in one pass.
KernelStatus reconstruct(
    const float* p, const float* q, MatrixShape shape, float* matrix, float* output, Stream stream);
}  // namespace cpu
namespace cuda {
KernelStatus multiply(
    const float* matrix, const float* q, MatrixShape shape, float* p, Stream stream);
KernelStatus multiplyTransposed(
    const float* matrix, const float* p, MatrixShape shape, float* q, Stream stream);
KernelStatus orthogonalise(float* columns, std::int64_t length, std::int64_t rank, Stream stream);
KernelStatus reconstruct(
    const float* p, const float* q, MatrixShape shape, float* matrix, float* output, Stream stream);
}  // namespace cuda

inline KernelStatus multiply(
    const float* matrix, const float* q, MatrixShape shape, float* p, Stream stream) {
    return (stream.cuda ? cuda::multiply : cpu::multiply)(matrix, q, shape, p, stream);
}

inline KernelStatus multiplyTransposed(
    const float* matrix, const float* p, MatrixShape shape, float* q, Stream stream) {
    const auto run = stream.cuda ? cuda::multiplyTransposed : cpu::multiplyTransposed;
    return run(matrix, p, shape, q, stream);
}

inline KernelStatus orthogonalise(float* columns,
                                  std::int64_t length,
                                  std::int64_t rank,
                                  Stream stream) {
    return (stream.cuda ? cuda::orthogonalise : cpu::orthogonalise)(columns, length, rank, stream);
}

inline KernelStatus reconstruct(const float* p,
                                const float* q,
                                MatrixShape shape,
                                float* matrix,
                                float* output,
                                Stream stream) {
    const auto run = stream.cuda ? cuda::reconstruct : cpu::reconstruct;
    return run(p, q, shape, matrix, output, stream);
}

}  // namespace concertina::kernels
