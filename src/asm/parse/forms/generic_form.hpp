// The generic form of MLIR's printers:
//   "name"(operands)[successors] <{properties}> ({regions}) {attributes} : (types) -> (types) loc(..)
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "asm/parse/op_draft.hpp"
#include "asm/parse/text/statement_reader.hpp"
#include "pto/program.hpp"

namespace pto::text {

struct OpenRegion;
struct BinderContext;

/// The types of an operation with regions follow them, so its results are made without types and get
/// them at the end.
class GenericForm {
 public:
  explicit GenericForm(BinderContext& parts) : p_(parts) {}

  /// True if the statement has the shape of the form. Then the draft is filled and errors are
  /// reported.
  bool match(const isa::Schema& schema, MatchFailure& mismatch);
  /// Emits the operation of the draft and opens its first region.
  void open(const isa::Schema& schema);
  /// Behind the last region: `{attributes} : (types) -> (types) loc(..)`.
  void finish(const OpenRegion& frame);

 private:
  // generic_form.cpp
  bool operands(const isa::Schema& schema, MatchFailure& mismatch, Cursor& cursor,
                std::vector<uint32_t>& found);
  std::vector<int64_t> segment_sizes(const std::vector<uint32_t>& dicts);
  bool successors(Cursor& cursor);
  void dictionary(const Node& dict);
  bool entry(std::string_view name, Cursor value);
  void function_type(Cursor value);
  void check_constant(AttrValue& value, const Draft::Result& result);
  // generic_form_checks.cpp: forms that the operation's own syntax cannot print
  void check_positional_attributes(const isa::Schema& schema, std::span<const Attr> attrs);
  void check_groups(const std::vector<isa::SyntaxNode>& nodes);
  void check_mixed_lists(const isa::Schema& schema);
  void check_implied_results(const isa::Schema& schema);
  void check_shown();  // asm/print/printable_check.cpp
  // generic_form_regions.cpp
  void look_ahead_for_target();
  bool check_written_types(const OpenRegion& frame, const std::vector<Draft::Result>& written);
  void check_region_arguments(const OpenRegion& frame, std::span<const Draft::Result> arguments);
  void declare_arguments(const OpenRegion& frame);
  void check_symbol(uint32_t op);

  BinderContext& p_;
  std::vector<Draft::Result> function_args_;  ///< of function_type
};

}  // namespace pto::text
