// SPDX-License-Identifier: Apache-2.0
// Writes the curves of experiments/error_feedback as CSV to stdout: each method on the
// over-parameterised least squares, step by step.
#include <cstdio>

#include "tests/support/least_squares.h"

int main() {
    const concertina::LeastSquares problem = concertina::makeLeastSquares(100, 1);
    std::puts("method,learning_rate,step,train_loss,test_loss,distance_from_span");
    for (const concertina::SpanMethod& method : concertina::spanMethods()) {
        int step = 0;
        for (const concertina::SpanPoint& point : concertina::runSpanMethod(problem, method, 80)) {
            std::printf("%s,%g,%d,%.4g,%.4g,%.4g\n", method.name.c_str(), method.learningRate,
                        ++step, point.trainLoss, point.testLoss, point.distanceFromSpan);
        }
    }
    return 0;
}
