// SPDX-License-Identifier: Apache-2.0
// KernelStatus: how a kernel reports what went wrong. Kernels throw nothing and know no error type
// of core/, so that they can be taken alone; callers turn a bad status into an Error. REQUIRES
// clauses are for callers and not checked.
#pragma once
#include <string>

namespace concertina::kernels {

struct [[nodiscard]] KernelStatus {
    bool ok = true;
    std::string message{};  // what was found and what is allowed; empty when ok
};

}  // namespace concertina::kernels
