// Orders between the two vector cores of a block. Both run the same text, each on its part of the data. Where
// one of them reads what the other one has written at an earlier place of the text, or the other way round,
// both meet in between: mode 1 of pto.sync.set, which signals all vector cores of a block once all of them
// have signalled.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/gm_windows.hpp"
#include "plan/sync/sync_insertion.hpp"

namespace pto::planner {

/// Values of a function that are not the same on all cores of a block.
std::vector<uint8_t> differing_values(const Program& program, const SameValues& same, uint32_t function);

class VectorCores {
 public:
  VectorCores(const Program& program, const Storage& storage, Diagnostics& diagnostics);

  /// Where the cores have to meet in a function that both run. `sections`: only the vector sections of it are
  /// theirs alone. Whether they have to meet, which takes one id; errors are diagnostics.
  bool find(uint32_t function, bool sections);
  /// Lets them meet there, with signals of this id; an error where there is no such id.
  void emit(int id, std::vector<Insertion>& insertions);

 private:
  static constexpr size_t kCount = 2;
  /// Of a buffer in GM.
  struct Access {
    uint32_t op = 0;
    RootId root = 0;
    ValueId value = kNoValue;
    bool read = false, write = false;
    bool split = false;               ///< which bytes depends on the core
    std::array<bool, kCount> runs{};  ///< by core
    std::array<std::optional<Window>, kCount> windows;
    uint32_t region = 0;  ///< of the item, in which it stands
  };
  struct Dependence {
    Access first, second;
  };
  struct Item {
    uint32_t op = 0;
    bool nested = false, in_section = false;
    std::vector<Access> accesses;
    bool meets = false;                      ///< before it
    std::optional<Dependence> between = {};  ///< why
  };
  struct Context {
    std::array<bool, kCount> runs{true, true};
    bool repeats = false;
    uint32_t uneven = kNone;  ///< the structure around that not both run equally often
    bool in_section = false;
  };
  enum class Conflict : uint8_t { none, possible, certain };

  std::vector<Access> block(uint32_t region, const Context& context);
  void add_items(uint32_t region, const Context& context, std::vector<Item>& items);
  [[nodiscard]] Item make_item(uint32_t op, const Context& context);
  [[nodiscard]] std::vector<Access> leaf(uint32_t op, const Context& context);
  void order(std::vector<Item>& items, const Context& context);
  [[nodiscard]] bool differs(uint32_t op) const;
  [[nodiscard]] Conflict conflict(const Access& a, const Access& b) const;
  [[nodiscard]] Conflict conflict_on(const Access& a, size_t core, const Access& b) const;
  [[nodiscard]] bool certain(const Access& a, size_t core, const Access& b) const;
  void refuse(const Access& first, const Access& second, std::string_view why, std::string_view help);
  void refuse_uneven(const Access& first, const Access& second, uint32_t around);

  const Program& program_;
  const Storage& storage_;
  Diagnostics& diagnostics_;
  std::vector<Constants> constants_;  ///< by core; made when they are first asked for
  std::vector<GmWindowAnalysis> windows_;
  std::vector<uint8_t> differs_;  ///< by value, of the function at hand
  bool sections_ = false, refused_ = false;
  struct Meeting {
    uint32_t op = 0;  ///< before it
    bool in_section = false;
    Dependence between;
  };
  std::vector<Meeting> meetings_;
};

}  // namespace pto::planner
