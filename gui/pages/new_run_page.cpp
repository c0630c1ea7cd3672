// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/new_run_page.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>
#include <chrono>

#include "gui/models/background.h"
#include "gui/models/spec_files.h"
#include "gui/widgets/file_dialogs.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/spec_form.h"

namespace concertina::gui {
namespace {

using namespace std::chrono_literals;
constexpr auto kCheckDelay = 120ms;  // after the last key: a fast typist is not judged in mid-word
const QString kFileFilter = QStringLiteral("Run specs (*.toml);;All files (*)");

QString joined(const std::vector<SpecMistake>& mistakes) {
    QStringList lines;
    for (const SpecMistake& mistake : mistakes) {
        lines << QString::fromStdString(
            mistake.key.empty() ? mistake.sentence : mistake.key + ": " + mistake.sentence);
    }
    return lines.join('\n');
}

}  // namespace

NewRunPage::NewRunPage(QWidget* parent)
    : QWidget(parent), message_(new MessageBar(this)), form_(new SpecForm(this)) {
    form_->setObjectName(QStringLiteral("specForm"));
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(form_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(scroll);
    splitter->addWidget(makePreview());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({640, 420});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(message_);
    layout->addWidget(splitter, 1);
    layout->addWidget(makeBottom());
    checkTimer_.setSingleShot(true);
    checkTimer_.setInterval(kCheckDelay);
    connect(&checkTimer_, &QTimer::timeout, this, &NewRunPage::check);
    connect(form_, &SpecForm::edited, &checkTimer_, qOverload<>(&QTimer::start));
    setSpec(defaultRunSpec());
}

QWidget* NewRunPage::makePreview() {
    auto* box = new QWidget(this);
    auto* caption = new QLabel(QStringLiteral("The same run as a file"), box);
    caption->setObjectName(QStringLiteral("heading"));
    auto* hint =
        new QLabel(QStringLiteral("Keys at their default are left out. Start it anywhere with "
                                  "“concertina run FILE”."),
                   box);
    hint->setObjectName(QStringLiteral("hint"));
    hint->setWordWrap(true);
    preview_ = new QPlainTextEdit(box);
    preview_->setReadOnly(true);
    preview_->setTabChangesFocus(true);
    preview_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    preview_->setLineWrapMode(QPlainTextEdit::NoWrap);
    preview_->setAccessibleName(QStringLiteral("TOML of the run"));
    auto* copy = new QPushButton(QStringLiteral("Copy"), box);
    auto* save = new QPushButton(QStringLiteral("Save as…"), box);
    save->setObjectName(QStringLiteral("saveSpec"));
    auto* open = new QPushButton(QStringLiteral("Open…"), box);
    open->setObjectName(QStringLiteral("openSpec"));
    open->setToolTip(QStringLiteral("Fill the form from a TOML file"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(preview_->toPlainText()); });
    connect(save, &QPushButton::clicked, this, &NewRunPage::saveFile);
    connect(open, &QPushButton::clicked, this, &NewRunPage::openFile);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton* button : {open, copy, save}) {
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(caption);
    layout->addWidget(hint);
    layout->addWidget(preview_, 1);
    layout->addLayout(buttons);
    return box;
}

QWidget* NewRunPage::makeBottom() {
    auto* bar = new QFrame(this);
    bar->setObjectName(QStringLiteral("bottomBar"));
    state_ = new QLabel(bar);
    state_->setObjectName(QStringLiteral("formState"));
    state_->setTextFormat(Qt::PlainText);
    state_->setWordWrap(true);
    launch_ = new QPushButton(QStringLiteral("Launch"), bar);
    launch_->setObjectName(QStringLiteral("launch"));
    launch_->setProperty("role", "primary");
    launch_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
    launch_->setToolTip(QStringLiteral("Start this run and watch it live (Ctrl+Return)"));
    connect(launch_, &QPushButton::clicked, this, &NewRunPage::launch);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(16, 8, 16, 8);
    layout->setSpacing(16);
    layout->addWidget(state_, 1);
    layout->addWidget(launch_);
    return bar;
}

void NewRunPage::setSpec(const RunSpec& spec) {
    form_->setSpec(spec);
    check();
}

void NewRunPage::check() {
    checkTimer_.stop();
    const QString draft = form_->tomlDraft();
    const SpecAnswer answer = parseSpecText(draft, QStringLiteral("form"));
    spec_ = answer.spec;
    const auto homeless = form_->showMistakes(answer.mistakes);
    const bool hasOtherProblem = !spec_ && answer.mistakes.empty();
    if (!homeless.empty() || hasOtherProblem) {
        message_->showError(hasOtherProblem ? answer.problem : joined(homeless));
    } else {
        message_->clear();
    }
    const QString text = spec_ ? QString::fromStdString(toToml(*spec_)) : draft;
    if (text != preview_->toPlainText()) {
        preview_->setPlainText(text);
    }
    showState(int(answer.mistakes.size()));
}

void NewRunPage::showState(int mistakes) {
    launch_->setEnabled(spec_.has_value() && !isLaunching_);
    if (isLaunching_) {
        state_->setText(QStringLiteral("Starting…"));
    } else if (spec_) {
        state_->setText(
            QStringLiteral("%1 ranks, %2 epochs. The run goes on when this window is closed.")
                .arg(integerOf(spec_->ranks, "count"))
                .arg(integerOf(spec_->train, "epochs")));
    } else {
        state_->setText(
            mistakes == 1
                ? QStringLiteral("One field has to be corrected before this can be launched.")
                : QStringLiteral("%1 fields have to be corrected before this can be launched.")
                      .arg(std::max(mistakes, 1)));
    }
}

void NewRunPage::launch() {
    check();  // the last key may be younger than the check's delay
    if (!spec_ || isLaunching_) {
        return;
    }
    isLaunching_ = true;
    showState(0);
    Q_EMIT launchRequested(*spec_);
}

void NewRunPage::showLaunchFailure(const QString& sentence) {
    isLaunching_ = false;
    check();
    message_->showError(sentence);
}

void NewRunPage::launchStarted() {
    isLaunching_ = false;
    check();
}

void NewRunPage::openFile() {
    askForFileToOpen(this, QStringLiteral("Open a run spec"), kFileFilter,
                     [this](const QString& file) { loadFile(file); });
}

void NewRunPage::loadFile(const QString& file) {
    runInBackground(
        this, [file] { return readSpecFile(file); },
        [this, file](const SpecAnswer& answer) {
            if (answer.spec) {
                setSpec(*answer.spec);
                message_->showNotice(QStringLiteral("Opened %1.").arg(file));
            } else {
                message_->showError(answer.problem);
            }
        });
}

void NewRunPage::saveFile() {
    const QString name = spec_ ? QString::fromStdString(spec_->name) : QStringLiteral("run");
    askForFileToSave(this, QStringLiteral("Save the run spec"), name, kFileFilter,
                     [this](const QString& file) { writeSpec(file); });
}

void NewRunPage::writeSpec(const QString& file) {
    const QByteArray content = preview_->toPlainText().toUtf8();
    runInBackground(
        this, [file, content] { return writeFile(file, content); },
        [this, file](const QString& problem) {
            problem.isEmpty() ? message_->showNotice(QStringLiteral("Saved %1.").arg(file))
                              : message_->showError(problem);
        });
}

}  // namespace concertina::gui
