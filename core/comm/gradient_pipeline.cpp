// SPDX-License-Identifier: Apache-2.0
#include "core/comm/gradient_pipeline.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>

#include "core/base/check.h"

namespace concertina {

class PipelineHook : public c10d::CppCommHookInterface<GradientPipeline*> {
 public:
    using CppCommHookInterface::CppCommHookInterface;
    c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
        return state_->push(bucket);
    }
};

namespace {

ExchangeOptions exchangeOptions(const RunSpec& spec) {
    const Settings& options = spec.compress.options;
    ExchangeOptions result;
    result.errorFeedback = booleanOf(options, "error_feedback");
    result.errorDecay = static_cast<float>(realOf(options, "error_decay"));
    if (textOf(options, "momentum_place") == "before") {
        result.localMomentum = static_cast<float>(realOf(spec.train, "momentum"));
    }
    return result;
}

}  // namespace

GradientPipeline::GradientPipeline(const RunSpec& spec,
                                   const RankInfo& info,
                                   const std::vector<std::string>& names,
                                   const std::vector<at::Tensor>& parameters,
                                   Collectives& collectives,
                                   bool wantNorms)
    : levels_(spec.levels),
      layers_(makeLayers(spec, names, parameters, info.worldSize)),
      parameters_(parameters),
      memory_(parameters.size()),
      momentum_(parameters.size()),
      memoryOfUpdates_(booleanOf(spec.compress.options, "error_feedback") &&
                       textOf(spec.compress.options, "memory") == "update"),
      compressor_(makeCompressor(spec.compress, info)),
      exchange_({.layers = layers_,
                 .levels = levels_,
                 .compressor = *compressor_,
                 .memory = memory_,
                 .momentum = momentum_,
                 .collectives = collectives,
                 .options = exchangeOptions(spec)}) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        layerOf_[parameters[i].unsafeGetTensorImpl()] = static_cast<int>(i);
        if (wantNorms) {
            layers_[i].epochSum = at::zeros({parameters[i].numel()}, parameters[i].options());
        }
    }
    thread_ = std::thread([this] { serve(); });
}

GradientPipeline::~GradientPipeline() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

std::unique_ptr<c10d::CommHookInterface> GradientPipeline::makeHook() {
    return std::make_unique<PipelineHook>(this);
}

std::vector<BucketSlice> GradientPipeline::slicesOf(const c10d::GradBucket& bucket) const {
    const at::Tensor& buffer = bucket.getBuffer();
    const std::vector<at::Tensor> gradients = bucket.getGradients();
    const std::vector<at::Tensor> parameters = bucket.getParameters();
    std::vector<BucketSlice> slices;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        const auto found = layerOf_.find(parameters[i].unsafeGetTensorImpl());
        CONCERTINA_CHECK(found != layerOf_.end(), "a bucket holds an unknown parameter");
        // The parameter's memory inside the bucket, whatever its strides: compression sees numbers.
        const std::int64_t offset = gradients[i].storage_offset() - buffer.storage_offset();
        slices.push_back({found->second, buffer.narrow(0, offset, gradients[i].numel())});
    }
    return slices;
}

c10::intrusive_ptr<c10::ivalue::Future> GradientPipeline::push(c10d::GradBucket& bucket) {
    Job job;
    job.buffer = bucket.getBuffer();
    job.slices = slicesOf(bucket);
    std::vector<c10::Device> devices;
    if (const c10::Device device = job.buffer.device(); !device.is_cpu()) {
        devices.push_back(device);
        job.stream = c10::impl::VirtualGuardImpl(device.type()).getStream(device);
    }
    job.done = c10::make_intrusive<c10::ivalue::Future>(c10::TensorType::get(), devices);
    auto done = job.done;
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    wake_.notify_one();
    return done;
}

void GradientPipeline::serve() {
    const at::NoGradGuard noGrad;
    while (true) {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
        if (jobs_.empty()) {
            return;
        }
        Job job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        process(job);
    }
}

void GradientPipeline::process(Job& job) {
    // On a GPU this queues on the very stream that computed the gradients: no overlap with the rest
    // of backward, but no event to forget either.
    c10::OptionalStreamGuard guard;
    if (job.stream) {
        guard.reset_stream(*job.stream);
    }
    try {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        const std::vector<int> bad = exchange_.run(job.slices, step_);
        nonFinite_.insert(nonFinite_.end(), bad.begin(), bad.end());
        job.done->markCompleted(job.buffer);
    } catch (...) {
        failure_ = std::current_exception();
        job.done->setError(failure_);
    }
}

std::optional<int> GradientPipeline::firstNonFinite() const {
    const auto first = std::min_element(nonFinite_.begin(), nonFinite_.end());
    return first == nonFinite_.end() ? std::nullopt : std::optional<int>(*first);
}

void GradientPipeline::commitStep() {
    memory_.commit();
    momentum_.commit();
    compressor_->commit();
    nonFinite_.clear();
    ++step_;
}

void GradientPipeline::discardStep() {
    memory_.rollback();
    momentum_.rollback();
    compressor_->rollback();
    nonFinite_.clear();
    ++step_;  // the next batch draws fresh random numbers, whatever became of this one
}

bool GradientPipeline::changeLearningRate(double from, double to) {
    if (!memoryOfUpdates_ || from == to) {
        return false;
    }
    memory_.scale(from / to);
    return true;
}

void GradientPipeline::setLevels(const std::vector<int>& levels) {
    CONCERTINA_CHECK(levels.size() == layers_.size(), "one level per layer");
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const bool known = levels[i] >= 0 && static_cast<std::size_t>(levels[i]) < levels_.size();
        CONCERTINA_CHECK(known, "level " + std::to_string(levels[i]) + " of " + layers_[i].name);
        layers_[i].level = levels[i];
    }
}

void GradientPipeline::beginEpoch() {
    for (Layer& layer : layers_) {
        if (layer.epochSum.defined()) {
            layer.epochSum.zero_();
        }
        layer.payloadBytes = 0;
        layer.wireBytes = 0;
    }
}

}  // namespace concertina
