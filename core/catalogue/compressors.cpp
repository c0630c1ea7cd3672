// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

CompressorDescriptor noneCompressor();
CompressorDescriptor topkCompressor();
CompressorDescriptor randomkCompressor();
CompressorDescriptor signsgdCompressor();
CompressorDescriptor onebitCompressor();
CompressorDescriptor powersgdCompressor();
CompressorDescriptor atomoCompressor();
CompressorDescriptor qsgdCompressor();
CompressorDescriptor naturalCompressor();
CompressorDescriptor terngradCompressor();
CompressorDescriptor thresholdCompressor();
CompressorDescriptor adacompCompressor();
CompressorDescriptor varianceCompressor();
CompressorDescriptor dgcCompressor();

std::span<const CompressorDescriptor> compressors() {
    static const std::vector<CompressorDescriptor> kTable{
        noneCompressor(),     topkCompressor(),     randomkCompressor(), thresholdCompressor(),
        adacompCompressor(),  varianceCompressor(), dgcCompressor(),     qsgdCompressor(),
        naturalCompressor(),  terngradCompressor(), signsgdCompressor(), onebitCompressor(),
        powersgdCompressor(), atomoCompressor(),
    };
    return kTable;
}

}  // namespace concertina
