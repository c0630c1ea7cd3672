// SPDX-License-Identifier: Apache-2.0
// SpecError: every mistake of a spec at once. Thrown by core/spec; the workbench shows each beside
// its field.
#pragma once
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/spec/run_spec.h"

namespace concertina {

class SpecError : public Error {
 public:
    SpecError(const std::string& fileName, std::vector<SpecMistake> mistakes);
    const std::vector<SpecMistake>& mistakes() const { return mistakes_; }

 private:
    std::vector<SpecMistake> mistakes_;
};

}  // namespace concertina
