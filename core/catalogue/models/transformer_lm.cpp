// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

namespace concertina {
namespace {

std::string problem(const Settings& options, const DataForm& data) {
    const std::int64_t width = integerOf(options, "width"), heads = integerOf(options, "heads");
    if (width % heads != 0) {
        return "needs a width that its heads divide, found width " + std::to_string(width) +
               " and " + std::to_string(heads) + " heads";
    }
    return needsText(data);
}

}  // namespace

ModelDescriptor transformerLmModel() {
    constexpr std::int64_t kWords = 33278, kWindow = 30, kWidth = 256, kLayers = 4;
    constexpr std::int64_t kBlock = 12 * kWidth * kWidth + 13 * kWidth;
    return {.name = "transformer_lm",
            .summary =
                "Small GPT: pre-norm transformer that sees earlier words only, its output "
                "layer tied to the embedding",
            .parameters = {sizeParameter("width", "units", kWidth, 65536,
                                         "of the embedding; a multiple of heads"),
                           sizeParameter("layers", "1", kLayers, 256, "transformer blocks"),
                           sizeParameter("heads", "1", 4, 256, "attention heads of a block"),
                           dropoutParameter(0.1)},
            .defaultDataset = "text",
            .parameterCount = (kWords + kWindow) * kWidth + kLayers * kBlock + 2 * kWidth,
            .problem = problem};
}

}  // namespace concertina
