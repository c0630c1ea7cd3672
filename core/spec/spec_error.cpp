// SPDX-License-Identifier: Apache-2.0
#include "core/spec/spec_error.h"

#include <fmt/format.h>

#include <utility>

namespace concertina {
namespace {

std::string listed(const std::string& fileName, const std::vector<SpecMistake>& mistakes) {
    std::string text;
    for (const SpecMistake& mistake : mistakes) {
        const std::string place =
            mistake.line > 0 ? fmt::format("{}:{}", fileName, mistake.line) : fileName;
        const std::string key = mistake.key.empty() ? "" : mistake.key + ": ";
        text += fmt::format("{}{}: {}{}", text.empty() ? "" : "\n", place, key, mistake.sentence);
    }
    return text;
}

}  // namespace

SpecError::SpecError(const std::string& fileName, std::vector<SpecMistake> mistakes)
    : Error(ErrorKind::Usage, listed(fileName, mistakes)), mistakes_(std::move(mistakes)) {}

}  // namespace concertina
