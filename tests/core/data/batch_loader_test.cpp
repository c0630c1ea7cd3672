// SPDX-License-Identifier: Apache-2.0
#include "core/data/batch_loader.h"

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace concertina {
namespace {

Batch batchOf(std::int64_t step) { return {at::full({1}, step, at::kLong), {}}; }
std::int64_t stepOf(const Batch& batch) { return batch.inputs.item<std::int64_t>(); }

class BatchLoaders : public ::testing::TestWithParam<int> {};

TEST_P(BatchLoaders, HandOutEveryBatchInOrder) {
    BatchLoader loader(batchOf, 3, 40, GetParam());
    for (std::int64_t step = 3; step < 40; ++step) {
        ASSERT_EQ(stepOf(loader.next()), step);
    }
    EXPECT_THROW(loader.next(), std::logic_error);
}

TEST_P(BatchLoaders, RunAtMostTwoBatchesAThreadAhead) {
    std::atomic<std::int64_t> loaded = 0, taken = 0, mostAhead = 0;
    const auto load = [&](std::int64_t step) {
        mostAhead = std::max(mostAhead.load(), ++loaded - taken.load());
        return batchOf(step);
    };
    BatchLoader loader(load, 0, 50, GetParam());
    for (int step = 0; step < 50; ++step) {
        loader.next();
        ++taken;
    }
    // One more is being handed over when `taken` is counted.
    EXPECT_LE(mostAhead, 2 * GetParam() + 1);
    EXPECT_EQ(loaded, 50);
}

TEST_P(BatchLoaders, WhatLoadingThrowsComesOutWithItsBatch) {
    const auto load = [](std::int64_t step) {
        if (step == 2) {
            throw std::out_of_range("sample 7");
        }
        return batchOf(step);
    };
    BatchLoader loader(load, 0, 5, GetParam());
    EXPECT_EQ(stepOf(loader.next()), 0);
    EXPECT_EQ(stepOf(loader.next()), 1);
    EXPECT_THROW(loader.next(), std::out_of_range);
    EXPECT_EQ(stepOf(loader.next()), 3);
}

TEST_P(BatchLoaders, EndWithBatchesNobodyTook) {
    { const BatchLoader idle(batchOf, 0, 0, GetParam()); }
    { const BatchLoader untouched(batchOf, 0, 1000, GetParam()); }
    BatchLoader left(batchOf, 0, 1000, GetParam());
    left.next();
}

INSTANTIATE_TEST_SUITE_P(Threads, BatchLoaders, ::testing::Values(0, 1, 4));

}  // namespace
}  // namespace concertina
