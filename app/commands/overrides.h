// SPDX-License-Identifier: Apache-2.0
// `--set key=value`, shared by run and batch. Main thread.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/spec/run_spec.h"

namespace concertina {

void addSetOption(CLI::App& app, std::vector<std::string>& settings);
/// Throws Error(Usage) for one without '='.
Overrides overridesOf(const std::vector<std::string>& settings);

}  // namespace concertina
