// SPDX-License-Identifier: Apache-2.0
#include "core/comm/error_memory.h"

#include <ATen/ops/empty_like.h>

#include <utility>

namespace concertina {

at::Tensor& ErrorMemory::next(int layer, const at::Tensor& like) {
    at::Tensor& next = slots_[at(layer)].next;
    if (!next.defined()) {
        next = at::empty_like(like);
    }
    return next;
}

void ErrorMemory::scale(double factor) {
    for (Slot& slot : slots_) {
        if (slot.present.defined()) {
            slot.present.mul_(factor);
        }
    }
}

void ErrorMemory::commit() {
    for (Slot& slot : slots_) {
        if (slot.outcome == Outcome::Keep) {
            std::swap(slot.present, slot.next);
        } else if (slot.outcome == Outcome::Clear) {
            slot.present = at::Tensor();
        }
        slot.outcome = Outcome::Untouched;
    }
}

void ErrorMemory::rollback() {
    for (Slot& slot : slots_) {
        slot.outcome = Outcome::Untouched;
    }
}

}  // namespace concertina
