// SPDX-License-Identifier: Apache-2.0
#include "tests/support/store_folder.h"

namespace concertina {

RunRow exampleRun(const std::string& id) {
    RunRow run;
    run.id = id;
    run.name = "example";
    run.specJson = "{\"name\": \"example\"}";
    run.specHash = "0123456789abcdef";
    run.seed = 18446744073709551615u;
    run.compressor = "powersgd";
    run.policy = "accordion";
    run.model = "lenet5";
    run.dataset = "fashion-mnist";
    run.ranks = 2;
    run.epochsPlanned = 4;
    run.createdMs = 1000;
    run.supervisor = {1234, 5678, "boot", "host"};
    return run;
}

EpochRow exampleEpoch(int epoch) {
    EpochRow row;
    row.epoch = epoch;
    row.trainLoss = 0.25;
    row.testLoss = 0.5;
    row.testAccuracy = 0.75;
    row.learningRate = 0.1;
    row.trainSeconds = epoch + 1;
    row.epochSeconds = 1;
    row.steps = 10;
    row.payloadBytes = 100;
    row.wireBytes = 200;
    row.denseFp32WireBytes = 2000;
    row.denseFp32PayloadBytes = 1000;
    row.decisionWireBytes = 3;
    return row;
}

}  // namespace concertina
