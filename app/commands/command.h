// SPDX-License-Identifier: Apache-2.0
// Command: one subcommand of `concertina`. Each lives in one file of this folder and is a row of
// registry.cpp. Used by main() on the main thread.
#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace concertina {

/// What a subcommand does once the command line was read; returns the exit code. Throws Error.
using Action = std::function<int()>;

struct Command {
    const char* name;
    const char* summary;
    /// Adds arguments, options and examples to the subcommand; the action reads what they were set
    /// to.
    Action (*setup)(CLI::App& app);
};

std::span<const Command> commands();

/// Options that many subcommands share. The store's default is defaultStorePath().
void addStoreOption(CLI::App& app, std::filesystem::path& store);
void addJsonFlag(CLI::App& app, bool& json);

}  // namespace concertina
