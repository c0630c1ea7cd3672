// SPDX-License-Identifier: Apache-2.0
// A data set or a model with its defaults, some of them changed.
#pragma once
#include "core/catalogue/catalogue.h"
#include "core/catalogue/check.h"
#include "core/spec/run_spec.h"

namespace concertina {

inline Choice changed(const std::string& name,
                      std::span<const Parameter> parameters,
                      const Settings& changes) {
    Choice choice{name, defaultsOf(parameters)};
    for (const auto& [key, value] : changes) {
        choice.options.at(key) = value;
    }
    return choice;
}

inline Choice dataChoice(const std::string& name, const Settings& changes = {}) {
    return changed(name, findDataset(name)->parameters, changes);
}

inline Choice modelChoice(const std::string& name, const Settings& changes = {}) {
    return changed(name, findModel(name)->parameters, changes);
}

}  // namespace concertina
