// SPDX-License-Identifier: Apache-2.0
// ComputePrecision: while it lives, torch computes what it safely can in bfloat16 (autocast), on
// this thread. bfloat16 has the range of fp32, so losses need no scaling. Training thread; backward
// follows the types of forward and runs outside.
#pragma once
#include <ATen/autocast_mode.h>
#include <c10/core/Device.h>

namespace concertina {

class ComputePrecision {
 public:
    ComputePrecision(bool halves, c10::Device device) : halves_(halves), type_(device.type()) {
        if (halves_) {
            at::autocast::increment_nesting();
            at::autocast::set_autocast_dtype(type_, at::kBFloat16);
            at::autocast::set_autocast_enabled(type_, true);
        }
    }
    ~ComputePrecision() {
        if (halves_) {
            at::autocast::set_autocast_enabled(type_, false);
            if (at::autocast::decrement_nesting() == 0) {
                at::autocast::clear_cache();
            }
        }
    }
    ComputePrecision(const ComputePrecision&) = delete;
    ComputePrecision& operator=(const ComputePrecision&) = delete;

 private:
    bool halves_;
    c10::DeviceType type_;
};

}  // namespace concertina
