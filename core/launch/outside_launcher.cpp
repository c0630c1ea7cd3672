// SPDX-License-Identifier: Apache-2.0
#include "core/launch/outside_launcher.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/text.h"

namespace concertina {
namespace {

struct Variables {
    const char *launcher, *rank, *worldSize, *localRank;
};
constexpr std::array<Variables, 3> kLaunchers{
    {{"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK"},
     {"Slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
     {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"}}};

class Reader {
 public:
    explicit Reader(const Environment& environment) : environment_(environment) {}

    bool isSet(const char* name) const { return environment_(name) != nullptr; }

    int number(const char* name, int low, int high) {
        const char* found = environment_(name);
        int value = 0;
        const std::string_view text = found == nullptr ? "" : found;
        const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (trouble != std::errc() || end != text.data() + text.size() || value < low ||
            value > high) {
            problems_.push_back(fmt::format(
                "{} is {}, allowed: an integer from {} to {}", name,
                found == nullptr ? "not set" : '"' + excerpt(found, 60) + '"', low, high));
            return low;
        }
        return value;
    }

    std::string text(const char* name, const char* allowed) {
        const char* found = environment_(name);
        if (found == nullptr || *found == '\0') {
            problems_.push_back(fmt::format("{} is not set, allowed: {}", name, allowed));
            return "";
        }
        return found;
    }

    void throwProblems() const {
        if (!problems_.empty()) {
            throw Error(ErrorKind::Usage, "the launcher's environment: " + join(problems_, "; "));
        }
    }

 private:
    const Environment& environment_;
    std::vector<std::string> problems_;
};

}  // namespace

OutsidePlace outsidePlace(const Environment& environment) {
    Reader reader(environment);
    const Variables* variables = &kLaunchers.front();
    for (const Variables& known : kLaunchers) {
        if (reader.isSet(known.rank) || reader.isSet(known.worldSize)) {
            variables = &known;
            break;
        }
    }
    OutsidePlace place;
    place.launcher = variables->launcher;
    place.worldSize = reader.number(variables->worldSize, 1, 256);
    place.rank = reader.number(variables->rank, 0, place.worldSize - 1);
    place.localRank = reader.number(variables->localRank, 0, place.worldSize - 1);
    place.meeting.address = reader.text("MASTER_ADDR", "an address of the machine of rank 0");
    place.meeting.port = static_cast<std::uint16_t>(reader.number("MASTER_PORT", 1, 65535));
    const char* listens = environment("TORCHELASTIC_USE_AGENT_STORE");
    place.meeting.launcherListens = listens != nullptr && std::string_view(listens) == "True";
    reader.throwProblems();
    return place;
}

}  // namespace concertina
