// SPDX-License-Identifier: Apache-2.0
#include "core/catalogue/describe.h"

#include <memory>

#include "app/commands/command.h"
#include "app/output.h"

namespace concertina {

Action setupDescribe(CLI::App& app) {
    auto json = std::make_shared<bool>(false);
    addJsonFlag(app, *json);
    app.footer(R"(Everything a spec may name, with each parameter's unit, range and default.

Examples:
  concertina describe
  concertina describe --json)");
    return [json] {
        printLine(*json ? describeJson() : describeText());
        return 0;
    };
}

}  // namespace concertina
