// SPDX-License-Identifier: Apache-2.0
// What models ask of data, in words: "" or "needs ..., found ..."; and keys that several have. Used
// by their descriptors; pure, any thread.
#pragma once
#include <string>

#include "core/catalogue/catalogue.h"

namespace concertina {

/// "images of 3 x 32 x 32 in 10 classes".
std::string formText(const DataForm& data);

/// Numbers of any shape.
std::string needsNumbers(const DataForm& data);
/// Images with each side at least minSide and, where maxSide > 0, at most that.
std::string needsImages(const DataForm& data, std::int64_t minSide, std::int64_t maxSide = 0);
/// Windows of words.
std::string needsText(const DataForm& data);

/// model.dropout.
Parameter dropoutParameter(double share);
/// A size of the network from 1 on.
Parameter sizeParameter(
    const char* name, const char* unit, std::int64_t value, double max, const char* summary);

}  // namespace concertina
