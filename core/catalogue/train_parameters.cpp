// SPDX-License-Identifier: Apache-2.0
// Keys of [train]: how long, which optimizer, which learning rate, and what does not go together.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/catalogue/catalogue.h"

namespace concertina {
namespace {

std::vector<Parameter> lengthParameters() {
    return {
        {.name = "epochs",
         .type = ParameterType::Integer,
         .unit = "epochs",
         .defaultValue = std::int64_t{30},
         .min = 1,
         .max = 1000000,
         .summary = "passes over the training set"},
        {.name = "batch_per_rank",
         .type = ParameterType::Integer,
         .unit = "samples",
         .defaultValue = std::int64_t{64},
         .min = 1,
         .max = 1000000,
         .summary = "samples of one rank in one step"},
        {.name = "eval_every_epochs",
         .type = ParameterType::Integer,
         .unit = "epochs",
         .defaultValue = std::int64_t{1},
         .min = 1,
         .max = 1000000,
         .summary = "epochs from one evaluation to the next; the last epoch is always evaluated"},
        {.name = "checkpoint_every_epochs",
         .type = ParameterType::Integer,
         .unit = "epochs",
         .defaultValue = std::int64_t{1},
         .min = 0,
         .max = 1000000,
         .summary = "epochs from one checkpoint to the next; 0: only when stopped and at the end"},
        {.name = "checkpoint_keep",
         .type = ParameterType::Integer,
         .unit = "checkpoints",
         .defaultValue = std::int64_t{2},
         .min = 1,
         .max = 1000000,
         .summary = "how many of the latest checkpoints stay on the disk"},
        {.name = "on_non_finite",
         .type = ParameterType::Choice,
         .unit = "",
         .defaultValue = std::string("stop"),
         .choices = {"stop", "skip", "continue"},
         .summary = "what a NaN or infinity in loss or gradient does: end the run as diverged, "
                    "leave the step out on all ranks, or go on with what is finite"}};
}

std::vector<Parameter> optimizerParameters() {
    return {
        {.name = "optimizer",
         .type = ParameterType::Choice,
         .unit = "",
         .defaultValue = std::string("sgd"),
         .choices = {"sgd", "adam", "adamw", "lars"},
         .summary = "how the mean gradient becomes an update; lars is sgd with a rate per tensor"},
        {.name = "momentum",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 0.9,
         .min = 0,
         .max = 1,
         .summary = "of sgd and lars: share of the last update kept in the next; where it is "
                    "applied: compress.momentum_place"},
        {.name = "nesterov",
         .type = ParameterType::Boolean,
         .unit = "",
         .defaultValue = false,
         .summary = "Nesterov's form of momentum; needs momentum above 0"},
        {.name = "beta1",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 0.9,
         .min = 0,
         .max = 0.999999,
         .summary = "of adam and adamw: decay of the mean gradient"},
        {.name = "beta2",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 0.999,
         .min = 0,
         .max = 0.999999,
         .summary = "of adam and adamw: decay of the mean squared gradient"},
        {.name = "epsilon",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 1e-8,
         .min = 0,
         .max = 1,
         .minExclusive = true,
         .summary = "of adam and adamw: added to the root of the mean squared gradient"},
        {.name = "trust",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 0.001,
         .min = 0,
         .max = 1000,
         .minExclusive = true,
         .summary = "of lars: length of a matrix's step as share of the matrix's norm, at rate 1"}};
}

std::vector<Parameter> regularizationParameters() {
    return {
        {.name = "weight_decay",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 1e-4,
         .min = 0,
         .max = 1000,
         .summary = "weight_decay times the weight is added to the averaged gradient; adamw takes "
                    "it from the weight instead, times the rate"},
        {.name = "weight_decay_on",
         .type = ParameterType::Choice,
         .unit = "",
         .defaultValue = std::string("all"),
         .choices = {"all", "matrices"},
         .summary = "which parameters decay: all, or not those of dimension 1 (biases, "
                    "normalization)"},
        {.name = "clip_norm",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 0.0,
         .min = 0,
         .max = 1e12,
         .summary = "an averaged gradient of all parameters longer than this is shortened to it; "
                    "0: never"},
        {.name = "label_smoothing",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 0.0,
         .min = 0,
         .max = 0.999,
         .summary = "share of the target that is spread over all classes, in training only"},
        {.name = "ema_decay",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 0.0,
         .min = 0,
         .max = 0.999999,
         .summary = "evaluate a moving average of the weights, of which each step keeps this "
                    "share; 0: the weights themselves"},
        {.name = "precision",
         .type = ParameterType::Choice,
         .unit = "",
         .defaultValue = std::string("fp32"),
         .choices = {"fp32", "bf16"},
         .summary = "what forward and backward compute in, in training; weights, gradients and "
                    "their exchange "
                    "are fp32 either way"}};
}

std::vector<Parameter> rateParameters() {
    return {
        {.name = "lr",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 0.05,
         .min = 0,
         .max = 1000,
         .minExclusive = true,
         .summary = "learning rate: the highest of its schedule"},
        {.name = "lr_schedule",
         .type = ParameterType::Choice,
         .unit = "",
         .defaultValue = std::string("multi-step"),
         .choices = {"multi-step", "cosine", "polynomial", "one-cycle"},
         .summary = "how the rate falls: at lr_decay_epochs, or in every step until the end"},
        {.name = "lr_decay_epochs",
         .type = ParameterType::IntegerList,
         .unit = "epochs",
         .defaultValue = std::vector<std::int64_t>{},
         .min = 1,
         .max = 1000000,
         .summary = "first epochs trained at a lower rate, counted from 0, strictly increasing"},
        {.name = "lr_decay_factor",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 0.1,
         .min = 0,
         .max = 1,
         .minExclusive = true,
         .summary = "what the rate is multiplied by at each decay"}};
}

std::vector<Parameter> rateShapeParameters() {
    return {
        {.name = "lr_end",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 0.0,
         .min = 0,
         .max = 1,
         .summary = "of cosine and polynomial: the rate at the end, as share of lr"},
        {.name = "lr_power",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 1.0,
         .min = 0,
         .max = 100,
         .minExclusive = true,
         .summary = "of polynomial: exponent of the share of the run that is left; 1 is linear"},
        {.name = "lr_warmup_epochs",
         .type = ParameterType::Integer,
         .unit = "epochs",
         .defaultValue = std::int64_t{0},
         .min = 0,
         .max = 1000000,
         .summary = "first epochs, in which the rate rises in every step to that of its schedule"},
        {.name = "lr_warmup_start",
         .type = ParameterType::Real,
         .unit = "1",
         .defaultValue = 0.1,
         .min = 0,
         .max = 1,
         .minExclusive = true,
         .summary = "what the warm-up begins with, as share of lr"}};
}

}  // namespace

std::span<const Parameter> trainParameters() {
    static const std::vector<Parameter> kTable = [] {
        std::vector<Parameter> table = lengthParameters();
        for (const auto& part : {regularizationParameters(), optimizerParameters(),
                                 rateShapeParameters(), rateParameters()}) {
            table.insert(table.begin() + 2, part.begin(), part.end());
        }
        return table;
    }();
    return kTable;
}

namespace {

void checkRate(const Settings& train, std::vector<KeyConflict>& conflicts) {
    const auto& decays = integersOf(train, "lr_decay_epochs");
    const auto repeated = std::adjacent_find(decays.begin(), decays.end(), std::greater_equal<>());
    if (repeated != decays.end()) {
        conflicts.push_back({"lr_decay_epochs",
                             fmt::format("found {} after {}, allowed: strictly increasing epochs",
                                         *(repeated + 1), *repeated)});
    }
    const std::string& schedule = textOf(train, "lr_schedule");
    if (schedule != "multi-step" && !decays.empty()) {
        conflicts.push_back(
            {"lr_decay_epochs",
             fmt::format("found {} epochs with lr_schedule {}, allowed there: none (only "
                         "multi-step decays at epochs)",
                         decays.size(), schedule)});
    }
    const std::int64_t warmUp = integerOf(train, "lr_warmup_epochs");
    const std::int64_t epochs = integerOf(train, "epochs");
    if (schedule == "one-cycle" && warmUp != 0) {
        conflicts.push_back({"lr_warmup_epochs",
                             fmt::format("found {} with lr_schedule one-cycle, allowed there: 0 "
                                         "(it rises by itself)",
                                         warmUp)});
    } else if (warmUp > epochs) {
        conflicts.push_back(
            {"lr_warmup_epochs",
             fmt::format("found {} of {} epochs, allowed: at most all of them", warmUp, epochs)});
    }
}

void checkOptimizer(const Settings& train, std::vector<KeyConflict>& conflicts) {
    const std::string& optimizer = textOf(train, "optimizer");
    if (!booleanOf(train, "nesterov")) {
        return;
    }
    if (realOf(train, "momentum") == 0) {
        conflicts.push_back({"nesterov", "found true with momentum 0, allowed: momentum above 0"});
    }
    if (optimizer == "adam" || optimizer == "adamw") {
        conflicts.push_back({"nesterov", fmt::format("found true with optimizer {}, allowed "
                                                     "there: false",
                                                     optimizer)});
    }
}

}  // namespace

std::vector<KeyConflict> trainConflicts(const Settings& train) {
    std::vector<KeyConflict> conflicts;
    checkRate(train, conflicts);
    checkOptimizer(train, conflicts);
    return conflicts;
}

}  // namespace concertina
