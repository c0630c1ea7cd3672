// SPDX-License-Identifier: Apache-2.0
// Which instruction sets the CPU kernels are compiled for, included before anything of Highway:
// AVX2 and the compiler's baseline, chosen when the program runs. AVX-512 is left out because all
// kernels work on eight lanes (lanes-inl.h) and wait for memory; the steps between SSE2 and AVX2
// because no machine of today stands there.
#pragma once
#define HWY_DISABLED_TARGETS                                                            \
    (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | \
     HWY_SVE2_128 | HWY_RVV)
