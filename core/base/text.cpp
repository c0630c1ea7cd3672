// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <sstream>

namespace concertina {

std::string join(std::span<const std::string> parts, std::string_view separator) {
    return fmt::format("{}", fmt::join(parts, separator));
}

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> parts;
    std::string part;
    for (std::istringstream stream{std::string(text)}; stream >> part;) {
        parts.push_back(part);
    }
    return parts;
}

bool matchesPattern(std::string_view text, std::string_view pattern) {
    std::size_t at = 0, in = 0;  // in text, in pattern
    std::size_t star = std::string_view::npos, resume = 0;
    while (at < text.size()) {
        if (in < pattern.size() && pattern[in] == '*') {
            star = in++;
            resume = at;
        } else if (in < pattern.size() && (pattern[in] == '?' || pattern[in] == text[at])) {
            ++at;
            ++in;
        } else if (star != std::string_view::npos) {
            // The last star takes one letter more; earlier ones need not be tried again.
            in = star + 1;
            at = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in) == std::string_view::npos;
}

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);  // distances of a's prefix to every prefix of b
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

std::string nearestName(std::string_view name, std::span<const std::string> candidates) {
    std::string nearest;
    std::size_t allowed = std::max<std::size_t>(1, name.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        // A difference in length alone already costs that much; skips the product for absurdly long
        // names.
        const std::size_t difference =
            std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size());
        if (difference >= allowed) {
            continue;
        }
        const std::size_t distance = editDistance(name, candidate);
        if (distance < allowed) {
            allowed = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string excerpt(std::string_view text, std::size_t maxBytes) {
    std::string shown;
    for (const char letter : text.substr(0, maxBytes)) {
        const auto code = static_cast<unsigned char>(letter);
        shown += code >= 0x20 && code < 0x7f ? letter : '?';
    }
    return text.size() > maxBytes ? shown + "..." : shown;
}

bool isUtf8(std::string_view text) {
    const auto byteAt = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    for (std::size_t i = 0; i < text.size();) {
        const std::uint8_t lead = byteAt(i);
        const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || i + length > text.size()) {
            return false;
        }
        std::uint32_t point = length == 1 ? lead : lead & (0x7fU >> length);
        for (std::size_t k = 1; k < length; ++k) {
            if ((byteAt(i + k) & 0xc0U) != 0x80U) {
                return false;
            }
            point = (point << 6U) | (byteAt(i + k) & 0x3fU);
        }
        static constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
        if (point < kSmallest[length] || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
            return false;
        }
        i += length;
    }
    return true;
}

}  // namespace concertina
