// SPDX-License-Identifier: Apache-2.0
#include "app/exit_code.h"

namespace concertina {

int exitCodeOf(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::Usage:
            return 2;
        case ErrorKind::Store:
            return 3;
        case ErrorKind::Diverged:
            return 4;
        case ErrorKind::RankLost:
        case ErrorKind::Machine:
            return 5;
    }
    return 5;
}

}  // namespace concertina
