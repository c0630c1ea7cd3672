// SPDX-License-Identifier: Apache-2.0
// Keys of the spec's tables that belong to no compressor, policy, model or data set; those of
// [train] are in train_parameters.cpp.
#include "core/catalogue/catalogue.h"

namespace concertina {
std::span<const Parameter> generalParameters() {
    static const std::vector<Parameter> kTable{
        {.name = "name",
         .type = ParameterType::Text,
         .unit = "",
         .defaultValue = std::string("unnamed"),
         .summary = "what the run is called; several runs may have the same name"},
        {.name = "seed",
         .type = ParameterType::Integer,
         .unit = "1",
         .defaultValue = std::int64_t{1},
         .min = 0,
         .summary = "start of every random number: weights, data order, compression"},
    };
    return kTable;
}

std::span<const Parameter> ranksParameters() {
    static const std::vector<Parameter> kTable{
        {.name = "count",
         .type = ParameterType::Integer,
         .unit = "ranks",
         .defaultValue = std::int64_t{2},
         .min = 1,
         .max = 256,
         .summary = "worker processes"},
        {.name = "device",
         .type = ParameterType::Choice,
         .unit = "",
         .defaultValue = std::string("auto"),
         .choices = {"auto", "cpu", "cuda"},
         .summary = "where ranks compute; auto takes CUDA when there is a GPU for each rank"},
        {.name = "backend",
         .type = ParameterType::Choice,
         .unit = "",
         .defaultValue = std::string("auto"),
         .choices = {"auto", "gloo", "nccl"},
         .summary = "what carries the collectives; auto takes nccl on CUDA, gloo otherwise"},
        {.name = "threads_per_rank",
         .type = ParameterType::Integer,
         .unit = "threads",
         .defaultValue = std::int64_t{0},
         .min = 0,
         .max = 1024,
         .summary = "compute threads of one rank; 0 divides the cores by the ranks"},
        {.name = "loader_threads",
         .type = ParameterType::Integer,
         .unit = "threads",
         .defaultValue = std::int64_t{1},
         .min = 0,
         .max = 64,
         .summary = "threads of one rank that prepare batches ahead; 0: the training thread does"},
    };
    return kTable;
}

std::span<const Parameter> compressParameters() {
    static const std::vector<Parameter> kTable{
        {.name = "error_feedback",
         .type = ParameterType::Boolean,
         .unit = "",
         .defaultValue = true,
         .summary = "add what was not sent to the next step's gradient; the default is what the "
                    "compressor needs"},
        {.name = "error_decay",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 1.0,
         .min = 0,
         .max = 1,
         .summary = "share of the error memory that is added; the rest is forgotten"},
        {.name = "memory",
         .type = ParameterType::Choice,
         .unit = "",
         .defaultValue = std::string("gradient"),
         .choices = {"gradient", "update"},
         .summary = "what the error memory holds: gradients, or updates as in EF-SignSGD, which "
                    "are rescaled when the learning rate changes"},
        {.name = "momentum_place",
         .type = ParameterType::Choice,
         .unit = "",
         .defaultValue = std::string("after"),
         .choices = {"after", "before"},
         .summary = "where train.momentum is applied: by the optimizer to the averaged gradient, "
                    "or by each rank before compression"},
    };
    return kTable;
}

std::vector<Parameter> compressParametersOf(const CompressorDescriptor& compressor) {
    std::vector<Parameter> parameters(compressParameters().begin(), compressParameters().end());
    for (Parameter& parameter : parameters) {
        if (parameter.name == "error_feedback") {
            parameter.defaultValue.emplace<bool>(compressor.needsErrorFeedback);
        }
    }
    parameters.insert(parameters.end(), compressor.options.begin(), compressor.options.end());
    return parameters;
}

std::span<const Parameter> linkParameters() {
    static const std::vector<Parameter> kTable{
        {.name = "bandwidth_mbps",
         .type = ParameterType::Real,
         .unit = "Mbit/s",
         .defaultValue = 100.0,
         .min = 0,
         .max = 1e7,
         .minExclusive = true,
         .summary = "what one rank can send in a second"},
        {.name = "latency_us",
         .type = ParameterType::Real,
         .unit = "us",
         .defaultValue = 200.0,
         .min = 0,
         .max = 1e7,
         .summary = "added to each communication step of a collective"},
    };
    return kTable;
}

}  // namespace concertina
