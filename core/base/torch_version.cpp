// SPDX-License-Identifier: Apache-2.0
#include <torch/version.h>
namespace concertina {
const char* torchVersion() { return TORCH_VERSION; }
}  // namespace concertina
