// SPDX-License-Identifier: Apache-2.0
// GeneratedRun: a complete synthetic run, for tests and pictures of the workbench at sizes that
// would take hours to train. Byte counts come from the catalogue's plans; norms fall as in the
// papers' figures, and some layers misbehave on purpose:
//   layer 3: one NaN norm; layer 4: one infinite norm; layer 6: dead (norm 0) from a third on.
// Step 5 has a NaN loss, epoch 1 was not evaluated. The same options give the same numbers.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/store/writer.h"

namespace concertina {

struct GeneratedRunOptions {
    std::string id{};  // empty: a new one
    std::string name = "generated";
    std::string policy = "accordion";  // or "static"
    int staticLevel = 0;               // of "static"
    int layers = 60;                   // parameter tensors; every third is a vector
    int epochs = 40;
    int stepsPerEpoch = 50;
    int ranks = 2;
    int intervalEpochs = 4;
    double eta = 0.5;
    std::uint64_t seed = 1;
};

class GeneratedRun {
 public:
    explicit GeneratedRun(GeneratedRunOptions options = {});

    const std::string& id() const { return options_.id; }
    const std::vector<LayerRow>& layers() const { return layers_; }
    RunRow row() const;  ///< as createRun takes it
    /// Layers and the decisions of epoch 0.
    PointBatch beginning() const;
    /// Everything recorded in `epoch`, and the decisions made at its end. REQUIRES: epochs in
    /// order.
    PointBatch epoch(int epoch);
    FinishRow finish() const;

    double norm(int epoch, int layer) const;
    double learningRate(int epoch) const;

 private:
    std::vector<StepRow> stepsOf(int epoch) const;
    std::vector<LayerEpochRow> layersOf(int epoch) const;
    EpochRow epochOf(int epoch, const std::vector<LayerEpochRow>& layers) const;
    std::vector<Decision> decisionsAfter(int epoch) const;
    Decision decide(int epoch, int layer) const;
    double noise(int epoch, int layer) const;  ///< in [-1, 1)

    GeneratedRunOptions options_;
    std::vector<LayerRow> layers_;
    std::vector<int> levels_;  // of the next epoch, -1 where not compressible
};

/// Creates the run, writes the first `epochsWritten` epochs (all by default, then as done; else it
/// is left running, supervised by this process) and returns its id.
std::string writeGeneratedRun(RunWriter& writer,
                              const GeneratedRunOptions& options = {},
                              int epochsWritten = -1);

}  // namespace concertina
