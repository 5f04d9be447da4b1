// Where the statements of a kernel look in GM, for all iterations, blocks and parameters: one walk through
// its text with unknowns in place of numbers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "analysis/launch_groups.hpp"
#include "analysis/symbols.hpp"

namespace pto {
struct Claims;  ///< what a test asks
}

namespace pto::driver {

/// Some of an argument's bytes: all `base` + sum of (offset + n) * step, n below size, and `width` behind.
struct GmPlace {
  static constexpr uint32_t kNoArgument = ~0u;
  struct Dim {
    Poly offset, size;          ///< in steps
    Poly step;                  ///< in bytes
    std::optional<Poly> limit;  ///< steps that there are, where a view says so
  };
  uint32_t argument = kNoArgument;
  bool known = false;  ///< false: may be all of them
  Poly base, width = 1;
  std::vector<Dim> dims;
};

inline bool is_number(const Type& type) { return type.kind == TypeKind::scalar && !is_float(type.elem); }

/// A load or store of several elements at once.
bool moves_vector(const OpView& op);

/// What one statement looks at.
struct GmAccess {
  uint32_t op = 0;
  GmPlace place;
  bool moves = false;            ///< it is there to move bytes, of which there may be none
  bool writes = false;           ///< it may change them
  std::vector<uint32_t> loops;   ///< around it, outermost first
  std::vector<Poly> counters;    ///< of the loops
  std::vector<Poly> conditions;  ///< are 0 or more where it runs
};

class GmPlaces {
 public:
  /// `written`: arguments that the kernel itself writes.
  GmPlaces(const Program& program, const Functions& functions, const LaunchedFunctions& launch,
           std::set<uint32_t> written);

  /// By statement.
  [[nodiscard]] const std::map<uint32_t, std::vector<GmAccess>>& accesses() const { return accesses_; }
  /// Arguments that statements may change.
  [[nodiscard]] std::set<uint32_t> changed() const {
    std::set<uint32_t> found;
    for (const auto& [op, accesses] : accesses_) {
      for (const GmAccess& access : accesses) {
        if (access.writes) found.insert(access.place.argument);
      }
    }
    return found;
  }
  [[nodiscard]] Unknowns& unknowns() { return unknowns_; }
  /// The walk gave up.
  [[nodiscard]] bool overrun() const { return steps_ > kMostSteps; }

 private:
  friend struct pto::Claims;
  static constexpr uint64_t kMostSteps = 400'000;
  /// What is known of a value.
  struct Known {
    std::optional<Poly> number;
    std::vector<Poly> yes, no;  ///< of a condition: are 0 or more where it holds, and where not
    GmPlace place;
    int64_t element = 0;  ///< bytes; of places
  };
  using Many = std::vector<Known>;

  Many run(const Region& region);
  void step(uint32_t op);
  void number(const OpView& op);
  void condition(const OpView& op);
  void loop(const OpView& op);
  void assume(ValueId condition, bool holds);
  void branch(const OpView& op);
  void while_loop(const OpView& op);
  void call(const OpView& op, unsigned arguments);
  void launch(const OpView& op);
  void make_view(const OpView& op);
  void partition(const OpView& op);
  void load(const OpView& op);
  void look(const OpView& op);
  [[nodiscard]] std::optional<GmPlace> bursts(const OpView& op, unsigned slot) const;
  /// What is carried from one iteration to the next, with what is added to it each time.
  void carry(const OpView& op, const Region& body, uint32_t first, std::span<const ValueId> begins,
             const Region& from, const Poly& trip);
  Known joined(const Known& a, const Known& b, ValueId value);
  Known start(ValueId value, uint32_t parameter);
  Poly other(ValueId value, std::vector<Poly> of = {});
  [[nodiscard]] std::optional<Poly> threads_along(const OpView& op) const;
  std::optional<Unknown::Kind> chosen_extreme(ValueId condition, const Poly& yes, const Poly& no);
  Poly settled(Poly poly);
  void settle(GmPlace& place);
  Poly quotient(const Poly& a, const Poly& b);
  [[nodiscard]] const Known& of(ValueId value) const;
  Poly number_of(ValueId value);
  void set(ValueId value, Known known) { known_[value] = std::move(known); }
  void set_number(ValueId value, Poly number);

  const Program& program_;
  const Functions& functions_;
  Constants constants_;
  std::set<uint32_t> written_;
  Unknowns unknowns_;
  std::map<ValueId, Known> known_;
  std::vector<uint32_t> loops_;
  std::vector<Poly> counters_;
  std::vector<Poly> conditions_;
  std::array<std::optional<Poly>, 3> threads_;  ///< that run what is looked at, along x, y and z
  std::map<uint32_t, std::vector<GmAccess>> accesses_;
  std::vector<std::pair<Poly, Poly>> unsigned_;  ///< numbers read as such without sign, and what they were
  std::string context_;
  const Function* inside_ = nullptr;
  int silent_ = 0;  ///< nothing is noted: a body is looked at for what it hands on
  unsigned calls_ = 0;
  uint64_t steps_ = 0;
};

}  // namespace pto::driver
