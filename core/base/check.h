// SPDX-License-Identifier: Apache-2.0
// CONCERTINA_CHECK: a condition that only a bug can break. Always on. Throws std::logic_error
// naming the place, so that a run can still write its reason to the store.
#pragma once
#include <stdexcept>
#include <string>

#define CONCERTINA_CHECK(condition, message)                                                \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            throw std::logic_error(std::string(__FILE__) + ":" + std::to_string(__LINE__) + \
                                   ": check failed: " #condition ": " + (message));         \
        }                                                                                   \
    } while (false)
