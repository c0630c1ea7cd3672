// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

CompressorDescriptor noneCompressor();
CompressorDescriptor topkCompressor();
CompressorDescriptor randomkCompressor();
CompressorDescriptor signsgdCompressor();
CompressorDescriptor onebitCompressor();
CompressorDescriptor powersgdCompressor();
CompressorDescriptor qsgdCompressor();
CompressorDescriptor naturalCompressor();
CompressorDescriptor terngradCompressor();

std::span<const CompressorDescriptor> compressors() {
    static const std::vector<CompressorDescriptor> kTable{
        noneCompressor(),    topkCompressor(),    randomkCompressor(),
        signsgdCompressor(), onebitCompressor(),  powersgdCompressor(),
        qsgdCompressor(),    naturalCompressor(), terngradCompressor(),
    };
    return kTable;
}

}  // namespace concertina
