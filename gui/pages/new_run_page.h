// SPDX-License-Identifier: GPL-3.0-or-later
// NewRunPage: the form of a run, checked as it is typed, beside the TOML it stands for; Launch
// starts it. Opens with a spec that can be launched as it is. GUI thread; files are read and
// written by runInBackground.
#pragma once
#include <QTimer>
#include <QWidget>
#include <optional>

#include "core/spec/run_spec.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace concertina::gui {

class MessageBar;
class SpecForm;

class NewRunPage : public QWidget {
    Q_OBJECT
 public:
    explicit NewRunPage(QWidget* parent = nullptr);
    void setSpec(const RunSpec& spec);
    /// What the form holds now, when it is valid.
    std::optional<RunSpec> spec() const { return spec_; }
    /// The launch that `launchRequested` asked for did not start.
    void showLaunchFailure(const QString& sentence);
    void launchStarted();

 Q_SIGNALS:
    void launchRequested(const concertina::RunSpec& spec);

 private:
    QWidget* makePreview();
    QWidget* makeBottom();
    void check();
    void showState(int mistakes);
    void launch();
    void openFile();
    void loadFile(const QString& file);
    void saveFile();
    void writeSpec(const QString& file);

    MessageBar* message_;
    SpecForm* form_;
    QPlainTextEdit* preview_;
    QLabel* state_;
    QPushButton* launch_;
    QTimer checkTimer_;
    bool isLaunching_ = false;
    std::optional<RunSpec> spec_;
};

}  // namespace concertina::gui
