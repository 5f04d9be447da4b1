// Sorting: pto.tsort32 makes sorted runs of (value, index) records of 8 bytes, pto.tmrgsort merges runs.
// Records: f32 {value, u32 index}; f16 {value, 0, index low 16, index high 16}.
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "exec/lane_ops.hpp"
#include "exec/status_registers.hpp"
#include "exec/tile/rows.hpp"
#include "support/rounding.hpp"

namespace pto::exec {
namespace {

constexpr uint64_t kRun = 32, kRecordBytes = 8;

struct Record {
  double value;
  uint64_t bits;  ///< the element as stored
  uint32_t index;
};

/// Descending by value, then ascending by index. NaN is before every number, so the order is total. A2/A3
/// and cpu; A5 has vbitsort's order.
bool before(const Record& a, const Record& b) {
  const bool a_nan = a.value != a.value;
  const bool b_nan = b.value != b.value;
  if (a_nan != b_nan) return a_nan;
  if (!a_nan && a.value != b.value) return a.value > b.value;
  return a.index < b.index;
}

/// What the tile libraries of the chips fill an incomplete run with: NaN with the sign, which sorts behind
/// all there is (pto-isa include/pto/npu/a5/TSort32.hpp, npu/a2a3/TSort32.hpp:28). The destination
/// receives as many records as its valid columns hold.
Record fill_of(Elem elem) {
  return {-std::numeric_limits<double>::quiet_NaN(), elem == Elem::f16 ? 0xfe00U : 0xffc00000U, 0};
}

void tsort32(Context& context) {
  const Tile src(context, 0, AccessMode::read);
  if (!src.good() || src.empty()) return;
  const uint64_t per_record = kRecordBytes / src.size();
  const uint64_t index_rows =
      context.tile(1).valid_rows == 1 ? 1 : src.rows();  // one row of indices serves all
  if (!covers(context, 1, index_rows, src.cols()) || !covers(context, 3, src.rows(), src.cols() * per_record))
    return;
  const Tile index(context, 1, AccessMode::read, index_rows, src.cols());
  const bool a5 = on_a5(context);
  const bool filled = a5 || on_a2a3(context);
  const uint64_t places =
      filled ? std::max<uint64_t>(src.cols(), context.tile(3).valid_cols / per_record) : src.cols();
  const Tile dst(context, 3, AccessMode::write, src.rows(),
                 std::min(places, round_up(src.cols(), kRun)) * per_record);
  if (!index.good() || !dst.good()) return;
  if (src.elem() != Elem::f16 && src.elem() != Elem::f32) return refuse_type(context, src.elem());
  for (uint64_t row = 0; row < src.rows(); ++row) {
    for (uint64_t first = 0; first < src.cols(); first += kRun) {
      std::vector<Record> run(std::min(kRun, src.cols() - first));
      for (uint64_t i = 0; i < run.size(); ++i) {
        const uint64_t bits = src.bits(row, first + i);
        run[i] = {num::to_f64(src.elem(), bits), bits,
                  static_cast<uint32_t>(index.bits(std::min(row, index_rows - 1), first + i))};
      }
      if (a5)
        std::stable_sort(run.begin(), run.end(),
                         [](const Record& x, const Record& y) { return score_above(x.value, y.value); });
      else
        std::stable_sort(run.begin(), run.end(), before);
      if (filled) run.resize(kRun, fill_of(src.elem()));
      for (uint64_t i = 0; i < run.size() && (first + i) * per_record < dst.cols(); ++i) {
        const uint64_t at = (first + i) * per_record;
        dst.put_bits(row, at, run[i].bits);
        if (per_record == 2) {
          dst.put_bits(row, at + 1, run[i].index);
        } else {
          dst.put_bits(row, at + 1, 0);
          dst.put_bits(row, at + 2, run[i].index & 0xffff);
          dst.put_bits(row, at + 3, run[i].index >> 16);
        }
      }
    }
  }
}

/// A sorted list inside a tile: `records` records from column `first` of row 0.
struct List {
  const Tile* tile;
  uint64_t first, records;
  uint64_t next = 0;
};

/// The list whose head is largest; the lower list wins ties. Lists at their end do not take part.
int pick(const std::vector<List>& lists, uint64_t per_record) {
  int best = -1;
  double best_value = 0;
  for (size_t i = 0; i < lists.size(); ++i) {
    const List& list = lists[i];
    if (list.next == list.records) continue;
    const double value =
        num::to_f64(list.tile->elem(), list.tile->bits(0, list.first + list.next * per_record));
    if (best >= 0 && !(value > best_value)) continue;
    best = static_cast<int>(i);
    best_value = value;
  }
  return best;
}

/// Writes up to `limit` records from column `at` on; stops when a list runs out if told so.
void merge(std::vector<List>& lists, std::vector<uint64_t>& out, uint64_t per_record, uint64_t limit,
           bool until_exhausted) {
  for (uint64_t written = 0; written < limit; ++written) {
    const int list = pick(lists, per_record);
    if (list < 0) return;
    List& from = lists[static_cast<size_t>(list)];
    for (uint64_t i = 0; i < per_record; ++i)
      out.push_back(from.tile->bits(0, from.first + from.next * per_record + i));
    ++from.next;
    if (until_exhausted && from.next == from.records) return;
  }
}

constexpr unsigned kSources = 0, kBlockLength = 1, kDestinations = 2, kExecuted = 4;

/// One tile of consecutive sorted blocks: groups of four are merged, what is left over stays.
void merge_blocks(Context& context) {
  const auto length = static_cast<uint64_t>(context.i64(kBlockLength));
  const Tile src(context, kSources, AccessMode::read);
  if (!src.good() || src.empty()) return;
  const uint64_t per_record = kRecordBytes / src.size();
  if (length == 0 || length % per_record != 0)
    return context.fault(Fault::bad_operand, "the block length is no multiple of a record");
  const uint64_t group = 4 * length;
  const uint64_t groups = src.cols() / group;
  if (groups == 0) return;
  if (!covers(context, kDestinations, 1, groups * group)) return;
  std::vector<uint64_t> out;
  for (uint64_t i = 0; i < groups; ++i) {
    std::vector<List> lists;
    for (uint64_t block = 0; block < 4; ++block)
      lists.push_back({&src, i * group + block * length, length / per_record});
    merge(lists, out, per_record, group / per_record, false);
  }
  const Tile dst(context, kDestinations, AccessMode::write, 1, out.size());
  for (uint64_t col = 0; dst.good() && col < out.size(); ++col) dst.put_bits(0, col, out[col]);
}

/// Two to four sorted lists, one tile each.
void merge_lists(Context& context) {
  const unsigned count = context.count(kSources);
  std::vector<Tile> tiles;
  for (unsigned i = 0; i < count; ++i) tiles.push_back(Tile::operand(context, kSources, i, AccessMode::read));
  std::vector<List> lists;
  const uint64_t per_record = kRecordBytes / byte_width(context.type(kSources).elem);
  for (const Tile& tile : tiles) {
    if (!tile.good()) return;
    lists.push_back({&tile, 0, tile.cols() / per_record});
  }
  std::vector<uint64_t> out;
  merge(lists, out, per_record, context.tile(kDestinations).valid_cols / per_record, context.attr(0) != 0);
  if (!out.empty()) {
    const Tile dst(context, kDestinations, AccessMode::write, 1, out.size());
    for (uint64_t col = 0; dst.good() && col < out.size(); ++col) dst.put_bits(0, col, out[col]);
  }
  uint64_t executed = 0;
  for (size_t i = 0; i < lists.size(); ++i) executed |= (lists[i].next & 0xffff) << (16 * i);
  if (context.has(kExecuted)) context.as<uint64_t>(kExecuted) = executed;
  if (context.control == nullptr) return;
  touch_status(context, AccessMode::write);
  context.control->vms4_sr = executed;
}

void tmrgsort(Context& context) {
  if (context.has(kBlockLength))
    merge_blocks(context);
  else
    merge_lists(context);
}

constexpr Semantics kTileSortSemantics[] = {{"pto.tsort32", tsort32}, {"pto.tmrgsort", tmrgsort}};

}  // namespace

std::span<const Semantics> tile_sort() { return kTileSortSemantics; }

}  // namespace pto::exec
