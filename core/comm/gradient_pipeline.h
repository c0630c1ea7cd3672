// SPDX-License-Identifier: Apache-2.0
// GradientPipeline: our side of c10d::Reducer. Its hook pushes each bucket, as soon as autograd has
// filled it, to ONE communication thread, first in, first out, so that every rank starts every
// collective in the same order, also when a compressor needs two in a row. (Starting the second
// from a callback of the first lost: its order can differ between ranks.) The training thread calls
// everything here except what runs inside backward().
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include <torch/csrc/distributed/c10d/comm.hpp>

#include "core/comm/bucket_exchange.h"

namespace concertina {

class GradientPipeline {
 public:
    /// `parameters` in the model's order: index = layer. `collectives` is used by the communication
    /// thread only. With `wantNorms` each layer's gradients of the epoch are summed up.
    GradientPipeline(const RunSpec& spec,
                     const RankInfo& info,
                     const std::vector<std::string>& names,
                     const std::vector<at::Tensor>& parameters,
                     Collectives& collectives,
                     bool wantNorms);
    ~GradientPipeline();
    GradientPipeline(const GradientPipeline&) = delete;
    GradientPipeline& operator=(const GradientPipeline&) = delete;

    /// Whether the compressor has to see all layers at once (makeReducer).
    bool wantsOneBucket() const { return compressor_->wantsOneBucket(); }
    /// For Reducer::register_comm_hook. REQUIRES: this object outlives the Reducer.
    std::unique_ptr<c10d::CommHookInterface> makeHook();

    /// After backward(): the first layer whose gradient was not finite on this rank in this step.
    std::optional<int> firstNonFinite() const;
    /// Ends the step: error memory takes this step's residuals, or stays as it was.
    void commitStep();
    void discardStep();

    // Between steps, for checkpoints: error memory, local momentum, the compressor's state, the
    // epoch's sums and bytes. load() throws Error(Usage) for what does not fit.
    void save(NamedTensors& state) const;
    void load(StateReader& state, std::int64_t step);

    // Between epochs.
    /// "update" memories hold learning rate times gradient: divided by the new rate, so are their
    /// parts of the old one. Whether there was something to rescale.
    bool changeLearningRate(double from, double to);
    void setLevels(const std::vector<int>& levels);  ///< by layer
    const std::vector<Layer>& layers() const { return layers_; }
    /// Zeroes the epoch's sums and byte counts.
    void beginEpoch();

 private:
    struct Job {
        at::Tensor buffer;
        std::vector<BucketSlice> slices;
        c10::intrusive_ptr<c10::ivalue::Future> done;
        std::optional<c10::Stream> stream;  // on which autograd filled the bucket; none on the CPU
    };

    c10::intrusive_ptr<c10::ivalue::Future> push(c10d::GradBucket& bucket);
    std::vector<BucketSlice> slicesOf(const c10d::GradBucket& bucket) const;
    void serve();
    void process(Job& job);

    friend class PipelineHook;

    std::vector<Settings> levels_;
    std::vector<Layer> layers_;
    std::vector<at::Tensor> parameters_;
    std::unordered_map<const c10::TensorImpl*, int> layerOf_;
    ErrorMemory memory_, momentum_;
    bool memoryOfUpdates_;
    std::unique_ptr<Compressor> compressor_;
    BucketExchange exchange_;
    std::int64_t step_ = 0;
    std::vector<int> nonFinite_;  // layers, of this step

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Job> jobs_;
    bool ending_ = false;
    std::exception_ptr failure_;  // of an earlier bucket: later ones of the run fail at once
    std::thread thread_;
};

}  // namespace concertina
