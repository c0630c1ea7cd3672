// SPDX-License-Identifier: Apache-2.0
// Names, shapes and initialization of the convolutional networks against torchvision's and the
// published data volumes' tables.
#include <ATen/ops/arange.h>
#include <gmock/gmock.h>

#include "core/model/blocks.h"
#include "core/model/model.h"
#include "tests/support/data_choice.h"
#include "tests/support/published_shapes.h"

namespace concertina {
namespace {

using ::testing::Contains;
using ::testing::Not;
using ::testing::SizeIs;

DataForm images(std::int64_t classes) {
    return {.task = Task::Classes, .inputShape = {3, 32, 32}, .outputs = classes};
}

std::shared_ptr<Model> make(const std::string& name, std::int64_t classes = 10) {
    return makeModel(modelChoice(name), images(classes), 1);
}

std::vector<std::string> namesOf(const Model& model) { return model.named_parameters().keys(); }

std::vector<Shape> shapesOf(const Model& model) {
    std::vector<Shape> shapes;
    for (const at::Tensor& parameter : model.parameters()) {
        shapes.push_back(parameter.sizes().vec());
    }
    return shapes;
}

std::vector<Shape> sorted(std::vector<Shape> shapes) {
    std::sort(shapes.begin(), shapes.end());
    return shapes;
}

TEST(Networks, HaveTheLayersWhoseDataVolumesWerePublished) {
    EXPECT_EQ(shapesOf(*make("resnet18")), resNet18Shapes(10));
    EXPECT_EQ(shapesOf(*make("resnet18", 100)), resNet18Shapes(100));
    EXPECT_EQ(sorted(shapesOf(*make("vgg19_bn"))), sorted(vgg19Shapes()));
    // DenseNet on CIFAR-100, PowerSGD (methods.md 1.5): 2155.6 and 3387.4 M floats.
    const auto dense = shapesOf(*make("densenet_cifar", 100));
    EXPECT_NEAR(static_cast<double>(authorsPowersgdFloats(dense, 1)) * 98 * 300 / 1e6, 2155.6, 0.1);
    EXPECT_NEAR(static_cast<double>(authorsPowersgdFloats(dense, 2)) * 98 * 300 / 1e6, 3387.4, 0.1);
}

TEST(Networks, ResNetsHaveTorchvisionsNames) {
    const auto model = make("resnet18");
    const auto names = namesOf(*model);
    EXPECT_THAT(names, SizeIs(62));
    EXPECT_EQ(names[0], "conv1.weight");
    EXPECT_EQ(names[1], "bn1.weight");
    EXPECT_EQ(names[3], "layer1.0.conv1.weight");
    EXPECT_THAT(names, Contains("layer2.0.downsample.0.weight"));
    EXPECT_THAT(names, Contains("layer4.0.downsample.1.bias"));
    EXPECT_THAT(names, Not(Contains("layer1.0.downsample.0.weight")));
    EXPECT_EQ(names.back(), "fc.bias");
    EXPECT_THAT(model->named_buffers().keys(), Contains("layer3.1.bn2.running_var"));
    EXPECT_THAT(namesOf(*make("resnet20")), SizeIs(59));
    EXPECT_THAT(namesOf(*make("senet18")), Contains("layer4.1.se.fc2.bias"));
}

TEST(Networks, OthersHaveTorchvisionsNames) {
    const auto vgg = namesOf(*make("vgg19_bn"));
    EXPECT_EQ(vgg[0], "features.0.weight");
    EXPECT_EQ(vgg[2], "features.1.weight");
    EXPECT_THAT(vgg, Contains("features.49.weight"));  // the last convolution
    EXPECT_EQ(vgg.back(), "classifier.6.bias");
    const auto google = namesOf(*make("googlenet"));
    EXPECT_EQ(google[0], "conv1.conv.weight");
    EXPECT_THAT(google, Contains("inception4a.branch2.1.bn.weight"));
    EXPECT_THAT(google, Contains("inception5b.branch4.1.conv.weight"));
    const auto dense = namesOf(*make("densenet_cifar"));
    EXPECT_THAT(dense, Contains("features.denseblock3.denselayer24.conv2.weight"));
    EXPECT_THAT(dense, Contains("features.transition1.conv.weight"));
    EXPECT_THAT(dense, Contains("features.norm5.bias"));
    EXPECT_EQ(dense.front(), "features.conv0.weight");
    EXPECT_EQ(dense.back(), "classifier.bias");
}

TEST(Networks, WeightsHaveTheDeviationOfTheirFan) {
    // layer4.1.conv2 of ResNet-18: 2,359,296 weights, 512 * 9 outputs: sqrt(2 / 4608) = 0.020833. A
    // deviation of that many numbers is off by 1 / sqrt(2 n) = 0.05 %; six of them.
    const auto weights = make("resnet18")->named_parameters();
    const at::Tensor conv = weights["layer4.1.conv2.weight"];
    EXPECT_NEAR(conv.std().item<double>(), 0.0208333, 0.0208333 * 0.003);
    EXPECT_NEAR(conv.mean().item<double>(), 0, 6 * 0.0208333 / 1536);
    EXPECT_TRUE(weights["layer4.1.bn2.weight"].eq(1).all().item<bool>());
    const auto vgg = make("vgg11_bn")->named_parameters();
    EXPECT_TRUE(vgg["features.0.bias"].eq(0).all().item<bool>());
    // A stem of 3 * 9 inputs, 648 weights: 2.8 % for one deviation.
    const auto dense = make("densenet_cifar")->named_parameters();
    EXPECT_NEAR(dense["features.conv0.weight"].std().item<double>(), 0.272166, 0.272166 * 0.17);
    const auto google = make("googlenet")->named_parameters();
    EXPECT_NEAR(google["inception5b.branch1.conv.weight"].std().item<double>(), 0.01, 1e-4);
}

TEST(Networks, TakeOtherChannelsAndSizes) {
    const DataForm grey{.task = Task::Classes, .inputShape = {1, 28, 28}, .outputs = 7};
    for (const char* name : {"resnet20", "senet18", "densenet_cifar", "googlenet"}) {
        const auto model = makeModel(modelChoice(name), grey, 1);
        const at::Tensor x = at::arange(2 * 784, at::kFloat).view({2, 1, 28, 28}) / 784;
        EXPECT_EQ(model->forward(x).sizes().vec(), (Shape{2, 7})) << name;
    }
}

TEST(Blocks, AMeanIsTakenOfEachChannel) {
    const at::Tensor x = at::arange(8, at::kFloat).view({1, 2, 2, 2});
    EXPECT_EQ(globalMean(x)[0][0].item<float>(), 1.5F);
    EXPECT_EQ(globalMean(x)[0][1].item<float>(), 5.5F);
}

TEST(Blocks, ConvolutionsKeepTheSizeOrHalveIt) {
    const at::Tensor x = at::arange(25, at::kFloat).view({1, 1, 5, 5});
    EXPECT_EQ(convolution({1, 4, 3})->forward(x).sizes().vec(), (Shape{1, 4, 5, 5}));
    EXPECT_EQ(convolution({1, 4, 3, 2})->forward(x).sizes().vec(), (Shape{1, 4, 3, 3}));
    EXPECT_EQ(convolution({1, 4, 1, 2})->forward(x).sizes().vec(), (Shape{1, 4, 3, 3}));
}

}  // namespace
}  // namespace concertina
