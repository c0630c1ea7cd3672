// SPDX-License-Identifier: GPL-3.0-or-later
// Colours must stay apart for colour-blind eyes: CIEDE2000 (Sharma, Wu, Dalal 2005) after
// simulating each deficiency at full severity (Machado, Oliveira, Fernandes 2009, in linear RGB).
#include "gui/widgets/palette.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace concertina::gui {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr Matrix kNormal = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtanopia = {{{0.152286, 1.052583, -0.204868},
                                 {0.114503, 0.786281, 0.099216},
                                 {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeuteranopia = {{{0.367322, 0.860646, -0.227968},
                                   {0.280085, 0.672501, 0.047413},
                                   {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritanopia = {{{1.255528, -0.076749, -0.178779},
                                 {-0.078411, 0.930809, 0.147602},
                                 {0.004733, 0.691367, 0.303900}}};
constexpr Matrix kXyzOfLinearRgb = {{{0.4124564, 0.3575761, 0.1804375},
                                     {0.2126729, 0.7151522, 0.0721750},
                                     {0.0193339, 0.1191920, 0.9503041}}};

Vector times(const Matrix& matrix, const Vector& v) {
    Vector product{};
    for (std::size_t i = 0; i < 3; ++i) {
        product[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
    }
    return product;
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double labCurve(double t) {
    return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

Vector labOf(const QColor& color, const Matrix& deficiency) {
    Vector rgb =
        times(deficiency, {linear(color.redF()), linear(color.greenF()), linear(color.blueF())});
    for (double& channel : rgb) {
        channel = std::clamp(channel, 0.0, 1.0);
    }
    const Vector xyz = times(kXyzOfLinearRgb, rgb);
    const double x = labCurve(xyz[0] / 0.95047), y = labCurve(xyz[1]);
    const double z = labCurve(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double degrees(double radians) { return radians * 180 / std::numbers::pi; }
double radians(double angle) { return angle * std::numbers::pi / 180; }

double meanHue(double h1, double h2) {
    if (std::abs(h1 - h2) <= 180) {
        return (h1 + h2) / 2;
    }
    return h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2;
}

double deltaE2000(const Vector& one, const Vector& two) {
    const double chroma = (std::hypot(one[1], one[2]) + std::hypot(two[1], two[2])) / 2;
    const auto seventh = [](double c) {
        return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25, 7)));
    };
    const double stretch = 1.5 - 0.5 * seventh(chroma);
    const double c1 = std::hypot(one[1] * stretch, one[2]),
                 c2 = std::hypot(two[1] * stretch, two[2]);
    const auto hue = [&](const Vector& lab) {
        const double angle = degrees(std::atan2(lab[2], lab[1] * stretch));
        return angle < 0 ? angle + 360 : angle;
    };
    const double h1 = hue(one), h2 = hue(two), h = meanHue(h1, h2);
    double hueStep = h2 - h1;
    hueStep += hueStep > 180 ? -360 : hueStep < -180 ? 360 : 0;
    const double dL = two[0] - one[0], dC = c2 - c1;
    const double dH = 2 * std::sqrt(c1 * c2) * std::sin(radians(hueStep / 2));
    const double l = (one[0] + two[0]) / 2 - 50, c = (c1 + c2) / 2;
    const double t = 1 - 0.17 * std::cos(radians(h - 30)) + 0.24 * std::cos(radians(2 * h)) +
                     0.32 * std::cos(radians(3 * h + 6)) - 0.20 * std::cos(radians(4 * h - 63));
    const double turn = 30 * std::exp(-std::pow((h - 275) / 25, 2));
    const double sL = 1 + 0.015 * l * l / std::sqrt(20 + l * l), sC = 1 + 0.045 * c;
    const double sH = 1 + 0.015 * c * t;
    const double rotation = -std::sin(radians(2 * turn)) * 2 * seventh(c);
    return std::sqrt(std::pow(dL / sL, 2) + std::pow(dC / sC, 2) + std::pow(dH / sH, 2) +
                     rotation * dC / sC * dH / sH);
}

TEST(Palette, TheDifferenceFormulaGivesItsPublishedValues) {
    EXPECT_NEAR(deltaE2000({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 1e-4);
    EXPECT_NEAR(deltaE2000({50, 2.5, 0}, {73, 25, -18}), 27.1492, 1e-4);
    EXPECT_NEAR(deltaE2000({50, 2.5, 0}, {50, 3.2592, 0.3350}), 1.0, 1e-4);
}

TEST(Palette, LevelsDenseAndCriticalStayApartForEveryEye) {
    for (const bool dark : {false, true}) {
        const PlotPalette& palette = plotPalette(dark);
        const std::array<QColor, 4> colors = {levelColor(palette, 0, 2), levelColor(palette, 1, 2),
                                              palette.dense, palette.critical};
        for (const Matrix& eye : {kNormal, kProtanopia, kDeuteranopia, kTritanopia}) {
            for (std::size_t i = 0; i < colors.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    EXPECT_GE(deltaE2000(labOf(colors[i], eye), labOf(colors[j], eye)), 16.0)
                        << colors[i].name().toStdString() << " and "
                        << colors[j].name().toStdString();
                }
            }
        }
    }
}

TEST(Palette, RampRunsFromMildToStrong) {
    const PlotPalette& palette = plotPalette(false);
    EXPECT_EQ(levelColor(palette, 0, 1), palette.mild);
    EXPECT_EQ(levelColor(palette, 0, 3), palette.mild);
    EXPECT_EQ(levelColor(palette, 2, 3), palette.strong);
    EXPECT_EQ(levelColor(palette, 1, 3), QColor(0x64, 0x9F, 0xD1));
    EXPECT_EQ(levelColor(palette, 9, 3), palette.strong);
}

TEST(Palette, RunsAreDashedAfterSixAndGreyAfterTwelve) {
    const PlotPalette& palette = plotPalette(true);
    EXPECT_EQ(runPen(palette, 0, 2).style(), Qt::SolidLine);
    EXPECT_EQ(runPen(palette, 6, 2).style(), Qt::DashLine);
    EXPECT_EQ(runPen(palette, 6, 2).color(), runPen(palette, 0, 2).color());
    EXPECT_EQ(runPen(palette, 12, 2).color(), palette.context);
}

}  // namespace
}  // namespace concertina::gui
