// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/commands/command.h"
#include "app/output.h"
#include "core/base/error.h"
#include "core/catalogue/catalogue.h"
#include "core/catalogue/check.h"
#include "core/launch/engine_probe.h"
#include "core/launch/supervisor.h"
#include "core/store/reader.h"
#include "core/store/sqlite_version.h"
#include "core/store/writer.h"

namespace concertina {
namespace {

struct Options {
    std::filesystem::path store;
    bool json = false;
};

enum class Health { Ok, Warn, Fail };

struct Finding {
    Health health;
    std::string what, found, advice;
};

const char* toText(Health health) {
    return health == Health::Ok ? "ok" : health == Health::Warn ? "warn" : "fail";
}

void checkEngine(std::vector<Finding>& findings) {
    const std::filesystem::path program = defaultRankProgram();
    try {
        const EngineProbe probe = probeEngine(program);
        std::string backends;
        for (const std::string& backend : probe.backends) {
            backends += (backends.empty() ? "" : ", ") + backend;
        }
        findings.push_back({Health::Ok, "engine",
                            "libtorch " + probe.torchVersion + ", backends " + backends, ""});
        if (!hasGpuDriver()) {
            findings.push_back({Health::Ok, "gpu", "no NVIDIA driver: runs use the CPU", ""});
        } else if (!probe.cudaBuilt) {
            findings.push_back({Health::Warn, "gpu",
                                "there is a GPU driver, but concertina-rank was built without CUDA",
                                "run installer/setup.sh --cuda and build again"});
        } else if (probe.gpus == 0) {
            findings.push_back(
                {Health::Warn, "gpu", "a driver, but no usable GPU", "look at nvidia-smi"});
        } else {
            findings.push_back({Health::Ok, "gpu", fmt::format("{} usable", probe.gpus), ""});
        }
    } catch (const Error& error) {
        findings.push_back({Health::Fail, "engine", error.what(),
                            "run installer/setup.sh and build the target concertina-rank; it "
                            "belongs beside concertina"});
    }
}

void checkStore(const std::filesystem::path& store, std::vector<Finding>& findings) {
    findings.push_back({Health::Ok, "sqlite", sqliteVersion(), ""});
    try {
        RunWriter writer(store);
        const std::size_t count = RunReader(store).runs().size();
        const auto space = std::filesystem::space(store.parent_path());
        const double freeGb = static_cast<double>(space.available) / 1e9;
        findings.push_back(
            {freeGb < 1 ? Health::Warn : Health::Ok, "store",
             fmt::format("{} is writable, {} runs, {:.1f} GB free", store.string(), count, freeGb),
             freeGb < 1 ? "make room: a run takes some megabytes" : ""});
    } catch (const std::exception& error) {
        findings.push_back({Health::Fail, "store", error.what(),
                            "choose another file with --store or $CONCERTINA_STORE"});
    }
}

/// Of data sets that nobody has to have, only those that are there are looked at.
void checkData(std::vector<Finding>& findings) {
    const std::string needed = defaultRunSpec().data.name;
    for (const DatasetDescriptor& dataset : datasets()) {
        const Settings settings = defaultsOf(dataset.parameters);
        const bool hasFiles = settings.contains("path");
        const bool isThere = hasFiles && std::filesystem::exists(textOf(settings, "path"));
        if (!hasFiles || (!isThere && dataset.name != needed)) {
            continue;
        }
        const std::vector<std::string> problems = dataset.problems(settings);
        if (problems.empty()) {
            findings.push_back({Health::Ok, "data", dataset.name + ": all files are complete", ""});
        }
        for (const std::string& problem : problems) {
            findings.push_back(dataset.name == needed
                                   ? Finding{Health::Fail, "data", problem,
                                             "run installer/setup.sh, which installs " + needed}
                                   : Finding{Health::Warn, "data", problem,
                                             "see resources/datasets/" + dataset.name + ".md"});
        }
    }
}

void checkMachine(std::vector<Finding>& findings) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    findings.push_back({cores < 2 ? Health::Warn : Health::Ok, "cores", std::to_string(cores),
                        cores < 2 ? "two ranks will share one core" : ""});
    const double memoryGb = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                            static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e9;
    findings.push_back({memoryGb < 2 ? Health::Warn : Health::Ok, "memory",
                        fmt::format("{:.1f} GB", memoryGb),
                        memoryGb < 2 ? "each rank takes about 0.5 GB" : ""});
}

void print(const std::vector<Finding>& findings, bool json) {
    if (json) {
        auto array = nlohmann::ordered_json::array();
        for (const Finding& finding : findings) {
            array.push_back({{"check", finding.what},
                             {"health", toText(finding.health)},
                             {"found", finding.found},
                             {"advice", finding.advice}});
        }
        printLine(array.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
        return;
    }
    for (const Finding& finding : findings) {
        printLine(
            fmt::format("{:<4}  {:<7} {}", toText(finding.health), finding.what, finding.found));
        if (!finding.advice.empty()) {
            printLine("              -> " + finding.advice);
        }
    }
}

int examine(const Options& options) {
    std::vector<Finding> findings;
    checkEngine(findings);
    checkStore(options.store, findings);
    checkData(findings);
    checkMachine(findings);
    print(findings, options.json);
    const bool failed = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.health == Health::Fail;
    });
    if (!options.json) {
        printMessage(failed ? "something must be done before a run can work"
                            : "this machine is ready");
    }
    return failed ? 1 : 0;
}

}  // namespace

Action setupDoctor(CLI::App& app) {
    auto options = std::make_shared<Options>();
    addStoreOption(app, options->store);
    addJsonFlag(app, options->json);
    app.footer(
        R"(Checks the engine, GPUs, the store, data files, cores and memory; says what to do.
Exit code 0 unless a check failed.

Examples:
  concertina doctor
  concertina doctor --json)");
    return [options] { return examine(*options); };
}

}  // namespace concertina
