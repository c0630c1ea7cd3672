// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/compressors/topk_message.h"

namespace concertina {

TopkOptions topkOptionsOf(const Settings& options) {
    const std::string& indices = textOf(options, "indices");
    return {.halves = textOf(options, "values") == "fp16",
            .modelScope = textOf(options, "scope") == "model",
            .indices = indices == "auto"    ? TopkOptions::Indices::Auto
                       : indices == "int32" ? TopkOptions::Indices::Int32
                                            : TopkOptions::Indices::EliasFano};
}

TopkMessage topkMessageOf(std::int64_t kept, std::int64_t elements, const TopkOptions& options) {
    TopkMessage message{};
    if (kept == 0) {
        return message;
    }
    message.form = kernels::eliasFanoOf(kept, elements);
    const std::int64_t int32Bytes = 4 * kept;
    message.isEliasFano =
        options.indices == TopkOptions::Indices::EliasFano ||
        (options.indices == TopkOptions::Indices::Auto && message.form.bytes() < int32Bytes);
    message.indexBytes = message.isEliasFano ? message.form.bytes() : int32Bytes;
    message.valueBytes = options.halves ? (2 * kept + 3) / 4 * 4 : 4 * kept;
    return message;
}

}  // namespace concertina
