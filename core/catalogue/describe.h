// SPDX-License-Identifier: Apache-2.0
// The catalogue as text: `concertina describe` prints these. Pure, any thread.
#pragma once
#include <string>

namespace concertina {

/// One JSON object in the form of design.md §6: "compressors", "policies", "models", "datasets",
/// "metrics", each a list of rows with name, summary and parameters; and "spec", the parameters of
/// the spec's fixed tables.
std::string describeJson();

/// The same for a terminal.
std::string describeText();

}  // namespace concertina
