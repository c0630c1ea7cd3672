// SPDX-License-Identifier: Apache-2.0
#include "core/compress/named_tensors.h"

#include "core/base/error.h"

namespace concertina {

std::string describe(at::ScalarType type, at::IntArrayRef sizes) {
    std::string text = std::string(c10::toString(type)) + " (";
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
    }
    return text + ")";
}

StateReader::StateReader(NamedTensors state, std::string where) : where_(std::move(where)) {
    for (auto& [name, tensor] : state) {
        if (!state_.emplace(name, std::move(tensor)).second) {
            refuse(name, "stands twice");
        }
    }
}

void StateReader::refuse(const std::string& name, const std::string& what) const {
    throw Error(ErrorKind::Usage, where_ + ": '" + name + "' " + what);
}

at::Tensor StateReader::takeIfThere(const std::string& name, const at::Tensor& like) {
    const auto found = state_.find(name);
    if (found == state_.end()) {
        return {};
    }
    const at::Tensor tensor = found->second;
    if (tensor.scalar_type() != like.scalar_type() || tensor.sizes() != like.sizes()) {
        refuse(name, "is " + describe(tensor.scalar_type(), tensor.sizes()) + ", this run's is " +
                         describe(like.scalar_type(), like.sizes()));
    }
    state_.erase(found);
    return tensor.to(like.device());
}

at::Tensor StateReader::take(const std::string& name, const at::Tensor& like) {
    at::Tensor tensor = takeIfThere(name, like);
    if (!tensor.defined()) {
        refuse(name, "is missing");
    }
    return tensor;
}

at::Tensor StateReader::takeRows(const std::string& name, const at::Tensor& likeRow) {
    const auto found = state_.find(name);
    if (found == state_.end()) {
        refuse(name, "is missing");
    }
    const at::Tensor tensor = found->second;
    const bool fits = tensor.scalar_type() == likeRow.scalar_type() &&
                      tensor.dim() == likeRow.dim() + 1 &&
                      tensor.sizes().slice(1) == likeRow.sizes();
    if (!fits) {
        refuse(name, "is " + describe(tensor.scalar_type(), tensor.sizes()) +
                         ", this run's rows are " +
                         describe(likeRow.scalar_type(), likeRow.sizes()));
    }
    state_.erase(found);
    return tensor;
}

NamedTensors StateReader::takeAll(const std::string& prefix) {
    NamedTensors taken;
    auto at = state_.lower_bound(prefix);
    while (at != state_.end() && at->first.compare(0, prefix.size(), prefix) == 0) {
        taken.emplace_back(at->first.substr(prefix.size()), at->second);
        at = state_.erase(at);
    }
    return taken;
}

void StateReader::requireEmpty() const {
    if (!state_.empty()) {
        refuse(state_.begin()->first, "belongs to nothing in this run");
    }
}

}  // namespace concertina
