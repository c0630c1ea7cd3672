// SPDX-License-Identifier: Apache-2.0
// What a user of torch would write for the compressors of design.md's table, from plain tensor
// operations: the reference that our encodes stand beside in compressors_bench. Each adds the error
// memory where its counterpart does, and leaves the next one in `memory`.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "core/base/value.h"

namespace concertina::bench {

struct TorchOps {
    std::string compressor;
    Settings level;  // of the row it stands beside; keys it does not name may have any value
    std::string text;
    /// Of one layer, gradient and memory being (n, m).
    std::function<void(const at::Tensor& gradient, at::Tensor& memory)> run;
};

std::vector<TorchOps> torchOps();

}  // namespace concertina::bench
