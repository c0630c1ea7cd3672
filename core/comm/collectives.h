// SPDX-License-Identifier: Apache-2.0
// Collectives: blocking collectives over one group, counted and paced. Every byte the engine sends
// goes through here (only c10d::Reducer's one-time bucket order does not), so what is shown is what
// was handed over. One object belongs to one thread: gradients to the communication thread, the
// rest to the training thread.
#pragma once
#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <optional>

#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "core/catalogue/catalogue.h"
#include "core/launch/rank_board.h"

namespace concertina {

/// What a collective was for; each kind is counted on its own.
/// Size: how long the variable messages of a bucket are, exchanged before them. Checkpoint: whether
/// all ranks have written their part.
enum class Traffic { Gradient, Decision, Control, Metric, Buffer, Size, Checkpoint };
constexpr int kTrafficKinds = 7;

struct TrafficCount {
    std::int64_t payloadBytes = 0;  // handed over by this rank
    double wireBytes = 0;  // sent by this rank (metrics.md: ring all-reduce, all-gather, broadcast)
    std::int64_t collectives = 0;
};

/// The link the spec asks to imitate: a collective takes at least latency per ring step plus wire
/// bytes over bandwidth (alpha-beta model: 2(W-1) steps for all-reduce, W-1 for all-gather, 1 for
/// broadcast). Sleeping paces it; no root needed.
struct LinkModel {
    double bytesPerSecond = 0;
    double latencySeconds = 0;
};

class Collectives {
 public:
    /// `slot` receives the entered/finished counts that tell a supervisor who stalls. REQUIRES:
    /// slot outlives this object.
    Collectives(c10::intrusive_ptr<c10d::Backend> backend,
                int worldSize,
                RankSlot& slot,
                std::optional<LinkModel> link = std::nullopt);

    /// In place, over all ranks. Contiguous tensors. Throw Error(RankLost) when a peer is gone.
    void sum(at::Tensor& tensor, Traffic kind);
    void max(at::Tensor& tensor, Traffic kind);
    void broadcast(at::Tensor& tensor, Traffic kind);  ///< from rank 0
    /// (n) -> (W, n), row r from rank r. `rows` is the caller's, so that it can be used again.
    void gather(const at::Tensor& tensor, at::Tensor& rows, Traffic kind);

    const TrafficCount& count(Traffic kind) const { return counts_[static_cast<int>(kind)]; }
    /// Goes on counting from what a checkpoint kept: (kinds, 3) double, exact up to 2^53.
    at::Tensor counts() const;
    void restoreCounts(const at::Tensor& counts);
    int worldSize() const { return worldSize_; }

 private:
    template <typename Start>
    void run(Traffic kind, double wireBytes, int ringSteps, std::int64_t payloadBytes, Start start);

    c10::intrusive_ptr<c10d::Backend> backend_;
    int worldSize_;
    RankSlot& slot_;
    std::optional<LinkModel> link_;
    std::array<TrafficCount, kTrafficKinds> counts_{};
};

}  // namespace concertina
