// SPDX-License-Identifier: Apache-2.0
// State as it stands in checkpoints: tensors by name. Whoever keeps state lists it in save() and
// takes it back in load() through a StateReader, which refuses what does not fit: a checkpoint may
// come from another program or a stranger. Training thread, between steps.
#pragma once
#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace concertina {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

class StateReader {
 public:
    /// `where` begins every refusal: "checkpoint .../rank0.safetensors".
    StateReader(NamedTensors state, std::string where);

    /// The tensor `name`, on `like`'s device. Throws Error(Usage) where it is missing or of another
    /// shape or type than `like`.
    at::Tensor take(const std::string& name, const at::Tensor& like);
    /// Undefined where there is none of that name.
    at::Tensor takeIfThere(const std::string& name, const at::Tensor& like);
    /// A tensor whose first dimension may be any.
    at::Tensor takeRows(const std::string& name, const at::Tensor& likeRow);
    /// All whose names begin with `prefix`, without it.
    NamedTensors takeAll(const std::string& prefix);
    /// Throws Error(Usage) that names what nobody has taken: it belongs to something this run
    /// lacks.
    void requireEmpty() const;

 private:
    [[noreturn]] void refuse(const std::string& name, const std::string& what) const;
    std::map<std::string, at::Tensor> state_;
    std::string where_;
};

/// "float (10, 784)", for refusals.
std::string describe(at::ScalarType type, at::IntArrayRef sizes);

}  // namespace concertina
