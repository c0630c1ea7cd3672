// SPDX-License-Identifier: Apache-2.0
// Error feedback of one rank around a real compressor, as the paper has it and without the pipeline
// (Karimireddy, Rebjock, Stich, Jaggi 2019, algorithm 2): for tests and studies of the method.
#pragma once
#include <ATen/ops/zeros.h>

#include <string>
#include <utility>

#include "tests/contract/compressor_ranks.h"

namespace concertina {

class FeedbackLoop {
 public:
    /// Vectors of `elements`, at a level of that compressor; without `feedback` nothing is kept.
    FeedbackLoop(const std::string& compressor,
                 const Settings& level,
                 const Shape& shape,
                 bool feedback = true,
                 Settings options = {})
        : shape_(shape),
          plan_(planOf(compressor, shape, level, options)),
          world_(compressor, 1, 1, withFeedback(std::move(options), feedback)),
          feedback_(feedback),
          memory_(at::zeros({elementsOf(shape)})) {}

    /// p = `step` + e; returns C(p), what x loses; e = p - C(p). `step` is the learning rate times
    /// the gradient.
    at::Tensor sent(const at::Tensor& step) {
        world_.setGradient(step);
        std::vector<at::Tensor> inputs{feedback_ ? memory_ + step : step.clone()};
        at::Tensor decoded = world_.step(plan_, shape_, inputs, steps_++);
        memory_ = inputs[0];
        return decoded;
    }

    const at::Tensor& memory() const { return memory_; }

 private:
    static Settings withFeedback(Settings options, bool feedback) {
        options["error_feedback"] = feedback;
        return options;
    }

    Shape shape_;
    LevelPlan plan_;
    CompressorRanks world_;
    bool feedback_;
    at::Tensor memory_;
    std::int64_t steps_ = 0;
};

}  // namespace concertina
