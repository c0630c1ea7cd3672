// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

CompressorDescriptor noneCompressor();
CompressorDescriptor topkCompressor();
CompressorDescriptor powersgdCompressor();
CompressorDescriptor qsgdCompressor();
CompressorDescriptor naturalCompressor();
CompressorDescriptor terngradCompressor();
CompressorDescriptor thresholdCompressor();
CompressorDescriptor adacompCompressor();
CompressorDescriptor varianceCompressor();
CompressorDescriptor dgcCompressor();

std::span<const CompressorDescriptor> compressors() {
    static const std::vector<CompressorDescriptor> kTable{
        noneCompressor(),     topkCompressor(),     powersgdCompressor(),  qsgdCompressor(),
        naturalCompressor(),  terngradCompressor(), thresholdCompressor(), adacompCompressor(),
        varianceCompressor(), dgcCompressor(),
    };
    return kTable;
}

}  // namespace concertina
