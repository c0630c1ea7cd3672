// SPDX-License-Identifier: Apache-2.0
// Canonical JSON of a spec, and the hash over it.
#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/catalogue/catalogue.h"
#include "core/spec/node.h"
#include "core/spec/spec_error.h"

namespace concertina {
namespace {

using Json = nlohmann::json;  // sorts its keys

/// Whether a setting is left out because it holds its default.
bool isDefault(const std::string& name, const Value& value, std::span<const Parameter> parameters) {
    for (const Parameter& parameter : parameters) {
        if (parameter.name == name) {
            return parameter.defaultValue == value;
        }
    }
    return false;
}

/// The settings; without those at their default when `defaults` lists them.
Json jsonOf(const Settings& settings, std::span<const Parameter> defaults) {
    Json object = Json::object();
    for (const auto& [name, value] : settings) {
        if (!isDefault(name, value, defaults)) {
            object[name] = std::visit([](const auto& held) { return Json(held); }, value);
        }
    }
    return object;
}

Json jsonOf(const Choice& choice, std::span<const Parameter> defaults) {
    Json object = jsonOf(choice.options, defaults);
    object["name"] = choice.name;
    return object;
}

/// Parameters whose defaults are left out: all of them for the hash, none for the full form.
std::span<const Parameter> omitted(std::span<const Parameter> parameters, bool minimal) {
    return minimal ? parameters : std::span<const Parameter>();
}

Json compressJson(const RunSpec& spec, bool minimal) {
    const CompressorDescriptor* compressor = findCompressor(spec.compress.name);
    CONCERTINA_CHECK(compressor != nullptr, "no compressor '" + spec.compress.name + "'");
    const std::vector<Parameter> options = compressParametersOf(*compressor);
    Json object = jsonOf(spec.compress, omitted(options, minimal));
    object["levels"] = Json::array();
    for (const Settings& level : spec.levels) {
        object["levels"].push_back(jsonOf(level, omitted(compressor->levelParameters, minimal)));
    }
    return object;
}

template <typename Row>
Json choiceJson(const Choice& choice, const Row* row, bool minimal) {
    CONCERTINA_CHECK(row != nullptr, "nothing in the catalogue is called '" + choice.name + "'");
    return jsonOf(choice, omitted(row->parameters, minimal));
}

Json bodyJson(const RunSpec& spec, bool minimal) {
    Json json{{"data", choiceJson(spec.data, findDataset(spec.data.name), minimal)},
              {"model", choiceJson(spec.model, findModel(spec.model.name), minimal)},
              {"policy", choiceJson(spec.policy, findPolicy(spec.policy.name), minimal)},
              {"compress", compressJson(spec, minimal)},
              {"train", jsonOf(spec.train, omitted(trainParameters(), minimal))},
              {"ranks", jsonOf(spec.ranks, omitted(ranksParameters(), minimal))}};
    if (spec.link) {
        json["link"] = jsonOf(*spec.link, omitted(linkParameters(), minimal));
    }
    return json;
}

Node fromJson(const Json& json, int depth) {
    if (depth > kMaxDepth) {
        return {.value = Node::Other{"a too deeply nested value"}};
    }
    switch (json.type()) {
        case Json::value_t::boolean:
            return {.value = json.get<bool>()};
        case Json::value_t::number_integer:
            return {.value = json.get<std::int64_t>()};
        case Json::value_t::number_unsigned:
            if (json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) {
                return {.value = Node::Other{"an integer beyond 64 bits"}};
            }
            return {.value = json.get<std::int64_t>()};
        case Json::value_t::number_float:
            return {.value = json.get<double>()};
        case Json::value_t::string:
            return {.value = json.get<std::string>()};
        case Json::value_t::array: {
            Node::Items items;
            for (const Json& item : json) {
                items.push_back(fromJson(item, depth + 1));
            }
            return {.value = std::move(items)};
        }
        case Json::value_t::object: {
            Node::Members members;
            for (const auto& [key, member] : json.items()) {
                members.emplace(key, fromJson(member, depth + 1));
            }
            return {.value = std::move(members)};
        }
        default:
            return {.value = Node::Other{"null"}};
    }
}

}  // namespace

std::string toJson(const RunSpec& spec) {
    Json json = bodyJson(spec, false);
    json["name"] = spec.name;
    json["seed"] = spec.seed;
    return json.dump();
}

RunSpec runSpecFromJson(const std::string& json) {
    static const std::string kSource = "stored spec";
    if (json.size() > kMaxSpecBytes) {
        throw SpecError(
            kSource,
            {{0, "", fmt::format("too large: {} bytes, allowed: {}", json.size(), kMaxSpecBytes)}});
    }
    const Json parsed = Json::parse(json, nullptr, false);
    if (!parsed.is_object()) {
        throw SpecError(kSource, {{0, "", "not a JSON object: " + excerpt(json)}});
    }
    std::vector<SpecMistake> mistakes;
    RunSpec spec = buildRunSpec(fromJson(parsed, 0), mistakes);
    if (!mistakes.empty()) {
        throw SpecError(kSource, std::move(mistakes));
    }
    return spec;
}

std::string specHash(const RunSpec& spec) {
    constexpr std::size_t kDigits = 16;
    return sha256Hex(bodyJson(spec, true).dump()).substr(0, kDigits);
}

}  // namespace concertina
