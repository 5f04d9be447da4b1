// The functions of a program by symbol, and where an operation stands: its function, its region, its block.
#pragma once

#include <string_view>
#include <vector>

#include "pto/program.hpp"

namespace pto::legality {

struct Function {
  FunctionInfo info;
  uint32_t module = 0;  ///< the innermost builtin.module around it
  uint32_t end = 0;     ///< one past its last operation
};

class Functions {
 public:
  explicit Functions(const Program& program);

  [[nodiscard]] const std::vector<Function>& all() const { return all_; }
  /// The function that encloses an operation, nullptr outside of functions.
  [[nodiscard]] const Function* around(uint32_t op) const;
  /// What a symbol means in the module of `from`, or, when nothing there has the name, in the program.
  [[nodiscard]] const Function* find(std::string_view name, const Function& from) const;
  [[nodiscard]] bool has(const Function& function, std::string_view attr) const {
    return OpView(program_, function.info.op).attr(attr) != nullptr;
  }
  /// Every name, for "did you mean".
  [[nodiscard]] std::vector<std::string_view> names() const;

 private:
  const Program& program_;
  std::vector<Function> all_;  ///< in the order of the program
};

/// The tree of regions, made once per run by passes that ask about blocks and dominance.
class Regions {
 public:
  explicit Regions(const Program& program);

  /// The region an operation stands in; ~0 for the top module.
  [[nodiscard]] uint32_t of(uint32_t op) const { return of_[op]; }
  [[nodiscard]] uint32_t owner(uint32_t region) const { return owner_[region]; }
  /// The operation of `region` that is or encloses `op`; ~0 when `op` stands outside of it.
  [[nodiscard]] uint32_t ancestor_in(uint32_t op, uint32_t region) const;
  /// Whether `first` has always run when `second` runs.
  [[nodiscard]] bool dominates(uint32_t first, uint32_t second) const;
  /// The operations of a region, those of nested regions left out.
  [[nodiscard]] std::vector<uint32_t> block(uint32_t region) const;

 private:
  const Program& program_;
  std::vector<uint32_t> of_, owner_;
};

}  // namespace pto::legality
