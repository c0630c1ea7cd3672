// SPDX-License-Identifier: Apache-2.0
// Ranks as threads of one process over an in-process store: real collectives without processes.
#pragma once
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "core/comm/collectives.h"

namespace concertina::test {

/// What a test's rank gets.
struct ThreadRank {
    int rank, worldSize;
    c10::intrusive_ptr<c10d::Store> store;
    RankSlot& slot;

    c10::intrusive_ptr<c10d::Backend> group(const std::string& name) const {
        auto options = c10d::ProcessGroupGloo::Options::create(std::chrono::seconds(30));
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
        return c10::make_intrusive<c10d::ProcessGroupGloo>(
            c10::make_intrusive<c10d::PrefixStore>(name, store), rank, worldSize, options);
    }
};

/// Runs `body` once per rank, each in a thread of its own; rethrows the first failure.
inline void runRanks(int worldSize, const std::function<void(ThreadRank&)>& body) {
    auto store = c10::make_intrusive<c10d::HashStore>();
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(worldSize));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < worldSize; ++rank) {
        threads.emplace_back([&, rank] {
            try {
                auto slot = std::make_unique<RankSlot>();
                ThreadRank self{rank, worldSize, store, *slot};
                body(self);
            } catch (...) {
                failures[static_cast<std::size_t>(rank)] = std::current_exception();
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const std::exception_ptr& failure : failures) {
        if (failure) {
            std::rethrow_exception(failure);
        }
    }
}

}  // namespace concertina::test
