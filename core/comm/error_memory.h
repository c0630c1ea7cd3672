// SPDX-License-Identifier: Apache-2.0
// What a layer keeps from step to step: error feedback's memory and, in an object of its own, local
// momentum. Per layer, fp32, outside the gradient buffers, so that zeroing or
// clipping gradients cannot touch it (EF-SGD, Karimireddy et al. 2019; gradient space: the learning
// rate is outside). A step writes the next memory beside the present one; commit() makes it the
// present one once all ranks agree that the step counts. Communication thread during a step,
// training thread between steps.
#pragma once
#include <ATen/core/Tensor.h>

#include <utility>
#include <vector>

namespace concertina {

class ErrorMemory {
 public:
    explicit ErrorMemory(std::size_t layers) : slots_(layers) {}

    /// What earlier steps left of the layer; undefined when nothing was (which counts as zeros).
    const at::Tensor& present(int layer) const { return slots_[at(layer)].present; }
    /// Buffer of `like`'s size and device for gradient plus memory, then for the residual.
    at::Tensor& next(int layer, const at::Tensor& like);

    /// The step's residual of `layer` is in next(): keep it.
    void keepNext(int layer) { slots_[at(layer)].outcome = Outcome::Keep; }
    /// The layer's memory was sent in full by this step.
    void clear(int layer) { slots_[at(layer)].outcome = Outcome::Clear; }

    /// Multiplies what is kept, between steps: "update" memories when the learning rate changes.
    void scale(double factor);

    /// Between steps: what a checkpoint kept of the layer; undefined for nothing.
    void restore(int layer, at::Tensor kept) { slots_[at(layer)].present = std::move(kept); }

    void commit();    ///< applies keepNext and clear of this step
    void rollback();  ///< forgets them: the present memory stays

 private:
    enum class Outcome { Untouched, Keep, Clear };
    struct Slot {
        at::Tensor present, next;
        Outcome outcome = Outcome::Untouched;
    };
    static std::size_t at(int layer) { return static_cast<std::size_t>(layer); }
    std::vector<Slot> slots_;
};

}  // namespace concertina
