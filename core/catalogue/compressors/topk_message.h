// SPDX-License-Identifier: Apache-2.0
// How long the parts of a TopK message are: one truth for its byte plan and for the compressor that
// writes it. Pure; any thread.
#pragma once
#include <cstdint>

#include "core/base/value.h"
#include "kernels/elias_fano.h"

namespace concertina {

/// What the options of [compress] say about a message.
struct TopkOptions {
    bool halves;      // values as fp16
    bool modelScope;  // one threshold for all layers: messages of variable size
    enum class Indices { Auto, Int32, EliasFano } indices;
};
TopkOptions topkOptionsOf(const Settings& options);

/// Indices of `kept` of `elements` elements, then their values, each filled up to 4 bytes.
struct TopkMessage {
    kernels::EliasFano form;
    bool isEliasFano;  // else int32
    std::int64_t indexBytes, valueBytes;

    std::int64_t bytes() const { return indexBytes + valueBytes; }
};
TopkMessage topkMessageOf(std::int64_t kept, std::int64_t elements, const TopkOptions& options);

}  // namespace concertina
