// Every tile begins in a room of its own; two rooms become one as long as they do not all fit.
#include "plan/memory/space_sharing.hpp"

#include <algorithm>
#include <numeric>

namespace pto::planner {
namespace {

constexpr size_t kMaxTiles = 256;  ///< that are looked at, pair by pair

class SpaceSharing {
 public:
  SpaceSharing(std::span<const PlacedTile> tiles, const ReuseCost& traffic)
      : tiles_(tiles), traffic_(traffic) {
    for (size_t i = 0; i < tiles.size(); ++i) {
      rooms_.push_back({{i}, tiles[i].bytes, cost_of({i})});
      total_ += tiles[i].bytes;
    }
    std::ranges::stable_sort(rooms_, {},
                             [&](const SharedSpace& room) { return tiles[room.tiles[0]].live.begin; });
  }

  std::vector<std::vector<size_t>> run(uint64_t bytes) {
    const size_t count = rooms_.size();
    std::vector<std::vector<Offer>> offers(count, std::vector<Offer>(count));
    for (size_t a = 0; a < count; ++a) {
      for (size_t b = a + 1; b < count; ++b) offers[a][b] = offer(a, b);
    }
    while (total_ > bytes) {
      size_t first = 0, second = 0;
      for (size_t a = 0; a < count; ++a) {
        for (size_t b = a + 1; b < count; ++b) {
          if (offers[a][b].is_better_than(offers[first][second])) {
            first = a;
            second = b;
          }
        }
      }
      if (!offers[first][second].possible) return {};
      total_ -= offers[first][second].saved;
      merge(first, second);
      for (size_t other = 0; other < count; ++other) {
        if (other != first) {
          const size_t low = std::min(first, other);
          const size_t high = std::max(first, other);
          offers[low][high] = offer(low, high);
        }
        offers[std::min(second, other)][std::max(second, other)] = {};
      }
    }
    std::vector<std::vector<size_t>> found;
    for (SharedSpace& room : rooms_) {
      if (!room.tiles.empty()) found.push_back(std::move(room.tiles));
    }
    return found;
  }

 private:
  struct SharedSpace {
    std::vector<size_t> tiles;  ///< in the order of their first use; empty: gone into another one
    uint64_t bytes = 0;
    double cost = 0;
  };
  struct Offer {
    bool possible = false;
    double cost = 0;  ///< that is more than that of both alone
    uint64_t saved = 0;
    [[nodiscard]] bool is_better_than(const Offer& other) const {
      if (!possible || !other.possible) return possible && !other.possible;
      const double mine = cost * static_cast<double>(other.saved);
      const double its = other.cost * static_cast<double>(saved);
      return mine != its ? mine < its : saved > other.saved;
    }
  };

  [[nodiscard]] double cost_of(const std::vector<size_t>& tiles) const {
    std::vector<RootId> roots;
    for (const size_t tile : tiles) roots.push_back(tiles_[tile].root);
    return traffic_.cost(roots);
  }

  [[nodiscard]] std::vector<size_t> share(const SharedSpace& a, const SharedSpace& b) const {
    std::vector<size_t> tiles(a.tiles.size() + b.tiles.size());
    const auto first = [this](size_t tile) { return tiles_[tile].live.begin; };
    std::ranges::merge(a.tiles, b.tiles, tiles.begin(), {}, first, first);
    return tiles;
  }
  [[nodiscard]] Offer offer(size_t a, size_t b) const {
    if (rooms_[a].tiles.empty() || rooms_[b].tiles.empty()) return {};
    const std::vector<size_t> tiles = share(rooms_[a], rooms_[b]);
    for (size_t i = 1; i < tiles.size(); ++i) {
      if (tiles_[tiles[i - 1]].live.overlaps(tiles_[tiles[i]].live)) return {};
    }
    return {true, std::max(0.0, cost_of(tiles) - rooms_[a].cost - rooms_[b].cost),
            std::min(rooms_[a].bytes, rooms_[b].bytes)};
  }

  void merge(size_t to, size_t from) {
    rooms_[to].tiles = share(rooms_[to], rooms_[from]);
    rooms_[to].bytes = std::max(rooms_[to].bytes, rooms_[from].bytes);
    rooms_[to].cost = cost_of(rooms_[to].tiles);
    rooms_[from] = {};
  }

  std::span<const PlacedTile> tiles_;
  const ReuseCost& traffic_;
  std::vector<SharedSpace> rooms_;
  uint64_t total_ = 0;
};

}  // namespace

std::vector<std::vector<size_t>> share_space(std::span<const PlacedTile> tiles, uint64_t bytes,
                                             const ReuseCost& traffic) {
  if (tiles.size() > kMaxTiles) return {};
  return SpaceSharing(tiles, traffic).run(bytes);
}

}  // namespace pto::planner
