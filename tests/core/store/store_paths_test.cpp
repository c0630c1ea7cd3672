// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <optional>
#include <thread>

#include "core/base/error.h"
#include "core/store/writer.h"

namespace concertina {
namespace {

/// Sets a variable (or unsets it, for nullptr) for the length of a test.
class Variable {
 public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* old = ::getenv(name)) {
            old_ = old;
        }
        set(value);
    }
    ~Variable() { set(old_ ? old_->c_str() : nullptr); }

 private:
    void set(const char* value) {
        if (value != nullptr) {
            ::setenv(name_, value, 1);
        } else {
            ::unsetenv(name_);
        }
    }
    const char* name_;
    std::optional<std::string> old_;
};

TEST(StorePaths, EnvironmentThenDataHomeThenHome) {
    const Variable home("HOME", "/home/ada");
    const Variable data("XDG_DATA_HOME", "/data");
    const Variable store("CONCERTINA_STORE", "/else/where.sqlite");
    EXPECT_EQ(defaultStorePath(), "/else/where.sqlite");
    {
        const Variable none("CONCERTINA_STORE", "");
        EXPECT_EQ(defaultStorePath(), "/data/concertina/runs.sqlite");
        const Variable relative("XDG_DATA_HOME", "data");
        EXPECT_EQ(defaultStorePath(), "/home/ada/.local/share/concertina/runs.sqlite");
        const Variable nowhere("HOME", nullptr);
        EXPECT_THROW(defaultStorePath(), Error);
    }
    EXPECT_EQ(runFolder("/a/runs.sqlite", "xyz"), "/a/runs.sqlite.files/xyz");
}

TEST(StorePaths, IdsAreShortDifferentAndSortByTime) {
    const std::string first = newRunId();
    EXPECT_THAT(first, testing::MatchesRegex("[0-9a-z]{12}"));
    EXPECT_NE(first, newRunId());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_LT(first, newRunId());
}

}  // namespace
}  // namespace concertina
