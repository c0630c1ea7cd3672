// SPDX-License-Identifier: Apache-2.0
// RunSpec: everything that determines a run, as TOML from a user or canonical JSON from a store,
// validated against the catalogue. Used by the command line, the supervisor, the ranks and the
// workbench's form. Plain data, any thread.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/value.h"

namespace concertina {

/// A row of a catalogue family and its parameters, defaults filled in.
struct Choice {
    std::string name;
    Settings options;
    bool operator==(const Choice&) const = default;
};

struct RunSpec {
    std::string name;
    std::uint64_t seed = 1;
    Choice data, model;
    Settings train;                // trainParameters()
    Settings ranks;                // ranksParameters(); "auto" stays "auto" here
    Choice compress;               // options hold compressParameters() and the compressor's own
    std::vector<Settings> levels;  // mild first
    Choice policy;
    std::optional<Settings> link;  // linkParameters(); absent: collectives are not paced
    bool operator==(const RunSpec&) const = default;
};

/// One mistake in a spec, e.g. {12, "train.lr", "-1", "lr is -1: must be above 0"}.
struct SpecMistake {
    int line;              // 1-based; 0 where no line applies (a --set, a missing table)
    std::string key;       // dotted
    std::string sentence;  // what was found and what is allowed
};

/// Carries every mistake at once; what() lists them, "FILE:LINE: key: sentence", one a line.
class SpecError;

/// `--set key=value`: value as TOML would write it; a bare word is taken as text.
using Overrides = std::vector<std::pair<std::string, std::string>>;

/// Reads TOML. Throws SpecError (an Error of kind Usage) with all mistakes: syntax, unknown keys
/// (with the nearest known one), wrong types, out of range, unknown names, levels not ordered from
/// mild to strong.
RunSpec parseRunSpec(const std::string& toml,
                     const std::string& fileName,
                     const Overrides& overrides = {});
RunSpec readRunSpec(const std::filesystem::path& file, const Overrides& overrides = {});

struct DataForm;
/// Why a step of all ranks does not fit in such data; empty when it does.
std::string stepProblem(const RunSpec& spec, const DataForm& data);

/// The default spec of the catalogue, launchable as it is: what the workbench's form opens with.
RunSpec defaultRunSpec();
/// The spec as TOML that parseRunSpec reads back equal; keys at their default are left out unless
/// `all`.
std::string toToml(const RunSpec& spec, bool all = false);

/// Canonical JSON: keys sorted, every default filled in, numbers in shortest form.
/// fromJson(toJson(s)) == s.
std::string toJson(const RunSpec& spec);
RunSpec runSpecFromJson(const std::string& json);
/// First 16 hex digits of SHA-256 over the canonical JSON without name, seed and keys at their
/// default: equal for "the same configuration, other seeds", also after new keys were invented.
std::string specHash(const RunSpec& spec);

/// A study: a base spec, named variants (overrides) times seeds. TOML: the base's tables, `seeds =
/// [1, 2]`,
/// `[[variant]]` tables with `name` and `set = { "policy.name" = "static" }`, and optional `[grid]`
/// lists.
struct StudySpec {
    std::string name;
    struct Trial {
        std::string variant;
        RunSpec spec;
    };
    std::vector<Trial> trials;  // variants in file order, seeds inside
};
StudySpec readStudySpec(const std::filesystem::path& file, const Overrides& overrides = {});

}  // namespace concertina
