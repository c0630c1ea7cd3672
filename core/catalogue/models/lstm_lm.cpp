// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/models/needs.h"

namespace concertina {

ModelDescriptor lstmLmModel() {
    constexpr std::int64_t kWords = 33278, kHidden = 650, kLayers = 3;
    constexpr std::int64_t kLstm = 4 * kHidden * (2 * kHidden) + 2 * (4 * kHidden);
    return {.name = "lstm_lm",
            .summary = "LSTM language model, its output layer tied to the embedding",
            .parameters = {sizeParameter("hidden", "units", kHidden, 65536,
                                         "width of the embedding and of each layer"),
                           sizeParameter("layers", "1", kLayers, 64, "LSTM layers"),
                           dropoutParameter(0.4)},
            .defaultDataset = "text",
            .parameterCount = kWords * kHidden + kLayers * kLstm + kWords,
            .problem = [](const Settings&, const DataForm& data) { return needsText(data); }};
}

}  // namespace concertina
