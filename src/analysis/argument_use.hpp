// One walk through a kernel with numbers as ranges: how far every argument is accessed, and what is wanted of
// the numbers that are still open.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/affine_interval.hpp"
#include "ir/regions.hpp"
#include "ir/symbol_table.hpp"
#include "isa/row.hpp"

namespace pto::driver {

/// Compares words in GM until they are as wanted.
bool waits_for_words(const OpView& op);

/// What the uses of a number ask for.
struct Wishes {
  bool seen = false, one = false;  ///< one: it divides, or is the step of a loop
  bool index = false;              ///< part of an offset
  std::optional<int64_t> trips;    ///< with which loops run often enough
  std::optional<int64_t> full;     ///< with which tiles are full
  std::optional<int64_t> floor;    ///< least one with which no offset is negative
  std::optional<int64_t> most;     ///< largest one with which tiles and views hold what is accessed
  std::optional<int64_t> compared;
  bool ends = false;               ///< a loop goes on while it holds
  std::optional<int64_t> awaited;  ///< with which a wait for words in GM ends
};

/// How far a parameter's buffer is accessed.
struct Extent {
  uint64_t bytes = 0;          ///< of accesses, as far as they are known
  uint64_t view_bytes = 0;     ///< of the largest view
  std::vector<int64_t> shape;  ///< of that view, when it has no gaps
};

/// Sources are numbered: parameters by position, then what the scalar unit loads from the parameter's buffer.
class UseWalk {
 public:
  UseWalk(const Program& program, const Functions& functions, size_t parameters, int64_t trips)
      : program_(program),
        functions_(functions),
        extents_(parameters),
        wishes_(2 * parameters),
        decided_(2 * parameters),
        trips_(trips) {}

  void decide(uint32_t source, int64_t number) { decided_[source] = number; }
  [[nodiscard]] bool is_decided(uint32_t source) const { return decided_[source].has_value(); }
  [[nodiscard]] std::optional<int64_t> decision(uint32_t source) const { return decided_[source]; }
  void walk(const Function& kernel);
  void forget_uses();

  [[nodiscard]] const std::vector<Extent>& extents() const { return extents_; }
  [[nodiscard]] const Wishes& wishes(uint32_t source) const { return wishes_[source]; }
  /// Some window of a view lies outside of it.
  [[nodiscard]] bool leaves_views() const { return leaves_views_; }

 private:
  static constexpr uint32_t kNoParameter = ~0u;
  struct Known {
    Range number;  ///< scalars; pointers and views: the offset in bytes
    uint32_t parameter = kNoParameter;
    std::vector<Range> sizes, strides;  ///< views, in elements
    bool operator==(const Known&) const = default;
  };
  using Many = std::vector<Known>;

  Many run(const Region& region);
  void step(uint32_t op);
  void count(const OpView& op);
  void loop(const OpView& op);
  void branch(const OpView& op);
  void while_loop(const OpView& op);
  void others(const OpView& op);
  void call(const OpView& op);
  void make_view(const OpView& op);
  void partition(const OpView& op);
  void add_pointer(const OpView& op);
  void access(const OpView& op);
  void wait(const OpView& op);
  void extents_of_tile(const OpView& op, unsigned first, const Type& tile);
  void note_minimum(const Range& a, const Range& b);
  void window(const Range& offset, const Range& size, const Range& dim);
  void touch(const Known& place, const Range& elements, int64_t width);
  [[nodiscard]] Range source(uint32_t number) const;
  Range last_of_loop(const Range& low, const Range& high, const Range& step);
  static Known join(const Known& a, const Known& b);
  static Many join(const Many& a, const Many& b);
  void bind(const Region& region, uint32_t first, std::span<const Known> values);
  void set_results(const OpView& op, const Many& values);

  const Known& of(ValueId value) const;
  const Range& number(ValueId value) const { return of(value).number; }
  void set(ValueId value, Known known) { known_[value] = std::move(known); }
  void want(std::optional<int64_t>& slot, std::optional<int64_t> number, bool largest = true);
  Wishes* open(const Range& range);

  const Program& program_;
  const Functions& functions_;
  std::map<ValueId, Known> known_;
  std::vector<Extent> extents_;
  std::vector<Wishes> wishes_;
  std::vector<std::optional<int64_t>> decided_;
  int64_t trips_;
  uint64_t steps_ = 0;
  unsigned calls_ = 0;
  const Function* inside_ = nullptr;
  bool leaves_views_ = false;
};

}  // namespace pto::driver
