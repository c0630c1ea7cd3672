// SPDX-License-Identifier: Apache-2.0
#include "core/train/tensor_file.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/check.h"
#include "core/store/safetensors.h"

namespace concertina {
namespace {

struct TypePair {
    ElementType stored;
    at::ScalarType type;
};
constexpr std::array kPairs = {
    TypePair{ElementType::F64, at::kDouble}, TypePair{ElementType::F32, at::kFloat},
    TypePair{ElementType::F16, at::kHalf},   TypePair{ElementType::BF16, at::kBFloat16},
    TypePair{ElementType::I64, at::kLong},   TypePair{ElementType::I32, at::kInt},
    TypePair{ElementType::I16, at::kShort},  TypePair{ElementType::I8, at::kChar},
    TypePair{ElementType::U8, at::kByte},    TypePair{ElementType::Bool, at::kBool}};

}  // namespace

std::string tensorsToFile(const NamedTensors& tensors) {
    NamedTensors onHost;  // alive until written
    std::vector<StoredTensor> stored;
    for (const auto& [name, tensor] : tensors) {
        onHost.emplace_back(name, tensor.detach().to(at::kCPU).contiguous());
        const at::Tensor& values = onHost.back().second;
        const auto* pair = std::find_if(kPairs.begin(), kPairs.end(), [&](const TypePair& known) {
            return known.type == values.scalar_type();
        });
        CONCERTINA_CHECK(pair != kPairs.end(), name);
        stored.push_back(
            {name,
             pair->stored,
             values.sizes().vec(),
             {static_cast<const std::byte*>(values.const_data_ptr()), values.nbytes()}});
    }
    return writeSafetensors(std::move(stored));
}

NamedTensors tensorsFromFile(std::string_view file, const std::string& where) {
    NamedTensors tensors;
    for (const StoredTensor& stored : readSafetensors(file, where)) {
        const auto* pair = std::find_if(kPairs.begin(), kPairs.end(), [&](const TypePair& known) {
            return known.stored == stored.type;
        });
        CONCERTINA_CHECK(pair != kPairs.end(), stored.name);
        at::Tensor values = at::empty(stored.shape, pair->type);
        if (!stored.bytes.empty()) {
            std::memcpy(values.mutable_data_ptr(), stored.bytes.data(), stored.bytes.size());
        }
        tensors.emplace_back(stored.name, values);
    }
    return tensors;
}

}  // namespace concertina
