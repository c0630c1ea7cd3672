// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/new_run_page.h"

#include <gmock/gmock.h>

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "tests/gui/dialogs.h"

namespace concertina::gui {
namespace {

constexpr int kPatienceMs = 20000;

class NewRunPageTest : public testing::Test {
 protected:
    NewRunPageTest() { page_.show(); }
    QPushButton* launch() { return page_.findChild<QPushButton*>("launch"); }
    QLineEdit* field(const QString& name) { return page_.findChild<QLineEdit*>(name); }
    QStringList mistakes() {
        QStringList texts;
        for (const QLabel* label : page_.findChildren<QLabel*>("mistake")) {
            if (!label->isHidden()) {
                texts << label->text();
            }
        }
        return texts;
    }
    /// Whether a visible label holds this, now or soon.
    bool says(const QString& text) {
        const auto isShown = [&] {
            const auto labels = page_.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
                return label->isVisible() && label->text().contains(text);
            });
        };
        return QTest::qWaitFor(isShown, kPatienceMs);
    }
    bool becomesValid(bool valid) {
        return QTest::qWaitFor([&] { return page_.spec().has_value() == valid; }, kPatienceMs);
    }

    NewRunPage page_;
};

TEST_F(NewRunPageTest, OpensWithASpecThatCanBeLaunched) {
    ASSERT_TRUE(page_.spec().has_value());
    EXPECT_EQ(*page_.spec(), defaultRunSpec());
    EXPECT_TRUE(launch()->isEnabled());
    EXPECT_EQ(mistakes(), QStringList());
    QSignalSpy requested(&page_, &NewRunPage::launchRequested);
    launch()->click();
    EXPECT_EQ(requested.count(), 1);
    EXPECT_FALSE(launch()->isEnabled()) << "a second click would start a second run";
}

TEST_F(NewRunPageTest, AMistakeStandsUnderItsFieldAndForbidsTheLaunch) {
    field("lr")->setText("-1");
    ASSERT_TRUE(becomesValid(false));
    EXPECT_FALSE(launch()->isEnabled());
    ASSERT_EQ(mistakes().size(), 1);
    EXPECT_TRUE(mistakes()[0].contains("-1")) << mistakes()[0].toStdString();
    EXPECT_EQ(field("lr")->parentWidget()->findChild<QLabel*>("mistake")->text(), mistakes()[0]);
    field("lr")->setText("0.1");
    ASSERT_TRUE(becomesValid(true));
    EXPECT_EQ(realOf(page_.spec()->train, "lr"), 0.1);
    EXPECT_EQ(mistakes(), QStringList());
}

TEST_F(NewRunPageTest, AllMistakesAreShownAtOnce) {
    field("lr")->setText("fast");
    field("epochs")->setText("0");
    field("momentum")->setText("2");
    ASSERT_TRUE(becomesValid(false));
    EXPECT_EQ(mistakes().size(), 3);
}

TEST_F(NewRunPageTest, TextThatIsNoTomlIsAMistakeOfItsField) {
    field("lr")->setText("\"]\n= \\");
    ASSERT_TRUE(becomesValid(false));
    ASSERT_EQ(mistakes().size(), 1);
}

TEST_F(NewRunPageTest, ListsAreTypedWithOrWithoutBrackets) {
    field("lr_decay_epochs")->setText("15, 24");
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return page_.spec() && integersOf(page_.spec()->train, "lr_decay_epochs").size() == 2;
        },
        kPatienceMs));
    EXPECT_EQ(integersOf(page_.spec()->train, "lr_decay_epochs"),
              (std::vector<std::int64_t>{15, 24}));
}

TEST_F(NewRunPageTest, LevelsCanBeAddedAndMustGoFromMildToStrong) {
    page_.findChild<QPushButton*>("addLevel")->click();
    const QList<QLineEdit*> ratios = page_.findChildren<QLineEdit*>("ratio");
    ASSERT_EQ(ratios.size(), 3);
    ratios[2]->setText("0.0001");
    ASSERT_TRUE(QTest::qWaitFor([&] { return page_.spec() && page_.spec()->levels.size() == 3; },
                                kPatienceMs));
    ratios[2]->setText("0.5");
    ASSERT_TRUE(becomesValid(false));
    EXPECT_EQ(mistakes().size(), 1);
}

TEST_F(NewRunPageTest, AnotherCompressorBringsItsOwnLevels) {
    page_.findChild<QComboBox*>("Compressor")->setCurrentText("powersgd");
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return page_.spec() && page_.spec()->compress.name == "powersgd"; }, kPatienceMs));
    EXPECT_EQ(page_.spec()->levels, findCompressor("powersgd")->defaultLevels);
}

TEST_F(NewRunPageTest, ShowsEverySpecItIsGiven) {
    const RunSpec spec = parseRunSpec(R"(
name = "mine \"quoted\""
seed = 7
data.name = "fashion-mnist"
data.train_samples = 6000
model.name = "mlp"
ranks.count = 4
compress.name = "powersgd"
compress.levels = [{ rank = 4 }, { rank = 2 }, { rank = 1 }]
policy.name = "accordion"
policy.eta = 0.3
link.bandwidth_mbps = 50.0
)",
                                      "test");
    page_.setSpec(spec);
    ASSERT_TRUE(page_.spec().has_value());
    EXPECT_EQ(*page_.spec(), spec);
    const QString preview = page_.findChild<QPlainTextEdit*>()->toPlainText();
    EXPECT_EQ(parseRunSpec(preview.toStdString(), "preview"), spec);
}

TEST_F(NewRunPageTest, SavesASpecAndOpensItAgain) {
    const QTemporaryDir folder;
    field("lr")->setText("0.125");
    field("name")->setText("a/b");
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return page_.spec() && realOf(page_.spec()->train, "lr") == 0.125; }, kPatienceMs));
    const RunSpec saved = *page_.spec();
    page_.findChild<QPushButton*>("saveSpec")->click();
    ASSERT_TRUE(chooseFile(folder.filePath("mine")));
    ASSERT_TRUE(says("Saved " + folder.filePath("mine.toml")));
    EXPECT_EQ(readRunSpec(folder.filePath("mine.toml").toStdString()), saved);

    page_.setSpec(defaultRunSpec());
    page_.findChild<QPushButton*>("openSpec")->click();
    ASSERT_TRUE(chooseFile(folder.filePath("mine.toml")));
    ASSERT_TRUE(says("Opened " + folder.filePath("mine.toml")));
    EXPECT_EQ(*page_.spec(), saved);
}

TEST_F(NewRunPageTest, AFileThatCannotBeSavedOrOpenedSaysWhyAndLeavesTheForm) {
    const QTemporaryDir folder;
    page_.findChild<QPushButton*>("saveSpec")->click();
    ASSERT_TRUE(chooseFile(folder.filePath("absent/mine.toml")));
    EXPECT_TRUE(says("Cannot write " + folder.filePath("absent/mine.toml")));

    QFile bad(folder.filePath("bad.toml"));
    ASSERT_TRUE(bad.open(QIODevice::WriteOnly));
    bad.write("name = \"bad\"\n[train]\nlr = -1\n");
    bad.close();
    page_.findChild<QPushButton*>("openSpec")->click();
    ASSERT_TRUE(chooseFile(bad.fileName()));
    EXPECT_TRUE(says("bad.toml:3: train.lr"));
    EXPECT_EQ(*page_.spec(), defaultRunSpec());
}

TEST_F(NewRunPageTest, ALaunchThatFailsSaysWhyAndCanBeTriedAgain) {
    launch()->click();
    page_.showLaunchFailure("train-images: 7 bytes, expected 47040016");
    EXPECT_TRUE(launch()->isEnabled());
    EXPECT_TRUE(says("train-images"));
}

}  // namespace
}  // namespace concertina::gui
