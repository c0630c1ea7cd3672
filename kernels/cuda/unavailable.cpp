// SPDX-License-Identifier: Apache-2.0
// The CUDA side of a build without nvcc: every operation answers that it was not built.
#include "kernels/accumulate.h"
#include "kernels/adacomp.h"
#include "kernels/atomo.h"
#include "kernels/dithering.h"
#include "kernels/elias.h"
#include "kernels/elias_fano.h"
#include "kernels/half.h"
#include "kernels/onebit.h"
#include "kernels/powersgd.h"
#include "kernels/randomk.h"
#include "kernels/scale.h"
#include "kernels/select.h"
#include "kernels/signs.h"
#include "kernels/sparse_lists.h"
#include "kernels/topk.h"
#include "kernels/variance.h"

namespace concertina::kernels::cuda {
namespace {

KernelStatus notBuilt() {
    return {false, "CUDA kernels were not built: configure with WITH_CUDA_KERNELS=ON and nvcc"};
}

}  // namespace

KernelStatus accumulate(const AccumulateBuffers&, Norms&, Stream) { return notBuilt(); }

KernelStatus measure(const float*, std::int64_t, Norms&, Stream) { return notBuilt(); }

KernelStatus sumUpTo(const float*, std::int64_t, float, ClipSums&, Stream) { return notBuilt(); }

KernelStatus drawEntries(
    float*, std::int64_t, double, const PhiloxStream&, void*, std::int64_t&, Stream) {
    return notBuilt();
}

KernelStatus divide(const float*, float, float*, std::int64_t, Stream) { return notBuilt(); }

KernelStatus narrow(float*, std::int64_t, HalfType, int, std::uint16_t*, Stream) {
    return notBuilt();
}

KernelStatus widen(const std::uint16_t*, std::int64_t, HalfType, float*, Stream) {
    return notBuilt();
}

KernelStatus dither(const DitherFormat&,
                    float*,
                    std::int64_t,
                    const PhiloxStream&,
                    float*,
                    std::uint32_t*,
                    Stream) {
    return notBuilt();
}

KernelStatus ditherUnpacked(const DitherFormat&,
                            float*,
                            std::int64_t,
                            const PhiloxStream&,
                            float*,
                            std::uint32_t*,
                            Stream) {
    return notBuilt();
}

KernelStatus ditheredMean(const DitherFormat&, const DitheredRows&, float*, std::int64_t, Stream) {
    return notBuilt();
}

KernelStatus encodeElias(const DitherFormat&,
                         const std::uint32_t*,
                         const float*,
                         std::int64_t,
                         std::uint32_t*,
                         std::int64_t&,
                         Stream) {
    return notBuilt();
}

KernelStatus eliasMean(const DitherFormat&, const EliasRows&, float*, std::int64_t, Stream) {
    return notBuilt();
}

KernelStatus packSigns(float*, std::int64_t, float, void*, Stream) { return notBuilt(); }

KernelStatus combineSigns(const SignMessages&, SignRule, float*, std::int64_t, Stream) {
    return notBuilt();
}

KernelStatus packOnebit(float*, RowShape, void*, Stream) { return notBuilt(); }

KernelStatus meanOfOnebit(const SignMessages&, RowShape, float*, Stream) { return notBuilt(); }

KernelStatus takeRandom(float*, const RandomPositions&, float, float*, Stream) {
    return notBuilt();
}

KernelStatus putRandom(const float*, const RandomPositions&, float, float*, Stream) {
    return notBuilt();
}

KernelStatus selectTopk(float*, std::int64_t, std::int64_t, std::int32_t*, float*, Stream) {
    return notBuilt();
}

KernelStatus findMagnitude(const MagnitudePart*, int, std::int64_t, float&, Stream) {
    return notBuilt();
}

KernelStatus selectAbove(float*, std::int64_t, float, void*, std::int64_t&, Stream) {
    return notBuilt();
}

KernelStatus countAbove(const float*, std::int64_t, float, std::int64_t&, Stream) {
    return notBuilt();
}

KernelStatus sampleOneIn(
    const float*, std::int64_t, std::int64_t, const PhiloxStream&, float*, Stream) {
    return notBuilt();
}

KernelStatus selectAdacomp(const AdacompBuffers&, void*, std::int64_t&, Stream) {
    return notBuilt();
}

KernelStatus selectVariance(const VarianceBuffers&, void*, std::int64_t&, Stream) {
    return notBuilt();
}

KernelStatus scatterMean(const SparseList*, int, float*, std::int64_t, Stream) {
    return notBuilt();
}

KernelStatus clearListed(const SparseList&, float*, std::int64_t, Stream) { return notBuilt(); }

KernelStatus placeListed(const SparseList&, float*, Stream) { return notBuilt(); }

KernelStatus packIndices(const std::int32_t*, const EliasFano&, std::uint32_t*, Stream) {
    return notBuilt();
}

KernelStatus unpackIndices(const std::uint32_t*, const EliasFano&, int, std::int32_t*, Stream) {
    return notBuilt();
}

KernelStatus multiply(const float*, const float*, MatrixShape, float*, Stream) {
    return notBuilt();
}

KernelStatus multiplyTransposed(const float*, const float*, MatrixShape, float*, Stream) {
    return notBuilt();
}

KernelStatus orthogonalise(float*, std::int64_t, std::int64_t, Stream) { return notBuilt(); }

KernelStatus reconstruct(const float*, const float*, MatrixShape, float*, float*, Stream) {
    return notBuilt();
}

}  // namespace concertina::kernels::cuda
