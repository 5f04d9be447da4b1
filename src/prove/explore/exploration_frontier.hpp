// Which numbers are left to be tried where runs come to load what decides. Where a run comes to what another
// one has come to, each number has to be tried from there in one of them only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "prove/explore/checkpoints.hpp"

namespace pto::driver {

class Crossings {
 public:
  using Numbers = std::set<int64_t>;
  /// What the next run puts where; nothing when all has been tried. The first one has 0 everywhere.
  std::optional<Contents> next();
  /// What a run came to: the places that it read, with what stood there; before each what the rest depends on
  /// (nothing: all that was loaded), and what else may stand there.
  void add(const Contents& came, std::vector<std::optional<CutState>> states,
           const std::vector<Numbers>& numbers);
  void clear() { crossings_.clear(), todo_.clear(), left_.clear(), asked_ = {}, begun_ = false; }

 private:
  struct Crossing {
    CutState state;
    Place place;
    std::shared_ptr<const Contents> run;  ///< one that came here
    size_t depth = 0;                     ///< how much of it stands in front
    Numbers left;                         ///< not tried yet
  };
  [[nodiscard]] int64_t any_number(const Numbers& numbers, const std::map<int64_t, size_t>* left,
                                   size_t place) const;
  [[nodiscard]] const Crossing* first_left();
  void add_left(const Crossing& crossing);
  void drop_left(const Place& place, int64_t number);
  void tried(Crossing& crossing, int64_t number);
  void answer();

  struct Asked {
    std::string key;
    Contents way;
  } asked_;                                                 ///< of the next run
  std::map<std::string, std::vector<Crossing>> crossings_;  ///< by key of the state
  /// Keys of states in which something may be left to be tried, by how many places stand in front.
  std::map<size_t, std::set<std::string>> todo_;
  std::map<Place, Numbers> places_;                  ///< of all runs
  std::map<Place, std::map<int64_t, size_t>> left_;  ///< in how many states a number is left to be tried
  bool begun_ = false;
  uint64_t round_ = 0;
};

}  // namespace pto::driver
