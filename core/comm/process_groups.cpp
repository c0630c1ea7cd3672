// SPDX-License-Identifier: Apache-2.0
#include "core/comm/process_groups.h"

#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#ifdef USE_C10D_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include "core/base/error.h"
#include "core/comm/meeting.h"

namespace concertina {
namespace {

using BackendPtr = c10::intrusive_ptr<c10d::Backend>;
using StorePtr = c10::intrusive_ptr<c10d::Store>;

BackendPtr makeGloo(const StorePtr& store, const JoinOptions& options) {
    auto gloo = c10d::ProcessGroupGloo::Options::create(options.timeout);
    gloo->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(
        options.meeting ? addressTowards(*options.meeting) : "127.0.0.1"));
    return c10::make_intrusive<c10d::ProcessGroupGloo>(store, options.rank, options.worldSize,
                                                       gloo);
}

BackendPtr makeNccl(const StorePtr& store, const JoinOptions& options) {
#ifdef USE_C10D_NCCL
    auto nccl = c10d::ProcessGroupNCCL::Options::create();
    nccl->timeout = options.timeout;
    return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, options.rank, options.worldSize,
                                                       nccl);
#else
    throw Error(ErrorKind::Usage,
                "backend \"nccl\" was asked for, but this build has no CUDA engine: use "
                "backend = \"gloo\", or build with WITH_CUDA_ENGINE=ON");
#endif
}

StorePtr openStore(const JoinOptions& options) {
    if (options.meeting) {
        return meet(*options.meeting, options.rank == 0, options.timeout);
    }
    return c10::make_intrusive<c10d::FileStore>(options.rendezvousFile.string(), options.worldSize);
}

StorePtr under(const StorePtr& store, const std::string& prefix) {
    return c10::make_intrusive<c10d::PrefixStore>(prefix, store);
}

c10::intrusive_ptr<c10d::ProcessGroup> wrap(const BackendPtr& backend,
                                            const StorePtr& store,
                                            const JoinOptions& options) {
    using Group = c10d::ProcessGroup;
    const bool nccl = options.backend == "nccl";
    const auto type = nccl ? Group::BackendType::NCCL : Group::BackendType::GLOO;
    auto group = c10::make_intrusive<Group>(store, options.rank, options.worldSize);
    group->setBackend(options.device.type(), type, backend);
    group->setDefaultBackend(type);
    return group;
}

}  // namespace

bool hasNccl() {
#ifdef USE_C10D_NCCL
    return true;
#else
    return false;
#endif
}

ProcessGroups joinRanks(const JoinOptions& options) {
    try {
        const StorePtr store = openStore(options);
        store->setTimeout(options.timeout);
        const auto make = options.backend == "nccl" ? makeNccl : makeGloo;
        ProcessGroups groups;
        groups.control = makeGloo(under(store, "control"), options);
        groups.gradients = make(under(store, "gradients"), options);
        const StorePtr reducerStore = under(store, "reducer");
        groups.reducer = wrap(make(reducerStore, options), reducerStore, options);
        return groups;
    } catch (const Error&) {
        throw;
    } catch (const std::exception& failure) {
        throw Error(ErrorKind::RankLost, "rank " + std::to_string(options.rank) +
                                             " could not join the others: " + failure.what());
    }
}

}  // namespace concertina
