// SPDX-License-Identifier: Apache-2.0
// safetensors: tensors by name in one file, readable from many programs: 8 bytes of header length
// (little-endian), a JSON header (type, shape, place of each tensor), the data without gaps. A file
// may come from anybody: the worst that it can do is to be refused. Any thread.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue/catalogue.h"

namespace concertina {

enum class ElementType { F64, F32, F16, BF16, I64, I32, I16, I8, U8, Bool };
/// As in the header, "F32".
const char* toText(ElementType type);
std::size_t elementBytes(ElementType type);

struct StoredTensor {
    std::string name;
    ElementType type = ElementType::F32;
    Shape shape;
    std::span<const std::byte> bytes;  // elements in row-major order; whose memory: the caller's
};

/// The file's contents; names must differ. Tensors stand by falling element size, so that each is
/// aligned, and by name.
std::string writeSafetensors(std::vector<StoredTensor> tensors);

/// Views into `file`, in the order of their data. Throws Error(Usage), beginning with `where`, for
/// anything that is not exactly the format: also gaps, overlaps and bytes behind the last tensor.
std::vector<StoredTensor> readSafetensors(std::string_view file, const std::string& where);

}  // namespace concertina
