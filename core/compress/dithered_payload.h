// SPDX-License-Identifier: Apache-2.0
// What QSGD, natural compression and TernGrad share: a payload of bucket scales (fp32), then codes
// as bit planes, written and averaged by kernels/dithering.h. Called by their compressors on the
// communication thread.
#pragma once
#include <string>

#include "core/base/check.h"
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"
#include "core/compress/draws.h"
#include "kernels/bit_planes.h"
#include "kernels/dithering.h"

namespace concertina {

/// Where the scales of a payload are: in front of the codes, elsewhere, or nowhere (each is 1).
struct DitheredPayload {
    const kernels::DitherFormat& format;
    std::int64_t scaleBytes;       // in front of the codes
    float* otherScales = nullptr;  // where scaleBytes is 0

    void encode(LayerWork& work,
                const kernels::PhiloxStream& random,
                const at::Tensor& payload) const {
        const std::int64_t count = work.input.numel();
        const std::int64_t bytes = scaleBytes + kernels::planeBytes(count, format.bits);
        CONCERTINA_CHECK(payload.numel() == bytes, "payload of " + std::to_string(payload.numel()) +
                                                       " bytes, not " + std::to_string(bytes));
        check(kernels::dither(format, work.input.mutable_data_ptr<float>(), count, random,
                              scaleBytes > 0 ? floatsOf(payload) : otherScales, codesOf(payload),
                              streamOf(work.input)));
    }

    /// `combined`: one row a rank.
    void decode(LayerWork& work, const at::Tensor& combined) const {
        const kernels::DitheredRows rows{scaleBytes > 0 ? combined.data_ptr() : otherScales,
                                         scaleBytes > 0 ? combined.stride(0) : 0, codesOf(combined),
                                         combined.stride(0), static_cast<int>(combined.size(0))};
        check(kernels::ditheredMean(format, rows, work.output.mutable_data_ptr<float>(),
                                    work.output.numel(), streamOf(work.output)));
    }

 private:
    std::uint32_t* codesOf(const at::Tensor& bytes) const {
        return reinterpret_cast<std::uint32_t*>(static_cast<char*>(bytes.data_ptr()) + scaleBytes);
    }
};

inline kernels::ScaleKind scaleKindOf(const Settings& options) {
    return textOf(options, "norm") == "l2" ? kernels::ScaleKind::Norm : kernels::ScaleKind::Largest;
}

}  // namespace concertina
