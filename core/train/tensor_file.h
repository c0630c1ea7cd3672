// SPDX-License-Identifier: Apache-2.0
// Named tensors as safetensors and back, on the CPU. Training thread.
#pragma once
#include <string>
#include <string_view>

#include "core/compress/named_tensors.h"

namespace concertina {

std::string tensorsToFile(const NamedTensors& tensors);
/// Copies. Throws Error(Usage), beginning with `where`.
NamedTensors tensorsFromFile(std::string_view file, const std::string& where);

}  // namespace concertina
