// SPDX-License-Identifier: Apache-2.0
#include "core/launch/outside_launcher.h"

#include <gmock/gmock.h>

#include <map>

#include "core/base/error.h"
#include "core/launch/control_request.h"

namespace concertina {
namespace {

using Variables = std::map<std::string, std::string>;

OutsidePlace placeOf(const Variables& variables) {
    return outsidePlace([&variables](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

std::string refusalOf(const Variables& variables) {
    try {
        placeOf(variables);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        return error.what();
    }
    return "";
}

TEST(OutsideLauncher, EachLaunchersVariablesAreRead) {
    const std::vector<Variables> launchers{
        {{"RANK", "3"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "1"}},
        {{"SLURM_PROCID", "3"}, {"SLURM_NTASKS", "4"}, {"SLURM_LOCALID", "1"}},
        {{"OMPI_COMM_WORLD_RANK", "3"},
         {"OMPI_COMM_WORLD_SIZE", "4"},
         {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}}};
    for (Variables variables : launchers) {
        variables["MASTER_ADDR"] = "node7";
        variables["MASTER_PORT"] = "29500";
        const OutsidePlace place = placeOf(variables);
        EXPECT_EQ(place.rank, 3) << place.launcher;
        EXPECT_EQ(place.worldSize, 4);
        EXPECT_EQ(place.localRank, 1);
        EXPECT_EQ(place.meeting.address, "node7");
        EXPECT_EQ(place.meeting.port, 29500);
        EXPECT_FALSE(place.meeting.launcherListens);
    }
}

TEST(OutsideLauncher, TorchrunInsideASlurmJobIsTorchrun) {
    const OutsidePlace place = placeOf({{"RANK", "1"},
                                        {"WORLD_SIZE", "2"},
                                        {"LOCAL_RANK", "0"},
                                        {"SLURM_PROCID", "0"},
                                        {"SLURM_NTASKS", "1"},
                                        {"SLURM_LOCALID", "0"},
                                        {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                                        {"MASTER_ADDR", "10.0.0.1"},
                                        {"MASTER_PORT", "1"}});
    EXPECT_EQ(place.launcher, "torchrun");
    EXPECT_EQ(place.rank, 1);
    EXPECT_TRUE(place.meeting.launcherListens);
}

TEST(OutsideLauncher, EveryMissingOrWrongVariableIsNamed) {
    EXPECT_EQ(
        refusalOf({}),
        "the launcher's environment: WORLD_SIZE is not set, allowed: an integer from 1 to 256; "
        "RANK is not set, allowed: an integer from 0 to 0; LOCAL_RANK is not set, allowed: an "
        "integer from 0 to 0; MASTER_ADDR is not set, allowed: an address of the machine of "
        "rank 0; MASTER_PORT is not set, allowed: an integer from 1 to 65535");
    EXPECT_EQ(refusalOf({{"SLURM_PROCID", "4"},
                         {"SLURM_NTASKS", "4"},
                         {"SLURM_LOCALID", "x"},
                         {"MASTER_ADDR", ""},
                         {"MASTER_PORT", "70000"}}),
              "the launcher's environment: SLURM_PROCID is \"4\", allowed: an integer from 0 to 3; "
              "SLURM_LOCALID is \"x\", allowed: an integer from 0 to 3; MASTER_ADDR is not set, "
              "allowed: an address of the machine of rank 0; MASTER_PORT is \"70000\", allowed: an "
              "integer from 1 to 65535");
}

TEST(ControlRequest, WhoIsStoppingNeitherPausesNorGoesOn) {
    for (const Command stopping : {Command::Stop, Command::StopAfterEpoch}) {
        EXPECT_FALSE(effectOf("pause", stopping).has_value());
        EXPECT_FALSE(effectOf("continue", stopping).has_value());
        EXPECT_EQ(effectOf("stop", stopping)->command, Command::Stop);
    }
    EXPECT_FALSE(effectOf("stop-after-epoch", Command::Stop).has_value());
    EXPECT_EQ(effectOf("pause", Command::None)->status, RunStatus::Paused);
    EXPECT_EQ(effectOf("continue", Command::Pause)->command, Command::None);
    EXPECT_FALSE(effectOf("dance", Command::None).has_value());
    EXPECT_FALSE(isControlVerb("dance"));
}

}  // namespace
}  // namespace concertina
