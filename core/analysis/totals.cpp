// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/totals.h"

namespace concertina {
namespace {

std::optional<double> ratio(double dense, double sent) {
    return sent > 0 ? std::optional(dense / sent) : std::nullopt;
}

}  // namespace

ByteBasis byteBasis(int ranks) { return ranks > 1 ? ByteBasis::Wire : ByteBasis::Payload; }

std::optional<double> ByteTotals::ratioToFp32() const { return ratio(denseFp32Bytes, sentBytes); }

std::optional<double> ByteTotals::ratioToFp16() const { return ratio(denseFp16Bytes(), sentBytes); }

ByteTotals totalsOf(const RunRow& run) {
    const ByteBasis basis = byteBasis(run.ranks);
    return basis == ByteBasis::Wire
               ? ByteTotals{basis, run.wireBytes, run.denseFp32WireBytes}
               : ByteTotals{basis, run.payloadBytes, run.denseFp32PayloadBytes};
}

ByteTotals totalsOf(std::span<const EpochRow> epochs, int ranks) {
    ByteTotals totals{.basis = byteBasis(ranks)};
    for (const EpochRow& epoch : epochs) {
        totals.sentBytes += sentBytes(epoch, totals.basis);
        totals.denseFp32Bytes += totals.basis == ByteBasis::Wire ? epoch.denseFp32WireBytes
                                                                 : epoch.denseFp32PayloadBytes;
    }
    return totals;
}

std::optional<double> wireRatio(const RunRow& run) {
    return byteBasis(run.ranks) == ByteBasis::Wire ? ratio(run.denseFp32WireBytes, run.wireBytes)
                                                   : std::nullopt;
}

double sentBytes(const EpochRow& epoch, ByteBasis basis) {
    return basis == ByteBasis::Wire ? epoch.wireBytes : epoch.payloadBytes;
}

double sentBytes(const LayerEpochRow& row, ByteBasis basis) {
    return basis == ByteBasis::Wire ? row.wireBytes : row.payloadBytes;
}

std::vector<double> cumulativeBytes(std::span<const EpochRow> epochs, ByteBasis basis) {
    std::vector<double> sums;
    double sum = 0;
    for (const EpochRow& epoch : epochs) {
        sums.push_back(sum += sentBytes(epoch, basis));
    }
    return sums;
}

std::vector<double> byteShares(std::span<const LayerEpochRow> rows,
                               std::size_t layers,
                               ByteBasis basis) {
    std::vector<double> shares(layers);
    double total = 0;
    for (const LayerEpochRow& row : rows) {
        if (row.layer >= 0 && static_cast<std::size_t>(row.layer) < layers) {
            shares[static_cast<std::size_t>(row.layer)] += sentBytes(row, basis);
            total += sentBytes(row, basis);
        }
    }
    if (total > 0) {
        for (double& share : shares) {
            share /= total;
        }
    }
    return shares;
}

std::optional<double> mildShare(std::span<const LayerEpochRow> rows) {
    double compressible = 0, mild = 0;
    for (const LayerEpochRow& row : rows) {
        compressible += row.level >= 0 ? 1 : 0;
        mild += row.level == 0 ? 1 : 0;
    }
    return compressible > 0 ? std::optional(mild / compressible) : std::nullopt;
}

}  // namespace concertina
