// SPDX-License-Identifier: Apache-2.0
#include "core/spec/run_spec.h"

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/catalogue/check.h"
#include "core/spec/node.h"
#include "core/spec/spec_error.h"

namespace concertina {

RunSpec parseRunSpec(const std::string& toml,
                     const std::string& fileName,
                     const Overrides& overrides) {
    std::vector<SpecMistake> mistakes;
    Node root = parseToml(toml, mistakes);
    if (!mistakes.empty()) {
        throw SpecError(
            fileName,
            std::move(mistakes));  // nothing was read, so everything else would seem to be missing
    }
    applyOverrides(root, toNodes(overrides), mistakes);
    RunSpec spec = buildRunSpec(root, mistakes);
    if (!mistakes.empty()) {
        throw SpecError(fileName, std::move(mistakes));
    }
    return spec;
}

RunSpec readRunSpec(const std::filesystem::path& file, const Overrides& overrides) {
    return parseRunSpec(readSpecFile(file), file.string(), overrides);
}

RunSpec defaultRunSpec() {
    return parseRunSpec(
        "name = \"new-run\"\n"
        "data.name = \"fashion-mnist\"\n"
        "model.name = \"lenet5\"\n"
        "compress.name = \"topk\"\n"
        "policy.name = \"accordion\"\n",
        "default spec");
}

std::string stepProblem(const RunSpec& spec, const DataForm& data) {
    const std::int64_t batch = integerOf(spec.train, "batch_per_rank");
    const std::int64_t ranks = integerOf(spec.ranks, "count");
    return batch * ranks <= data.trainSamples
               ? ""
               : fmt::format(
                     "found {} on {} ranks, which takes {} samples a step, allowed: at "
                     "most the {} training samples",
                     batch, ranks, batch * ranks, data.trainSamples);
}

}  // namespace concertina
