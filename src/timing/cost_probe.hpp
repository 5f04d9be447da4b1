// One instruction without a program: operands by name, for asking a cost model (tests, the accuracy report).
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "target/decoded_inst.hpp"

namespace pto::timing {

struct ProbeTile {
  Elem elem = Elem::f32;
  uint32_t rows = 1, cols = 1;
  uint32_t valid_rows = 0, valid_cols = 0;  ///< 0: all
  uint64_t addr = 0;
  Space space = Space::ub;
  BLayout layout = BLayout::row_major;
  bool fixed = true;  ///< the type states the valid region; else it is known when the program runs
};

class Probe {
 public:
  explicit Probe(RowId row);

  /// Operand slots by name or number; setting one that does not exist does nothing and makes ok() false.
  Probe& tile(std::string_view operand, const ProbeTile& tile);
  Probe& view(std::string_view operand, Elem elem, int64_t rows, int64_t cols);
  Probe& pointer(std::string_view operand, Elem elem, Space space, uint64_t addr = 0);
  Probe& integer(std::string_view operand, int64_t value);
  Probe& attribute(std::string_view name, int64_t value);

  [[nodiscard]] bool ok() const { return ok_; }
  /// The instruction and its captured operands; valid until the probe changes.
  const decode::Inst& inst();
  const decode::Word* frame();
  [[nodiscard]] const isa::Schema& schema() const { return *schema_; }

 private:
  struct Operand {
    Type type;
    std::vector<decode::Word> words;
  };
  Operand* add(std::string_view operand);
  void build();

  const isa::Schema* schema_;
  bool ok_ = true, built_ = false;
  std::vector<std::deque<Operand>> operands_;  ///< per slot
  std::vector<AttrValue> attrs_;
  std::vector<uint8_t> attr_set_;
  decode::Inst inst_;
  std::vector<decode::ValueRef> values_;
  std::vector<uint32_t> slot_begin_;
  std::vector<decode::Word> frame_;
};

}  // namespace pto::timing
