// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/torch_ops.h"

#include <ATen/ATen.h>

#include <cmath>

namespace concertina::bench {
namespace {

at::Tensor packed;  // a result that nothing else would use, so that it is computed

void topk(const at::Tensor& gradient, at::Tensor& memory) {
    const at::Tensor input = (gradient + memory).flatten();
    const auto kept =
        static_cast<std::int64_t>(std::ceil(0.01 * static_cast<double>(input.numel())));
    const at::Tensor indices = std::get<1>(input.abs().topk(kept, -1, true, false));
    packed = input.index_select(0, indices);
    memory.copy_(input.index_fill(0, indices, 0).view_as(memory));
}

/// 4 bits: a sign and 7 levels, l2 norm of 512 values.
void qsgd(const at::Tensor& gradient, at::Tensor&) {
    constexpr std::int64_t kBucket = 512;
    constexpr double kLevels = 7;
    const std::int64_t missing = (kBucket - gradient.numel() % kBucket) % kBucket;
    const at::Tensor buckets =
        at::constant_pad_nd(gradient.flatten(), {0, missing}).view({-1, kBucket});
    const at::Tensor norms = buckets.norm(2, {1}, true).clamp_min(1e-38);
    const at::Tensor scaled = buckets.abs() / norms * kLevels;
    const at::Tensor floors = scaled.floor();
    const at::Tensor levels = floors + (at::rand_like(scaled) < scaled - floors);
    const at::Tensor codes = (levels + (buckets < 0) * 8).to(at::kByte);
    packed = codes.slice(1, 0, kBucket, 2)
                 .bitwise_or(codes.slice(1, 1, kBucket, 2).bitwise_left_shift(4));
}

void scaledSign(const at::Tensor& gradient, at::Tensor& memory) {
    const at::Tensor input = gradient + memory;
    const at::Tensor scale = input.abs().mean();
    const std::int64_t missing = (8 - input.numel() % 8) % 8;
    const at::Tensor bits =
        at::constant_pad_nd((input < 0).flatten().to(at::kByte), {0, missing}).view({-1, 8});
    packed = bits.select(1, 0);
    for (std::int64_t bit = 1; bit < 8; ++bit) {
        packed = packed.bitwise_or(bits.select(1, bit).bitwise_left_shift(bit));
    }
    memory.copy_(input - input.sign() * scale);
}

void powersgd(const at::Tensor& gradient, at::Tensor& memory) {
    const at::Tensor input = gradient + memory;
    const at::Tensor query = at::ones({input.size(1), 2});
    query.select(1, 1).slice(0, 0, c10::nullopt, 2).fill_(-1);
    const at::Tensor p = std::get<0>(at::linalg_qr(input.matmul(query)));
    const at::Tensor output = p.matmul(input.t().matmul(p).t());
    memory.copy_(input - output);
}

}  // namespace

std::vector<TorchOps> torchOps() {
    return {{"topk", {{"ratio", 0.01}}, "`abs().topk`, `index_select`, `index_fill`", topk},
            {"qsgd", {{"bits", std::int64_t{4}}}, "`norm`, `floor`, `rand_like`, shifts", qsgd},
            {"signsgd", {{"scale", std::string("l1")}}, "`mean`, `sign`, shifts", scaledSign},
            {"powersgd", {{"rank", std::int64_t{2}}}, "`matmul`, `linalg_qr`", powersgd}};
}

}  // namespace concertina::bench
