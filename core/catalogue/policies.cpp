// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/catalogue.h"

namespace concertina {

PolicyDescriptor staticPolicy();
PolicyDescriptor schedulePolicy();
PolicyDescriptor windowPolicy();
PolicyDescriptor randomPolicy();
PolicyDescriptor accordionPolicy();

std::span<const PolicyDescriptor> policies() {
    static const std::vector<PolicyDescriptor> kTable{
        staticPolicy(), schedulePolicy(), windowPolicy(), randomPolicy(), accordionPolicy(),
    };
    return kTable;
}

}  // namespace concertina
