// SPDX-License-Identifier: Apache-2.0
// TopK: each rank sends its k largest magnitudes (Aji, Heafield 2017; Stich, Cordonnier, Jaggi
// 2018). Payload bytes per rank and step: I + 4 k, I the bytes of the indices: the smaller of 4 k
// (int32) and Elias-Fano (kernels/elias_fano.h); with fp16 values I + 2 k, filled up to 4; one
// all-gather. Indices are sorted because the pass that finds them meets them so, and because
// ascending writes are kinder to memory on the other side. The mean of W lists is their sum divided
// by W: Accordion's released code leaves the division out (methods.md 1.3, 16), which makes the
// learning rate depend on the number of ranks.
//
// Scope "model": the layers of one level share a threshold, the k-th magnitude of all their
// elements together, k = ceil(ratio times their number); layers that go dense are not among them.
// Each sends what reaches it (of equal magnitudes all, so that no layer is preferred), in a message
// of variable size: nothing where that is nothing; else k as one word, then as above; k = n: all
// values follow and no index.
#include "kernels/topk.h"

#include <ATen/ops/empty.h>

#include <map>

#include "core/base/check.h"
#include "core/catalogue/compressors/topk_message.h"
#include "core/catalogue/sizes.h"
#include "core/compress/compressor.h"
#include "core/compress/dispatch.h"
#include "core/compress/sparse_messages.h"
#include "kernels/half.h"
#include "kernels/select.h"

namespace concertina {
namespace {

constexpr std::int64_t kWordBytes = 4;

/// A list as the kernels select and add it, whatever its message looks like.
struct PlainList {
    at::Tensor words;  // kept indices, then kept values; where isDense, values only
    kernels::SparseList list;

    const std::int32_t* indices() const { return static_cast<const std::int32_t*>(list.start); }
    float* values() const {
        return words.mutable_data_ptr<float>() + (list.isDense ? 0 : list.kept);
    }
};

PlainList plainList(std::int64_t kept, bool isDense, const at::Tensor& like) {
    const std::int64_t words = isDense ? kept : 2 * kept;
    PlainList plain{at::empty({words}, like.options()), {}};
    plain.list = {plain.words.const_data_ptr(), kept, isDense};
    return plain;
}

class Topk : public Compressor {
 public:
    Topk(const Settings& options, const RankInfo& info)
        : options_(topkOptionsOf(options)), worldSize_(info.worldSize) {}

    bool wantsOneBucket() const override { return options_.modelScope; }

    void prepare(std::span<LayerWork* const> bucket) override {
        if (!options_.modelScope) {
            return;
        }
        std::map<double, std::vector<const LayerWork*>> byRatio;
        for (const LayerWork* work : bucket) {
            byRatio[realOf(*work->level, "ratio")].push_back(work);
        }
        thresholds_.clear();
        for (const auto& [ratio, works] : byRatio) {
            const float threshold = thresholdOf(ratio, works);
            for (const LayerWork* work : works) {
                thresholds_[work->layer] = threshold;
            }
        }
    }

    void encode(int, LayerWork& work, const at::Tensor& payload) override {
        if (options_.modelScope) {
            encodeAbove(work, payload);
            return;
        }
        const std::int64_t kept = keptOf(realOf(*work.level, "ratio"), work.input.numel());
        const TopkMessage message = messageOf(kept, work);
        CONCERTINA_CHECK(message.bytes() == payload.numel(),
                         "payload of " + std::to_string(payload.numel()) + " bytes for " +
                             std::to_string(kept) + " of " + std::to_string(work.input.numel()));
        PlainList plain = plainList(kept, false, work.input);
        check(kernels::selectTopk(work.input.mutable_data_ptr<float>(), work.input.numel(), kept,
                                  static_cast<std::int32_t*>(plain.words.data_ptr()),
                                  plain.values(), streamOf(work.input)));
        write(plain, message, work, payload);
    }

    void decode(int, LayerWork& work, const at::Tensor& combined) override {
        std::vector<PlainList> plain;
        std::vector<kernels::SparseList> lists;
        for (int rank = 0; rank < worldSize_; ++rank) {
            plain.push_back(options_.modelScope ? readVariable(rank, work, combined[rank])
                                                : readFixed(rank, work, combined[rank]));
            lists.push_back(plain.back().list);
        }
        check(kernels::scatterMean(lists.data(), worldSize_, work.output.mutable_data_ptr<float>(),
                                   work.output.numel(), streamOf(work.output)));
    }

 private:
    TopkMessage messageOf(std::int64_t kept, const LayerWork& work) const {
        return topkMessageOf(kept, work.output.numel(), options_);
    }

    static float thresholdOf(double ratio, const std::vector<const LayerWork*>& works) {
        std::vector<kernels::MagnitudePart> parts;
        std::int64_t elements = 0;
        for (const LayerWork* work : works) {
            parts.push_back({work->input.const_data_ptr<float>(), work->input.numel()});
            elements += work->input.numel();
        }
        float threshold = 0;
        check(kernels::findMagnitude(parts.data(), static_cast<int>(parts.size()),
                                     keptOf(ratio, elements), threshold,
                                     streamOf(works.front()->input)));
        return threshold;
    }

    void encodeAbove(LayerWork& work, const at::Tensor& payload) {
        const std::int64_t elements = work.input.numel();
        const at::Tensor words = at::empty({elements}, work.input.options());
        std::int64_t selectedBytes = 0;
        check(kernels::selectAbove(work.input.mutable_data_ptr<float>(), elements,
                                   thresholds_.at(work.layer), words.data_ptr(), selectedBytes,
                                   streamOf(work.input)));
        const PlainList plain{words, sparseListOf(words.data_ptr(), selectedBytes, elements, 0)};
        work.writtenBytes = 0;
        if (plain.list.kept > 0) {
            const TopkMessage message = variableMessageOf(plain.list.kept, work);
            work.writtenBytes = kWordBytes + message.bytes();
            payload.narrow(0, 0, kWordBytes).view(at::kInt).fill_(plain.list.kept);
            write(plain, message, work, payload.narrow(0, kWordBytes, message.bytes()));
        }
    }

    /// Of a message that says how long it is: where all elements follow, nothing names them.
    TopkMessage variableMessageOf(std::int64_t kept, const LayerWork& work) const {
        TopkMessage message = messageOf(kept, work);
        if (kept == work.output.numel()) {
            message.indexBytes = 0;
        }
        return message;
    }

    /// `plain` becomes `message` in `target`; what rounding to fp16 loses goes back to the
    /// residual.
    void write(const PlainList& plain,
               const TopkMessage& message,
               LayerWork& work,
               const at::Tensor& target) const {
        const std::int64_t kept = plain.list.kept;
        const kernels::Stream stream = streamOf(work.input);
        if (message.indexBytes > 0) {
            if (message.isEliasFano) {
                auto* words = static_cast<std::uint32_t*>(target.data_ptr());
                check(kernels::packIndices(plain.indices(), message.form, words, stream));
            } else {
                const at::Tensor indices = plain.words.narrow(0, 0, kept).view(at::kByte);
                target.narrow(0, 0, message.indexBytes).copy_(indices);
            }
        }
        const at::Tensor place = target.narrow(0, message.indexBytes, message.valueBytes);
        if (!options_.halves) {
            const std::int64_t first = plain.list.isDense ? 0 : kept;
            place.copy_(plain.words.narrow(0, first, kept).view(at::kByte));
            return;
        }
        place.narrow(0, message.valueBytes - kWordBytes, kWordBytes).zero_();  // of an odd number
        check(kernels::narrow(plain.values(), kept, kernels::HalfType::Fp16, 1,
                              static_cast<std::uint16_t*>(place.data_ptr()), stream));
        if (plain.list.isDense) {
            work.input.copy_(plain.words);
        } else {
            check(kernels::placeListed(plain.list, work.input.mutable_data_ptr<float>(), stream));
        }
    }

    PlainList readFixed(int rank, const LayerWork& work, const at::Tensor& row) const {
        const std::int64_t kept = keptOf(realOf(*work.level, "ratio"), work.output.numel());
        return read(rank, kept, messageOf(kept, work), work, row);
    }

    PlainList readVariable(int rank, const LayerWork& work, const at::Tensor& row) const {
        const std::int64_t writtenBytes = work.rowBytes.at(static_cast<std::size_t>(rank));
        if (writtenBytes == 0) {
            return {};
        }
        const std::int64_t elements = work.output.numel();
        const auto kept = row.narrow(0, 0, kWordBytes).view(at::kInt).item<std::int32_t>();
        const bool possible = kept >= 1 && kept <= elements;
        const TopkMessage message = possible ? variableMessageOf(kept, work) : TopkMessage{};
        if (!possible || writtenBytes != kWordBytes + message.bytes()) {
            throw Error(ErrorKind::Machine, "the sparse message of rank " + std::to_string(rank) +
                                                " has " + std::to_string(writtenBytes) +
                                                " bytes, which is not what " +
                                                std::to_string(kept) + " of " +
                                                std::to_string(elements) + " elements take");
        }
        return read(rank, kept, message, work, row.narrow(0, kWordBytes, message.bytes()));
    }

    /// The list in `row`, a message of `rank`: as it is where it is plain already, else unpacked.
    PlainList read(int rank,
                   std::int64_t kept,
                   const TopkMessage& message,
                   const LayerWork& work,
                   const at::Tensor& row) const {
        const bool isDense = message.indexBytes == 0;
        if (!options_.halves && (isDense || !message.isEliasFano)) {
            return {{}, {row.const_data_ptr(), kept, isDense}};
        }
        const kernels::Stream stream = streamOf(work.output);
        PlainList plain = plainList(kept, isDense, work.output);
        if (!isDense) {
            auto* indices = static_cast<std::int32_t*>(plain.words.data_ptr());
            if (message.isEliasFano) {
                const auto* words = static_cast<const std::uint32_t*>(row.const_data_ptr());
                check(kernels::unpackIndices(words, message.form, rank, indices, stream));
            } else {
                plain.words.narrow(0, 0, kept)
                    .view(at::kByte)
                    .copy_(row.narrow(0, 0, message.indexBytes));
            }
        }
        const at::Tensor values = row.narrow(0, message.indexBytes, message.valueBytes);
        if (options_.halves) {
            check(kernels::widen(static_cast<const std::uint16_t*>(values.const_data_ptr()), kept,
                                 kernels::HalfType::Fp16, plain.values(), stream));
        } else {
            plain.words.narrow(0, isDense ? 0 : kept, kept).view(at::kByte).copy_(values);
        }
        return plain;
    }

    TopkOptions options_;
    int worldSize_;
    std::map<int, float> thresholds_;  // of this step, by layer; scope model
};

}  // namespace

std::unique_ptr<Compressor> makeTopk(const Choice& compress, const RankInfo& info) {
    return std::make_unique<Topk>(compress.options, info);
}

}  // namespace concertina
