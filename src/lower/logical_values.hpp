// The logical values of a program: their lanes, what is known of them, and which of them share a layout.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "analysis/integer_facts.hpp"
#include "ir/symbol_table.hpp"
#include "isa/row.hpp"
#include "lower/layout.hpp"

namespace pto::lower {

struct Logical {
  enum class Kind : uint8_t { none, vector, mask } kind = Kind::none;
  unsigned lanes = 0;
  unsigned width = 0;            ///< bytes of a lane; of masks: of the lanes that they were made for
  Elem elem = Elem::none;        ///< of the registers: integers without a sign are unsigned here
  bool uniform = false;          ///< every lane is the same: one register stands for all
  bool full = false;             ///< of masks: every lane is active
  bool made_anew = false;        ///< nothing but scalars goes into it: it can be made wherever it is wanted
  uint32_t defining_op = kNoOp;  ///< the operation that gives it
  uint32_t cluster = kNoOp;      ///< values of one number have one layout
  [[nodiscard]] Shape shape() const { return {lanes, width}; }
};

/// Elements of registers for those of logical values.
Elem register_elem(Elem elem);

class Values {
 public:
  explicit Values(const Program& program);

  [[nodiscard]] const Logical& operator[](ValueId value) const { return all_[value]; }
  [[nodiscard]] bool is_logical(ValueId value) const {
    return value < all_.size() && all_[value].kind != Logical::Kind::none;
  }
  [[nodiscard]] const Constants& constants() const { return constants_; }
  /// Of integers and addresses. Those that a function gets are multiples of a block.
  [[nodiscard]] const IntegerFacts& integers() const { return integers_; }
  /// The operation that gives a value, or whose region has it as an argument.
  [[nodiscard]] uint32_t owner(ValueId value) const { return owner_[value]; }
  [[nodiscard]] uint32_t clusters() const { return clusters_; }
  /// For the results of a function, by its operation: values that stand in the same registers.
  [[nodiscard]] const std::vector<ValueId>& returned(uint32_t function) const;
  /// The values of each cluster, in the order of the program.
  [[nodiscard]] const std::vector<ValueId>& members(uint32_t cluster) const { return members_[cluster]; }

 private:
  void describe();
  void describe_result(const OpView& op, unsigned i);
  [[nodiscard]] bool gives_uniform(const OpView& op) const;
  [[nodiscard]] bool gives_full(const OpView& op) const;
  void tie();
  void tie_operation(const OpView& op);
  void tie_structure(const OpView& op, const Functions& functions);
  void tie_all(const std::vector<ValueId>& values);
  void tie_jump(const OpView& op, const std::map<std::string_view, uint32_t>& blocks);
  void tie_blocks(uint32_t function);
  void take_returned(uint32_t function, const std::vector<ValueId>& values);
  void number();
  uint32_t root(ValueId value);

  const Program& program_;
  Constants constants_;
  IntegerFacts integers_;
  std::vector<Logical> all_;
  std::vector<uint32_t> parent_, owner_;
  std::vector<std::vector<ValueId>> members_;
  std::map<uint32_t, std::vector<ValueId>> returned_;
  uint32_t clusters_ = 0;
};

}  // namespace pto::lower
