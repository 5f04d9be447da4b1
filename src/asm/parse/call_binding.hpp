// Calls against the functions they name, when all of the text is read.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "asm/parse/text/statement_reader.hpp"
#include "asm/parse/types/type_table.hpp"
#include "pto/program.hpp"

namespace pto::text {

class Calls {
 public:
  Calls(Program& program, const Reader& reader, const Types& types, Reporter& report)
      : program_(program), reader_(reader), types_(types), report_(report) {}

  /// A module has one function of a name; kNoModule: outside of all.
  static constexpr uint32_t kNoModule = ~0u;
  void define(uint32_t module, StrId name, Span where);
  /// The statement at hand is the call `op`.
  void note(uint32_t op);
  void check();
  /// An operation was put in front of all.
  void shift();

 private:
  struct Call {
    StrId callee;
    Span span;
    uint32_t op;
  };

  void check(const Call& call, const Op& function);
  void check_results(const Call& call, const Op& function);
  [[nodiscard]] Span argument_span(Span callee, uint32_t index) const;

  Program& program_;
  const Reader& reader_;
  const Types& types_;
  Reporter& report_;
  std::map<std::pair<uint32_t, StrId>, Span> functions_;  ///< module and symbol -> the symbol's place
  std::vector<Call> calls_;
};

}  // namespace pto::text
