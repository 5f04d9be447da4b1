// Program -> canonical text.
#pragma once

#include <string>
#include <vector>

#include "isa/row.hpp"
#include "pto/assembler.hpp"

namespace pto::text {

class Printer {
 public:
  /// `numbered`: unnamed values are counted in order of definition; otherwise they show their id.
  Printer(const Program& program, const PrintOptions& options, bool numbered);

  std::string program();
  std::string operation(uint32_t op);

  // ---- for the printers of special statements ----
  void put(std::string_view text) { out_ += text; }
  void value(ValueId value);
  void values(std::span<const ValueId> list);
  void type(ValueId value);
  void types(std::span<const ValueId> list);
  void attr_value(const AttrValue& value, const isa::AttrSpec* spec);
  /// ` {k = v, ..}` of the attributes not in `skip`; nothing when there are none.
  void dictionary(const OpView& op, std::initializer_list<std::string_view> skip = {},
                  std::string_view space = " ");
  [[nodiscard]] const Program& p() const { return p_; }
  [[nodiscard]] std::string_view text(StrId id) const { return p_.strings[id]; }
  [[nodiscard]] std::span<const ValueId> slot(const OpView& op, std::string_view name) const;
  [[nodiscard]] std::span<const ValueId> region_args(const OpView& op, unsigned region);

 private:
  struct Open {
    uint32_t op, region, end;
  };

  void head(uint32_t op);
  void body(const OpView& op);
  void results(const OpView& op);
  void syntax(const OpView& op, const std::vector<isa::SyntaxNode>& nodes, size_t repeat);
  void syntax_node(const OpView& op, const isa::SyntaxNode& node, size_t repeat);
  void several(const OpView& op, const isa::SyntaxNode& node, size_t repeat);
  void result_types(const OpView& op, const isa::SyntaxNode& node);
  void attribute(const OpView& op, const isa::SyntaxNode& node);
  void mixed(const OpView& op, const isa::MixedList& list);
  [[nodiscard]] size_t present(const OpView& op, const std::vector<isa::SyntaxNode>& nodes);
  [[nodiscard]] static bool whole(const OpView& op, const std::vector<isa::SyntaxNode>& nodes);
  [[nodiscard]] static const isa::SyntaxNode* written(const OpView& op, const isa::SyntaxNode& choice);
  [[nodiscard]] bool has_dictionary(const OpView& op);
  void mark_named(const isa::Schema& schema);
  void piece(std::string_view text);
  void flags(const OpView& op);
  void tile_form(const OpView& op);
  void location(const Op& op);
  void place(std::string_view file, Location at);
  void open_region(uint32_t op, uint32_t region);
  void close_regions(uint32_t at);
  void indent(size_t depth) { out_.append(2 * (depth < kMaxIndent ? depth : kMaxIndent), ' '); }
  void count_values();

  static constexpr size_t kNoRepeat = ~size_t{0};
  static constexpr size_t kMaxIndent = 40;  ///< deeper nesting does not move further right
  const Program& p_;
  PrintOptions options_;
  std::string out_;
  std::vector<uint32_t> numbers_;
  std::vector<ValueId> args_;
  std::vector<Open> open_;
  uint32_t argument_ = 0;        ///< of the first region: the next one to be named
  std::vector<bool> in_syntax_;  ///< attributes that the syntax string names
};

/// Writes everything of an operation between its name and its region. nullptr when the row's syntax is
/// enough.
using PrintHook = void (*)(Printer&, const OpView&);
PrintHook find_print_hook(const isa::Row& row);

// Blocks and the regions of a switch: printer_blocks.cpp.
void print_index_switch(Printer& out, const OpView& op);
/// ` case 3` or ` default` in front of region `i`.
void print_case(Printer& out, const OpView& op, uint32_t region);
/// `^name(%a: T):`
void print_block(Printer& out, const OpView& op);

}  // namespace pto::text
