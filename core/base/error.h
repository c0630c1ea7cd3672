// SPDX-License-Identifier: Apache-2.0
// Error: what a user or the machine can cause. Thrown everywhere in core/, from any thread; only
// app/ turns a kind into an exit code. What only a bug can cause is CONCERTINA_CHECK (check.h);
// what may well happen is a return value.
#pragma once
#include <stdexcept>
#include <string>

namespace concertina {

enum class ErrorKind {
    Usage,     ///< bad command line, spec or data: exit 2
    Store,     ///< the run store cannot be read or written: exit 3
    Diverged,  ///< training produced non-finite numbers: exit 4
    RankLost,  ///< a rank died, stalled or could not start: exit 5
    Machine    ///< anything else of the machine (no memory, no file handle): exit 5
};

/// A sentence for the user (what, where, what was found, what is allowed), and which kind of
/// trouble it is.
class Error : public std::runtime_error {
 public:
    Error(ErrorKind kind, const std::string& sentence)
        : std::runtime_error(sentence), kind_(kind) {}
    ErrorKind kind() const { return kind_; }

 private:
    ErrorKind kind_;
};

}  // namespace concertina
