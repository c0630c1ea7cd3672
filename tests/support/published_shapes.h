// SPDX-License-Identifier: Apache-2.0
// Parameter tensors of the networks whose data volumes the Accordion paper published (methods.md
// §1.7).
#pragma once
#include <vector>

#include "core/catalogue/catalogue.h"
#include "tests/support/compress_choice.h"

namespace concertina {

inline void addConvolution(std::vector<Shape>& shapes,
                           std::int64_t out,
                           std::int64_t in,
                           std::int64_t side) {
    shapes.push_back({out, in, side, side});
    shapes.insert(shapes.end(), 2, Shape{out});  // batch norm
}

/// The CIFAR ResNet-18 (stem 3x3, four stages of two basic blocks) that the papers used.
inline std::vector<Shape> resNet18Shapes(std::int64_t classes) {
    std::vector<Shape> shapes;
    addConvolution(shapes, 64, 3, 3);
    std::int64_t in = 64;
    for (const std::int64_t out : {64, 128, 256, 512}) {
        for (int block = 0; block < 2; ++block) {
            addConvolution(shapes, out, in, 3);
            addConvolution(shapes, out, out, 3);
            if (in != out) {
                addConvolution(shapes, out, in, 1);
            }
            in = out;
        }
    }
    shapes.push_back({classes, 512});
    shapes.push_back({classes});
    return shapes;
}

/// VGG-19 with batch norm and the 512-512-10 classifier of the Accordion code; its convolutions
/// have a bias.
inline std::vector<Shape> vgg19Shapes() {
    std::vector<Shape> shapes;
    std::int64_t in = 3;
    for (const std::int64_t out :
         {64, 64, 128, 128, 256, 256, 256, 256, 512, 512, 512, 512, 512, 512, 512, 512}) {
        addConvolution(shapes, out, in, 3);
        shapes.push_back({out});
        in = out;
    }
    for (const std::int64_t out : {512, 512, 10}) {
        shapes.push_back({out, 512});
        shapes.push_back({out});
    }
    return shapes;
}

/// Iterations of an epoch of CIFAR in global batches of 512.
constexpr std::int64_t kAuthorsIterations = 98;

/// Floats of one iteration at `level` as the authors counted them for PowerSGD: one worker's
/// payload.
inline std::int64_t authorsPowersgdFloats(const std::vector<Shape>& shapes, std::int64_t rank) {
    const Settings options = compressorAtDefaults("powersgd").options;
    std::int64_t bytes = 0;
    for (const Shape& shape : shapes) {
        bytes += planLayer(*findCompressor("powersgd"), shape, {{"rank", rank}}, options, 4)
                     .payloadBytes();
    }
    return bytes / 4;
}

/// And for TopK on 4 workers: value and index of every worker for matrices, also where that is more
/// than dense, but vectors once.
inline std::int64_t authorsTopkFloats(const std::vector<Shape>& shapes, double ratio) {
    const CompressorDescriptor& topk = *findCompressor("topk");
    Settings options = compressorAtDefaults("topk").options;
    options["indices"] = std::string("int32");
    std::int64_t floats = 0;
    for (const Shape& shape : shapes) {
        floats += shape.size() <= 1
                      ? elementsOf(shape)
                      : 4 * topk.plan(shape, {{"ratio", ratio}}, options).payloadBytes() / 4;
    }
    return floats;
}

}  // namespace concertina
