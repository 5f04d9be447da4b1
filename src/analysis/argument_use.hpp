// One walk through a kernel with numbers as ranges: how far every argument is accessed, and what is wanted of
// the numbers that are still open.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/affine_interval.hpp"
#include "analysis/structured_walk.hpp"

namespace pto::driver {

/// Compares words in GM until they are as wanted.
bool waits_for_words(const OpView& op);

/// What the uses of a number ask for.
struct ValueDemand {
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

struct ArgumentUseValue {
  static constexpr uint32_t kNoParameter = ~0u;
  AffineInterval number;  ///< scalars; pointers and views: the offset in bytes
  uint32_t parameter = kNoParameter;
  std::vector<AffineInterval> sizes, strides;  ///< views, in elements
  bool operator==(const ArgumentUseValue&) const = default;
};

/// Sources are numbered: parameters by position, then what the scalar unit loads from the parameter's buffer.
class ArgumentUseAnalysis : private StructuredWalk<ArgumentUseValue> {
 public:
  ArgumentUseAnalysis(const Program& program, const Functions& functions, size_t parameters, int64_t trips)
      : StructuredWalk(program, functions, kMaxSteps),
        extents_(parameters),
        demands_(2 * parameters),
        bound_(2 * parameters),
        trips_(trips) {}

  void bind_source(uint32_t source, int64_t number) { bound_[source] = number; }
  [[nodiscard]] bool is_bound(uint32_t source) const { return bound_[source].has_value(); }
  [[nodiscard]] std::optional<int64_t> bound_value(uint32_t source) const { return bound_[source]; }
  void walk(const Function& kernel);
  void forget_uses();

  [[nodiscard]] const std::vector<Extent>& extents() const { return extents_; }
  [[nodiscard]] const ValueDemand& demand(uint32_t source) const { return demands_[source]; }
  /// Some window of a view lies outside of it.
  [[nodiscard]] bool leaves_views() const { return leaves_views_; }

 private:
  static constexpr uint64_t kMaxSteps = 200'000;  ///< operations looked at in one walk
  static constexpr uint32_t kNoParameter = ArgumentUseValue::kNoParameter;

  void loop(const OpView& op) override;
  void branch(const OpView& op) override;
  void while_loop(const OpView& op) override;
  void call(const OpView& op) override;
  void transfer(const OpView& op) override;
  void transfer_arithmetic(const OpView& op);
  void make_view(const OpView& op);
  void partition(const OpView& op);
  void add_pointer(const OpView& op);
  void access(const OpView& op);
  void wait(const OpView& op);
  void extents_of_tile(const OpView& op, unsigned first, const Type& tile);
  void note_minimum(const AffineInterval& a, const AffineInterval& b);
  void window(const AffineInterval& offset, const AffineInterval& size, const AffineInterval& dim);
  void touch(const AbstractValue& place, const AffineInterval& elements, int64_t width);
  [[nodiscard]] AffineInterval source(uint32_t number) const;
  AffineInterval last_of_loop(const AffineInterval& low, const AffineInterval& high,
                              const AffineInterval& step);
  static AbstractValue join(const AbstractValue& a, const AbstractValue& b);
  static AbstractValues join(const AbstractValues& a, const AbstractValues& b);
  const AffineInterval& number(ValueId value) const { return value_of(value).number; }
  void require(std::optional<int64_t>& slot, std::optional<int64_t> number, bool largest = true);
  ValueDemand* demand_of(const AffineInterval& range);

  std::vector<Extent> extents_;
  std::vector<ValueDemand> demands_;
  std::vector<std::optional<int64_t>> bound_;
  int64_t trips_;
  bool leaves_views_ = false;
};

}  // namespace pto::driver
