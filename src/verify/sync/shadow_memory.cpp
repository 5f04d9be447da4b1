#include "verify/sync/shadow_memory.hpp"

#include <tuple>

namespace pto::legality::sync {
namespace {

auto key(const ByteRange& bytes) { return std::tuple(bytes.begin, bytes.end, bytes.all); }

bool covers(const ByteRange& big, const ByteRange& small) {
  return big.all && big.begin <= small.begin && small.end <= big.end;
}

}  // namespace

uint32_t ShadowMemory::find(const ByteRange& bytes, Space space) {
  std::vector<uint32_t>& list = by_base_[bytes.base];
  const auto at = std::lower_bound(list.begin(), list.end(), bytes, [&](uint32_t a, const ByteRange& b) {
    return key(stretches_[a].bytes) < key(b);
  });
  if (at != list.end() && key(stretches_[*at].bytes) == key(bytes)) return *at;
  if (list.size() >= kMaxPerBase || stretches_.size() >= kMaxStretches) return ~0U;
  const auto index = static_cast<uint32_t>(stretches_.size());
  ShadowRange built{.bytes = bytes, .space = space};
  built.overlaps.push_back(index);
  for (const uint32_t other : list) {
    if (built.overlaps.size() >= kMaxOverlaps) break;
    ShadowRange& stretch = stretches_[other];
    if (stretch.overlaps.size() >= kMaxOverlaps || !stretch.bytes.certainly_meets(bytes)) continue;
    stretch.overlaps.push_back(index);
    built.overlaps.push_back(other);
  }
  list.insert(at, index);
  stretches_.push_back(std::move(built));
  return index;
}

void ShadowMemory::enter(uint32_t index, const LastAccess& record) {
  if (record.write) {
    for (const uint32_t other : stretches_[index].overlaps) {
      if (!covers(stretches_[index].bytes, stretches_[other].bytes)) continue;
      // A write under an undecided condition leaves what was there before on the other path.
      std::erase_if(stretches_[other].records, [&](const LastAccess& old) {
        return record.when.path == 0 || old.when.path == record.when.path;
      });
    }
  }
  std::vector<LastAccess>& records = stretches_[index].records;
  std::erase_if(records, [&](const LastAccess& old) {
    return old.lane == record.lane && old.write == record.write &&
           (record.when.path == 0 || old.when.path == record.when.path);
  });
  constexpr size_t kMaxRecords = 24;
  if (records.size() < kMaxRecords) records.push_back(record);
}

void ShadowMemory::clear() {
  stretches_.clear();
  by_base_.clear();
}

}  // namespace pto::legality::sync
