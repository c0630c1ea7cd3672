// SPDX-License-Identifier: Apache-2.0
#include "app/commands/overrides.h"

#include "core/base/error.h"
#include "core/base/text.h"

namespace concertina {

void addSetOption(CLI::App& app, std::vector<std::string>& settings) {
    // One value each: `--set a=1 SPEC` must not swallow the spec.
    app.add_option("--set", settings,
                   "Replaces a key of the spec, e.g. train.lr=0.1; may be repeated")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
}

Overrides overridesOf(const std::vector<std::string>& settings) {
    Overrides overrides;
    for (const std::string& setting : settings) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw Error(ErrorKind::Usage,
                        "--set " + excerpt(setting) +
                            ": expected KEY=VALUE, for example --set train.lr=0.1");
        }
        overrides.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
    return overrides;
}

}  // namespace concertina
