// SPDX-License-Identifier: Apache-2.0
// Files that are there as a whole or not at all, also after a power cut: written, flushed to the
// disk (fsync) and only then given their name. Any thread. Throw Error(Machine) with the file and
// what the system said.
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace concertina {

/// Writes and flushes; replaces what is there. What is half written after a failure is removed.
void writeDurably(const std::filesystem::path& file, std::span<const std::byte> bytes);
void writeDurably(const std::filesystem::path& file, std::string_view text);
/// Flushes the names in `folder`.
void flushFolder(const std::filesystem::path& folder);
/// The whole file.
std::string readWhole(const std::filesystem::path& file);

}  // namespace concertina
