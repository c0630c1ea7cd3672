// SPDX-License-Identifier: Apache-2.0
#include "kernels/powersgd.h"

#include "kernels/cpu/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/powersgd.cpp"
#include "hwy/foreach_target.h"
#include "kernels/cpu/doubles-inl.h"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace concertina::kernels::HWY_NAMESPACE {

using Index = std::int64_t;

// Blocks of four rows times two columns of a factor: eight sums, which fill the adders, with what
// they need of M and the factor in the sixteen registers of AVX2. M streams from memory once for
// ranks up to two.
constexpr Index kRowBlock = 4;

template <Index kRows, Index kCols>
struct Sums {
    Floats cell[kRows][kCols];
};

/// Adds the products of columns j..j+7 of M, or of the `left` < 8 last ones, to the sums: column j
/// goes to lane j mod 8.
template <bool kWhole, Index kRows, Index kCols>
HWY_INLINE void addColumns(
    const float* matrix, const float* q, MatrixShape s, Index left, Sums<kRows, kCols>& sums) {
    Floats factor[kCols];
    for (Index c = 0; c < kCols; ++c) {
        const float* from = q + c * s.columns;
        factor[c] = kWhole ? load(from) : loadSome(from, left);
    }
    for (Index row = 0; row < kRows; ++row) {
        const float* from = matrix + row * s.columns;
        const Floats values = kWhole ? load(from) : loadSome(from, left);
        for (Index c = 0; c < kCols; ++c) {
            sums.cell[row][c] = sums.cell[row][c] + values * factor[c];
        }
    }
}

/// p[c][row] = row of M times column c of Q, for kRows rows and kCols columns.
template <Index kRows, Index kCols>
HWY_INLINE void multiplyBlock(const float* matrix, const float* q, MatrixShape s, float* p) {
    Sums<kRows, kCols> sums;
    for (auto& row : sums.cell) {
        for (Floats& cell : row) {
            cell = broadcast(0);
        }
    }
    Index j = 0;
    for (; j + kLanes <= s.columns; j += kLanes) {
        addColumns<true>(matrix + j, q + j, s, kLanes, sums);
    }
    if (j < s.columns) {
        addColumns<false>(matrix + j, q + j, s, s.columns - j, sums);
    }
    for (Index row = 0; row < kRows; ++row) {
        for (Index c = 0; c < kCols; ++c) {
            p[c * s.rows + row] = sumOfLanes(sums.cell[row][c]);
        }
    }
}

template <Index kRows>
HWY_INLINE void multiplyRows(const float* matrix, const float* q, MatrixShape s, float* p) {
    Index c = 0;
    for (; c + 2 <= s.rank; c += 2) {
        multiplyBlock<kRows, 2>(matrix, q + c * s.columns, s, p + c * s.rows);
    }
    if (c < s.rank) {
        multiplyBlock<kRows, 1>(matrix, q + c * s.columns, s, p + c * s.rows);
    }
}

void multiplyAll(const float* matrix, const float* q, MatrixShape s, float* p) {
    Index i = 0;
    for (; i + kRowBlock <= s.rows; i += kRowBlock) {
        multiplyRows<kRowBlock>(matrix + i * s.columns, q, s, p + i);
    }
    for (; i < s.rows; ++i) {
        multiplyRows<1>(matrix + i * s.columns, q, s, p + i);
    }
}

/// q[c] += p[c][row] * row of M, one row after the other, for kRows rows and kCols columns.
template <Index kRows, Index kCols>
HWY_INLINE void addRowsBlock(const float* matrix, const float* p, MatrixShape s, float* q) {
    Floats weight[kRows][kCols];
    for (Index row = 0; row < kRows; ++row) {
        for (Index c = 0; c < kCols; ++c) {
            weight[row][c] = broadcast(p[c * s.rows + row]);
        }
    }
    Index j = 0;
    for (; j + kLanes <= s.columns; j += kLanes) {
        Floats values[kRows];
        for (Index row = 0; row < kRows; ++row) {
            values[row] = load(matrix + row * s.columns + j);
        }
        for (Index c = 0; c < kCols; ++c) {
            Floats sum = load(q + c * s.columns + j);
            for (Index row = 0; row < kRows; ++row) {
                sum = sum + weight[row][c] * values[row];
            }
            store(sum, q + c * s.columns + j);
        }
    }
    for (; j < s.columns; ++j) {
        for (Index c = 0; c < kCols; ++c) {
            for (Index row = 0; row < kRows; ++row) {
                q[c * s.columns + j] += p[c * s.rows + row] * matrix[row * s.columns + j];
            }
        }
    }
}

template <Index kRows>
HWY_INLINE void addRows(const float* matrix, const float* p, MatrixShape s, float* q) {
    Index c = 0;
    for (; c + 2 <= s.rank; c += 2) {
        addRowsBlock<kRows, 2>(matrix, p + c * s.rows, s, q + c * s.columns);
    }
    if (c < s.rank) {
        addRowsBlock<kRows, 1>(matrix, p + c * s.rows, s, q + c * s.columns);
    }
}

void multiplyTransposedAll(const float* matrix, const float* p, MatrixShape s, float* q) {
    std::fill_n(q, s.columns * s.rank, 0.0F);
    Index i = 0;
    for (; i + kRowBlock <= s.rows; i += kRowBlock) {
        addRows<kRowBlock>(matrix + i * s.columns, p + i, s, q);
    }
    for (; i < s.rows; ++i) {
        addRows<1>(matrix + i * s.columns, p + i, s, q);
    }
}

double dot(const float* a, const float* b, Index length) {
    Doubles sum = zeroDoubles();
    Index i = 0;
    for (; i + kLanes <= length; i += kLanes) {
        sum = addProducts(sum, a + i, b + i);
    }
    if (i < length) {
        sum = addSomeProducts(sum, a + i, b + i, length - i);
    }
    return sumOfLanes(sum);
}

void subtractMultiple(float* from, float factor, const float* column, Index length) {
    const Floats factors = broadcast(factor);
    Index i = 0;
    for (; i + kLanes <= length; i += kLanes) {
        store(load(from + i) - factors * load(column + i), from + i);
    }
    for (; i < length; ++i) {
        from[i] -= factor * column[i];
    }
}

void orthogonaliseAll(float* columns, Index length, Index rank) {
    for (Index c = 0; c < rank; ++c) {
        float* column = columns + c * length;
        const double before = std::sqrt(dot(column, column, length));
        for (Index pass = 0; pass < 2; ++pass) {
            for (Index done = 0; done < c; ++done) {
                const float* other = columns + done * length;
                const auto overlap = static_cast<float>(dot(other, column, length));
                subtractMultiple(column, overlap, other, length);
            }
        }
        const double after = std::sqrt(dot(column, column, length));
        const bool vanished = after <= kVanishingColumn * before;
        for (Index i = 0; i < length; ++i) {
            column[i] = vanished ? 0.0F : static_cast<float>(column[i] / after);
        }
    }
}

template <Index kRows, bool kSubtract>
HWY_INLINE void reconstructRows(
    const float* p, const float* q, MatrixShape s, float* matrix, float* output) {
    Index j = 0;
    for (; j + kLanes <= s.columns; j += kLanes) {
        Floats sum[kRows];
        for (Index row = 0; row < kRows; ++row) {
            sum[row] = broadcast(p[row]) * load(q + j);
        }
        for (Index c = 1; c < s.rank; ++c) {
            const Floats factor = load(q + c * s.columns + j);
            for (Index row = 0; row < kRows; ++row) {
                sum[row] = sum[row] + broadcast(p[c * s.rows + row]) * factor;
            }
        }
        for (Index row = 0; row < kRows; ++row) {
            const Index at = row * s.columns + j;
            store(sum[row], output + at);
            if constexpr (kSubtract) {
                store(load(matrix + at) - sum[row], matrix + at);
            }
        }
    }
    for (; j < s.columns; ++j) {
        for (Index row = 0; row < kRows; ++row) {
            const Index at = row * s.columns + j;
            float sum = p[row] * q[j];
            for (Index c = 1; c < s.rank; ++c) {
                sum += p[c * s.rows + row] * q[c * s.columns + j];
            }
            output[at] = sum;
            if constexpr (kSubtract) {
                matrix[at] -= sum;
            }
        }
    }
}

template <bool kSubtract>
void reconstructWith(const float* p, const float* q, MatrixShape s, float* matrix, float* output) {
    const auto row = [&](Index i) { return kSubtract ? matrix + i * s.columns : nullptr; };
    Index i = 0;
    for (; i + kRowBlock <= s.rows; i += kRowBlock) {
        reconstructRows<kRowBlock, kSubtract>(p + i, q, s, row(i), output + i * s.columns);
    }
    for (; i < s.rows; ++i) {
        reconstructRows<1, kSubtract>(p + i, q, s, row(i), output + i * s.columns);
    }
}

void reconstructAll(const float* p, const float* q, MatrixShape s, float* matrix, float* output) {
    const auto run = matrix ? reconstructWith<true> : reconstructWith<false>;
    run(p, q, s, matrix, output);
}

}  // namespace concertina::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace concertina::kernels {
HWY_EXPORT(multiplyAll);
HWY_EXPORT(multiplyTransposedAll);
HWY_EXPORT(orthogonaliseAll);
HWY_EXPORT(reconstructAll);

namespace cpu {

KernelStatus multiply(const float* matrix, const float* q, MatrixShape shape, float* p, Stream) {
    HWY_DYNAMIC_DISPATCH(multiplyAll)(matrix, q, shape, p);
    return {};
}

KernelStatus multiplyTransposed(
    const float* matrix, const float* p, MatrixShape shape, float* q, Stream) {
    HWY_DYNAMIC_DISPATCH(multiplyTransposedAll)(matrix, p, shape, q);
    return {};
}

KernelStatus orthogonalise(float* columns, std::int64_t length, std::int64_t rank, Stream) {
    HWY_DYNAMIC_DISPATCH(orthogonaliseAll)(columns, length, rank);
    return {};
}

KernelStatus reconstruct(
    const float* p, const float* q, MatrixShape shape, float* matrix, float* output, Stream) {
    HWY_DYNAMIC_DISPATCH(reconstructAll)(p, q, shape, matrix, output);
    return {};
}

}  // namespace cpu
}  // namespace concertina::kernels
#endif
