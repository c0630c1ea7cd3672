// SPDX-License-Identifier: Apache-2.0
// A compressor as a spec that says nothing more about it would have it: all options at their
// defaults. For tests that make a RunSpec by hand.
#pragma once
#include <string>

#include "core/catalogue/check.h"
#include "core/spec/run_spec.h"

namespace concertina {

inline Choice compressorAtDefaults(const std::string& name) {
    return {name, defaultsOf(compressParametersOf(*findCompressor(name)))};
}

}  // namespace concertina
