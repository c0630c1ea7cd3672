// SPDX-License-Identifier: Apache-2.0
#include "core/launch/rank_board.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "core/base/error.h"

namespace concertina {
namespace {

TEST(RankBoard, StartsZeroed) {
    const RankBoard board = RankBoard::create();
    EXPECT_EQ(board->command.load(), Command::None);
    EXPECT_EQ(board->stepsPerEpoch.load(), 0);
    EXPECT_EQ(board.rank(0).phase.load(), RankPhase::Starting);
    EXPECT_EQ(board.rank(BoardLayout::kMaxRanks - 1).step.load(), 0);
}

TEST(RankBoard, WhatAnotherProcessPublishesIsSeen) {
    const RankBoard board = RankBoard::create();
    board->command = Command::StopAfterEpoch;
    const pid_t child = ::fork();
    if (child == 0) {
        const RankBoard mine = RankBoard::open(::dup(board.fd()));
        mine.rank(3).step = mine->command.load() == Command::StopAfterEpoch ? 42 : -1;
        mine.rank(3).loss = 0.25;
        ::_exit(0);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(board.rank(3).step.load(), 42);
    EXPECT_EQ(board.rank(3).loss.load(), 0.25);
}

TEST(RankBoard, APrivateBoardIsNotShared) {
    const RankBoard board = RankBoard::priv();
    EXPECT_EQ(board.fd(), -1);
    board.rank(1).step = 7;
    EXPECT_EQ(board.rank(1).step.load(), 7);
}

TEST(RankBoard, MovedFromBoardClosesNothing) {
    RankBoard first = RankBoard::create();
    const int fd = first.fd();
    {
        const RankBoard second = std::move(first);
        EXPECT_EQ(second.fd(), fd);
        second.rank(0).step = 1;
    }
    EXPECT_EQ(::close(fd), -1) << "the second board should have closed it";
}

TEST(RankBoard, RefusesADescriptorThatIsNoBoard) {
    for (const int fd : {-1, 0, 9999}) {
        try {
            RankBoard::open(fd);
            ADD_FAILURE() << "descriptor " << fd << " was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Usage);
            EXPECT_THAT(error.what(), testing::HasSubstr("--board-fd " + std::to_string(fd)));
        }
    }
}

}  // namespace
}  // namespace concertina
