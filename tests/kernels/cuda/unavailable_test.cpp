// SPDX-License-Identifier: Apache-2.0
// In a build without nvcc: what a tensor on a GPU is told.
#include <gtest/gtest.h>

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

namespace concertina::kernels {
namespace {

TEST(CudaUnavailable, EveryOperationAnswersThatItWasNotBuilt) {
    const Stream gpu{.cuda = true};
    Norms norms;
    const std::string sentence =
        "CUDA kernels were not built: configure with WITH_CUDA_KERNELS=ON and nvcc";
    EXPECT_EQ(accumulate({}, norms, gpu).message, sentence);
    EXPECT_EQ(measure(nullptr, 0, norms, gpu).message, sentence);
    ClipSums sums;
    std::int64_t drawnBytes = 0;
    EXPECT_EQ(sumUpTo(nullptr, 0, 1, sums, gpu).message, sentence);
    EXPECT_EQ(drawEntries(nullptr, 0, 1, {}, nullptr, drawnBytes, gpu).message, sentence);
    EXPECT_EQ(divide(nullptr, 1, nullptr, 0, gpu).message, sentence);
    EXPECT_EQ(narrow(nullptr, 0, HalfType::Fp16, 1, nullptr, gpu).message, sentence);
    EXPECT_EQ(widen(nullptr, 0, HalfType::Bf16, nullptr, gpu).message, sentence);
    const DitherFormat format = powersOfTwo();
    EXPECT_EQ(dither(format, nullptr, 0, {}, nullptr, nullptr, gpu).message, sentence);
    EXPECT_EQ(ditherUnpacked(format, nullptr, 0, {}, nullptr, nullptr, gpu).message, sentence);
    EXPECT_EQ(ditheredMean(format, {}, nullptr, 0, gpu).message, sentence);
    std::int64_t bytes = 0;
    EXPECT_EQ(encodeElias(format, nullptr, nullptr, 0, nullptr, bytes, gpu).message, sentence);
    EXPECT_EQ(eliasMean(format, {}, nullptr, 0, gpu).message, sentence);
    EXPECT_EQ(packSigns(nullptr, 0, 0, nullptr, gpu).message, sentence);
    EXPECT_EQ(combineSigns({}, SignRule::Mean, nullptr, 0, gpu).message, sentence);
    EXPECT_EQ(packOnebit(nullptr, {}, nullptr, gpu).message, sentence);
    EXPECT_EQ(meanOfOnebit({}, {}, nullptr, gpu).message, sentence);
    const RandomPositions one(1, 1, false, {});
    EXPECT_EQ(takeRandom(nullptr, one, 1, nullptr, gpu).message, sentence);
    EXPECT_EQ(putRandom(nullptr, one, 1, nullptr, gpu).message, sentence);
    EXPECT_EQ(selectTopk(nullptr, 0, 0, nullptr, nullptr, gpu).message, sentence);
    float magnitude = 0;
    std::int64_t number = 0;
    EXPECT_EQ(findMagnitude(nullptr, 0, 0, magnitude, gpu).message, sentence);
    EXPECT_EQ(selectAbove(nullptr, 0, 0, nullptr, number, gpu).message, sentence);
    EXPECT_EQ(countAbove(nullptr, 0, 0, number, gpu).message, sentence);
    EXPECT_EQ(sampleOneIn(nullptr, 1, 0, {}, nullptr, gpu).message, sentence);
    EXPECT_EQ(selectAdacomp({}, nullptr, number, gpu).message, sentence);
    EXPECT_EQ(selectVariance({}, nullptr, number, gpu).message, sentence);
    EXPECT_EQ(scatterMean(nullptr, 0, nullptr, 0, gpu).message, sentence);
    EXPECT_EQ(clearListed({}, nullptr, 0, gpu).message, sentence);
    EXPECT_EQ(placeListed({}, nullptr, gpu).message, sentence);
    EXPECT_EQ(packIndices(nullptr, {}, nullptr, gpu).message, sentence);
    EXPECT_EQ(unpackIndices(nullptr, {}, 0, nullptr, gpu).message, sentence);
    EXPECT_EQ(multiply(nullptr, nullptr, {}, nullptr, gpu).message, sentence);
    EXPECT_EQ(multiplyTransposed(nullptr, nullptr, {}, nullptr, gpu).message, sentence);
    EXPECT_EQ(orthogonalise(nullptr, 0, 0, gpu).message, sentence);
    EXPECT_EQ(reconstruct(nullptr, nullptr, {}, nullptr, nullptr, gpu).message, sentence);
    EXPECT_FALSE(accumulate({}, norms, gpu).ok);
}

}  // namespace
}  // namespace concertina::kernels
