// SPDX-License-Identifier: Apache-2.0
// RankBoard: shared memory between a supervisor and its ranks. Ranks publish where they are, the
// supervisor publishes what it wants. A memfd that ranks inherit, so nothing is left behind when
// all end. Lock-free; each slot has one writer.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>

namespace concertina {

enum class RankPhase : std::int32_t {
    Starting,
    Joining,
    Loading,
    Training,
    Evaluating,
    Finishing,
    Done
};
const char* toText(RankPhase phase);

/// What the supervisor asks; ranks agree on it in the step's control all-reduce, so all act on the
/// same step.
enum class Command : std::int32_t { None, Stop, StopAfterEpoch, Checkpoint, Pause };

struct alignas(64) RankSlot {
    std::atomic<RankPhase> phase;
    std::atomic<std::int32_t> epoch;
    std::atomic<std::int64_t> step;
    std::atomic<std::int64_t>
        collectivesEntered;  // a rank that lags behind the others here is the stalled one
    std::atomic<std::int64_t> collectivesFinished;
    std::atomic<std::int64_t> beatNs;          // steady clock at the last sign of life
    std::atomic<double> loss;                  // of the last step
    std::atomic<std::int64_t> wireBytes;       // sent so far by this rank, gradients only
    std::atomic<std::int64_t> denseWireBytes;  // what dense fp32 would have sent
};

struct BoardLayout {
    static constexpr int kMaxRanks = 256;
    std::atomic<Command> command;
    std::atomic<std::int32_t> stepsPerEpoch;
    RankSlot ranks[kMaxRanks];
};

/// Maps a board. Copying is not allowed, moving is.
class RankBoard {
 public:
    static RankBoard create();  ///< supervisor: a new memfd, inheritable. Throws Error(Machine).
    static RankBoard open(
        int fd);  ///< rank: the inherited descriptor. Throws Error(Usage) if it is none.
    static RankBoard priv();  ///< a board nobody else sees: a rank that an outside launcher started
    RankBoard(RankBoard&& other) noexcept;
    RankBoard& operator=(RankBoard&&) = delete;
    ~RankBoard();
    int fd() const { return fd_; }
    BoardLayout* operator->() const { return layout_; }
    RankSlot& rank(int index) const { return layout_->ranks[index]; }

 private:
    RankBoard(int fd, BoardLayout* layout) : fd_(fd), layout_(layout) {}
    int fd_;
    BoardLayout* layout_;
};

std::int64_t steadyNowNs();

}  // namespace concertina
