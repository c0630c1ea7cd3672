// SPDX-License-Identifier: GPL-3.0-or-later
// runInBackground: one piece of file work off the GUI thread, its answer back on it. Called by
// pages for files that a user opens or saves. If the page is gone by then, the answer is dropped.
#pragma once
#include <QFuture>
#include <QPromise>
#include <QThreadPool>
#include <memory>
#include <type_traits>

namespace concertina::gui {

/// REQUIRES: `work` does not throw. `then` runs on the thread of `context`.
template <typename Work, typename Then>
void runInBackground(QObject* context, Work work, Then then) {
    // Shared by the waiting continuation and the pool's thread, which lets go of it last.
    auto promise = std::make_shared<QPromise<std::invoke_result_t<Work>>>();
    promise->future().then(context, std::move(then));
    QThreadPool::globalInstance()->start([promise, work = std::move(work)] {
        promise->start();
        promise->addResult(work());
        promise->finish();
    });
}

}  // namespace concertina::gui
