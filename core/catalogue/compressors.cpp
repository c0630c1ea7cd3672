// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

CompressorDescriptor noneCompressor();
CompressorDescriptor topkCompressor();
CompressorDescriptor powersgdCompressor();

std::span<const CompressorDescriptor> compressors() {
    static const std::vector<CompressorDescriptor> kTable{
        noneCompressor(),
        topkCompressor(),
        powersgdCompressor(),
    };
    return kTable;
}

}  // namespace concertina
