// SPDX-License-Identifier: Apache-2.0
// Every number that is stored, plotted or printed. resources/docs/metrics.md defines and derives
// each.
#include "core/catalogue/catalogue.h"

namespace concertina {

std::span<const MetricDescriptor> metrics() {
    static const std::vector<MetricDescriptor> kTable{
        {"train_loss", "nats", "lower", "mean training loss of the epoch's steps over all ranks"},
        {"test_loss", "nats", "lower",
         "mean loss on the test set; of values to predict the mean squared error"},
        {"test_accuracy", "1", "higher", "share of test samples classified right"},
        {"test_perplexity", "1", "lower", "exp(test_loss) of language models"},
        {"learning_rate", "1", "none", "learning rate of the epoch"},
        {"payload_bytes", "bytes", "lower", "what one rank hands to collectives for gradients"},
        {"wire_bytes", "bytes", "lower", "what one rank sends for gradients"},
        {"dense_fp32_wire_bytes", "bytes", "none",
         "what one rank would have sent uncompressed in fp32"},
        {"dense_fp16_wire_bytes", "bytes", "none",
         "what one rank would have sent uncompressed in fp16"},
        {"ratio", "1", "higher", "compression ratio: dense fp32 wire bytes / wire bytes"},
        {"ratio_to_fp16", "1", "higher", "dense fp16 wire bytes / wire bytes"},
        {"decision_wire_bytes", "bytes", "lower", "what one rank sends to agree on levels"},
        {"control_wire_bytes", "bytes", "lower",
         "what one rank sends to agree on stop, checkpoint and non-finite steps"},
        {"metric_wire_bytes", "bytes", "lower",
         "what one rank sends to average losses and accuracies"},
        {"buffer_wire_bytes", "bytes", "lower",
         "what one rank sends to average buffers such as batch-norm statistics"},
        {"size_wire_bytes", "bytes", "lower",
         "what one rank sends to agree on the length of variable messages"},
        {"gradient_norm", "1", "none",
         "l2 norm of a layer's gradient summed over one epoch, on rank 0"},
        {"change_ratio", "1", "none",
         "relative change of a layer's gradient norm between two detections"},
        {"mild_share", "1", "none",
         "share of layer-epochs of compressible layers spent at the mildest level"},
        {"train_seconds", "s", "lower", "time spent training, without evaluation and pauses"},
        {"epoch_seconds", "s", "lower", "training time of one epoch"},
    };
    return kTable;
}

}  // namespace concertina
