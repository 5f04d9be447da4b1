// Bytes of tiles: outside of their memory, or overwritten while they are needed.
#include "isa/memory_spaces.hpp"
#include "verify/sync/kernel_walk.hpp"

namespace pto::legality::sync {

void Walk::check_range(const ProgramPoint& when, const std::vector<TileAccess>& accesses) {
  if (!certain()) return;
  for (const TileAccess& access : accesses) {
    // The tables of the fixpipe and the bias have addresses in windows of their own.
    const bool table = access.space == Space::fb || access.space == Space::bt;
    if (!is_memory_base(access.bytes.base) || !access.bytes.all || table) continue;
    const auto size = static_cast<int64_t>(isa::on_chip_bytes(check_.target(), access.space));
    if (size != 0 && (access.bytes.begin < 0 || access.bytes.end > size)) outside_.push_back({when, access});
  }
}

void Walk::remember(const ProgramPoint& when, const std::vector<TileAccess>& accesses) {
  check_range(when, accesses);
  if (check_.level() != Level::level3) return;
  for (const TileAccess& access : accesses) {
    if (access.read && is_memory_base(access.bytes.base) && access.tile != kNoValue)
      look(when, access, accesses);
  }
  for (const TileAccess& access : accesses) {
    if (access.write && is_memory_base(access.bytes.base) && access.tile != kNoValue) overwrite(when, access);
  }
}

void Walk::overwrite(const ProgramPoint& when, const TileAccess& access) {
  const uint32_t index = access.stretch;
  if (index == ~0U) return;
  for (const uint32_t other : core_.shadow.at(index).overlaps) {
    for (const ValueId tile : core_.shadow.at(other).tiles) {
      Contents& theirs = contents_[tile];
      if (tile == access.tile || theirs.by != kNoValue) continue;
      const ByteRange& bytes = core_.shadow.at(other).bytes;
      theirs.overwritten = when;
      theirs.by = access.tile;
      theirs.by_slot = access.slot;
      theirs.begin = std::max(bytes.begin, access.bytes.begin);
      theirs.end = std::min(bytes.end, access.bytes.end);
      theirs.same_begin = bytes.begin == access.bytes.begin;
    }
  }
  Contents& mine = contents_[access.tile];
  mine.written = when;
  mine.has_data = true;
  mine.by = kNoValue;
  std::vector<ValueId>& tiles = core_.shadow.at(index).tiles;
  constexpr size_t kMaxTiles = 16;
  if (tiles.size() < kMaxTiles && std::ranges::find(tiles, access.tile) == tiles.end())
    tiles.push_back(access.tile);
}

/// A tile that is read before it was ever written is meant to share what another one holds. So are two tiles
/// at one address, a common way to write loop-carried values, unless one instruction reads both.
void Walk::look(const ProgramPoint& when, const TileAccess& access, const std::vector<TileAccess>& beside) {
  Contents& mine = contents_[access.tile];
  if (!mine.has_data) mine.alias = true;
  if (mine.alias || mine.by == kNoValue || !access.bytes.all) return;
  const bool lost = access.bytes.begin < mine.end && mine.begin < access.bytes.end;
  const uint32_t iteration = loops_.empty() ? 0 : loops_.back().begin;
  const bool one_path = above(mine.written.path, when.path) && above(mine.overwritten.path, when.path);
  if (mine.same_begin &&
      std::ranges::none_of(beside, [&](const TileAccess& a) { return a.read && a.tile == mine.by; }))
    return;
  if (!lost || mine.written.time < iteration || !one_path) return;
  clobbers_.push_back({mine.written, mine.overwritten, when, mine.by_slot, access.slot, access.tile, mine.by,
                       mine.begin, mine.end});
  mine.alias = true;  // once
}

}  // namespace pto::legality::sync
