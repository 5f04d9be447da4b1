// Statements -> Program. Each statement is matched against its row and appended at once; nothing of the text
// is kept but the names in scope.
//
//   binder_context.hpp        shared state of the reader: names, draft, emitter, ..
//   forms/syntax_matcher.hpp  items against a row's syntax
//   forms/match_cache.hpp     the last match of each mnemonic
//   forms/tile_form.hpp       the tile forms: PTO-AS, level 1, DPS
//   forms/generic_form.hpp    the generic form
//   forms/syntax_hooks.hpp    hooks for forms beyond the syntax strings
//   anchor_resolution.cpp     spans of the parts that rules speak of
#pragma once

#include <optional>
#include <vector>

#include "asm/parse/binder_context.hpp"
#include "asm/parse/forms/match_cache.hpp"
#include "asm/parse/forms/syntax_hooks.hpp"

namespace pto::text {

class Binder {
 public:
  Binder(std::string_view source, const ParseOptions& options, Program& program, Diagnostics& diagnostics);
  void run();

 private:
  void step();
  void syntax_error();
  void alias(bool type_alias);
  void operation();
  Hook hook_of(const isa::Row& row);
  void bind_rows(const isa::Row& first);
  bool bind_form(RowId first, MatchFailure& best);
  bool bind_old_reshape(const isa::Row& row);
  void old_name();
  bool match(const isa::Schema& schema, MatchFailure& mismatch, RowId first);
  void finish_row(const isa::Schema& schema);
  void check_bounds(const isa::Schema& schema);
  void open_written_region(uint32_t op, const isa::Schema& schema);

  BinderContext p_;
  MatchCache shapes_{p_};
  /// By row, once one was looked for.
  std::vector<std::optional<Hook>> hooks_ = std::vector<std::optional<Hook>>(isa::rows().size());
};

}  // namespace pto::text
