// Which operations the tools made of one statement of the text: iterations of an unrolled loop, instructions
// of a lowered vector. To who wrote it they are one place.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "pto/program.hpp"

namespace pto::report {

class Statements {
 public:
  explicit Statements(const Program& program) : program_(program) {}

  /// The first operation that was asked for of the same statement and row; itself where no place is known.
  uint32_t statement_of(uint32_t op) {
    if (op >= program_.ops.size()) return op;
    const Op& asked = program_.ops[op];
    if (asked.where.line == 0) return op;
    return first_.try_emplace({asked.where.line, asked.where.col, asked.row}, op).first->second;
  }

 private:
  const Program& program_;
  std::map<std::tuple<uint32_t, uint32_t, RowId>, uint32_t> first_;
};

}  // namespace pto::report
