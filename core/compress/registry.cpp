// SPDX-License-Identifier: Apache-2.0
// The one table of compressors: a row here, a row in core/catalogue, one .cpp each. A contract test
// compares the names.
#include "core/base/check.h"
#include "core/base/error.h"
#include "core/compress/compressor.h"

namespace concertina {

std::unique_ptr<Compressor> makeNatural(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeNone(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeOnebit(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makePowersgd(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeQsgd(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeRandomk(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeSignsgd(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeTerngrad(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeTopk(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeThreshold(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeAdacomp(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeVariance(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeAtomo(const Choice& compress, const RankInfo& info);
std::unique_ptr<Compressor> makeDgc(const Choice& compress, const RankInfo& info);

namespace {

struct CompressorFactory {
    const char* name;
    std::unique_ptr<Compressor> (*make)(const Choice& compress, const RankInfo& info);
};

constexpr CompressorFactory kFactories[] = {
    {"none", makeNone},         {"topk", makeTopk},
    {"randomk", makeRandomk},   {"threshold", makeThreshold},
    {"adacomp", makeAdacomp},   {"variance", makeVariance},
    {"dgc", makeDgc},           {"qsgd", makeQsgd},
    {"natural", makeNatural},   {"terngrad", makeTerngrad},
    {"signsgd", makeSignsgd},   {"onebit", makeOnebit},
    {"powersgd", makePowersgd}, {"atomo", makeAtomo},
};

}  // namespace

void Compressor::load(const NamedTensors& state, std::span<const Shape>) {
    if (!state.empty()) {
        throw Error(ErrorKind::Usage, "the checkpoint holds compressor state '" +
                                          state.front().first +
                                          "', but this compressor keeps none");
    }
}

std::unique_ptr<Compressor> makeCompressor(const Choice& compress, const RankInfo& info) {
    for (const auto& factory : kFactories) {
        if (compress.name == factory.name) {
            return factory.make(compress, info);
        }
    }
    CONCERTINA_CHECK(false, "no compressor is named " + compress.name);
    return nullptr;
}

std::vector<std::string> compressorFactoryNames() {
    std::vector<std::string> names;
    for (const auto& factory : kFactories) {
        names.emplace_back(factory.name);
    }
    return names;
}

}  // namespace concertina
