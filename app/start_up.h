// SPDX-License-Identifier: Apache-2.0
// What a program of ours does first, whoever started it and however. Called by main().
#pragma once

namespace concertina {

/// Makes this process an ordinary one: standard streams that were closed lead nowhere (the next
/// file opened would take their number, and be printed into); a reader that went away or a file
/// that is too large is an error and no death; ended children can be waited for.
void prepareProcess();

}  // namespace concertina
