// SPDX-License-Identifier: Apache-2.0
// Byte totals, ratios and shares from recorded rows: the one definition of what tables, tiles and
// `--json` call a ratio (resources/docs/metrics.md). Bytes are gradient bytes of ONE rank. Pure
// functions, any thread.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/store/records.h"

namespace concertina {

/// With one rank nothing crosses a wire, so what it would hand over is compared instead.
enum class ByteBasis { Wire, Payload };
ByteBasis byteBasis(int ranks);

/// Of a run or of some of its epochs.
struct ByteTotals {
    ByteBasis basis = ByteBasis::Wire;  // screens must say so when it is Payload
    double sentBytes = 0;
    double denseFp32Bytes = 0;
    double denseFp16Bytes() const { return denseFp32Bytes / 2; }
    /// Dense bytes / sent bytes: 10 is "ten times less". Absent while nothing was sent.
    std::optional<double> ratioToFp32() const;
    std::optional<double> ratioToFp16() const;
};
ByteTotals totalsOf(const RunRow& run);
ByteTotals totalsOf(std::span<const EpochRow> epochs, int ranks);

/// Dense fp32 wire bytes / wire bytes; absent with one rank (design: null, never payload).
std::optional<double> wireRatio(const RunRow& run);

double sentBytes(const EpochRow& epoch, ByteBasis basis);
double sentBytes(const LayerEpochRow& row, ByteBasis basis);

/// Bytes sent from the beginning to the end of each epoch.
std::vector<double> cumulativeBytes(std::span<const EpochRow> epochs, ByteBasis basis);

/// Per layer its share of all bytes in `rows`, 0..1; all 0 when nothing was sent. Rows of layers
/// not below `layers` are ignored.
std::vector<double> byteShares(std::span<const LayerEpochRow> rows,
                               std::size_t layers,
                               ByteBasis basis);

/// The share of compressible layers' epochs that trained at the mildest level; absent without any.
std::optional<double> mildShare(std::span<const LayerEpochRow> rows);

}  // namespace concertina
