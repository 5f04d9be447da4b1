// Statements -> Program. Each statement is matched against its row and appended at once; nothing of the text
// is kept but the names in scope.
//
//   binder.cpp      driver: statements, aliases, rows, errors without cascades
//   regions.cpp     regions, labels, what follows a region
//   messages.cpp    places and messages, what is expected of items
//   locations.cpp   loc(..)
//   emit.cpp        results, names, regions, calls: from a draft to operations
//   values.cpp      operands, types and attribute values of one statement
//   match.cpp       items against a row's syntax; match_groups.cpp: its groups
//   match_commit.cpp  what was found into the draft; where each part stands
//   implied.cpp     result types that the text leaves out
//   printable.cpp   generic forms that could not be printed
//   tile_forms.cpp  the tile forms: PTO-AS, level 1, DPS
//   generic.cpp     the generic form; generic_regions.cpp: of operations with regions
//   blocks.cpp      labels within a region, the regions of a switch
//   control.cpp     functions, targets, constants
//   special.cpp     tassign with a literal address
//   anchors.cpp     spans of the parts that rules speak of
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/scope.hpp"
#include "asm/syntax.hpp"
#include "isa/row.hpp"
#include "pto/assembler.hpp"
#include "support/hash.hpp"
#include "support/source_lines.hpp"

namespace pto::text {

inline constexpr size_t kMaxAttributes = 0xff;  ///< of one operation

/// Siblings of the node tree, left to right.
class Cursor {
 public:
  Cursor(const std::vector<Node>& nodes, uint32_t begin, uint32_t end)
      : nodes_(&nodes), at_(begin), end_(end) {}

  [[nodiscard]] bool done() const { return at_ >= end_; }
  [[nodiscard]] const Node& peek() const { return (*nodes_)[at_]; }
  [[nodiscard]] uint32_t index() const { return at_; }
  [[nodiscard]] uint32_t limit() const { return end_; }
  [[nodiscard]] bool is(NodeKind kind) const { return !done() && peek().kind == kind; }
  const Node& take() {
    const Node& node = peek();
    at_ = node.next;
    return node;
  }
  bool accept(NodeKind kind) {
    if (!is(kind)) return false;
    take();
    return true;
  }
  void seek(uint32_t index) { at_ = index; }
  /// The children of a node of this tree.
  [[nodiscard]] Cursor into(const Node& node) const {
    const auto index = static_cast<uint32_t>(&node - nodes_->data());
    return {*nodes_, index + 1, node.next};
  }

 private:
  const std::vector<Node>* nodes_;
  uint32_t at_, end_;
};

/// The target that a `pto.target_arch` names; nullopt when there is none.
std::optional<Target> target_of_arch(std::string_view arch);

/// What one operation will be made of. Spans of operands and types are kept for messages about them.
struct Draft {
  struct Operand {
    ValueId value;
    Span span;
  };
  struct Result {
    TypeId type = kNoType;
    Span span;
  };
  const isa::Schema* schema = nullptr;
  std::vector<std::vector<Operand>> slots;
  std::vector<Attr> attrs;
  std::vector<Result> results;
  std::vector<Node> arguments;  ///< names of the first region's arguments

  void reset(const isa::Schema& s);
  void add(int slot, ValueId value, Span span) { slots[static_cast<size_t>(slot)].push_back({value, span}); }
};

/// Why a form does not fit. The one that got furthest is reported.
struct Mismatch {
  std::string_view id;
  std::string message, help;
  Span span;
  uint32_t progress = 0;
  Span note_span;
  std::string note;
  std::string_view word, near;  ///< a misspelt word and what was meant
};

/// What a matcher saw: a part of the operation and its nodes [node, end).
struct MatchEvent {
  enum class Kind : uint8_t {
    operand,
    number,  ///< in place of an operand
    attr,
    is,
    dict,
    mixed,
    argument,
    type_operand,
    type_result,
    type_attr
  } kind;
  uint16_t index;
  uint32_t node, end;
  const isa::SyntaxNode* syntax;  ///< of `is`
};

class Binder final : public Oracle {
 public:
  Binder(std::string_view source, const ParseOptions& options, Program& program, Diagnostics& diagnostics);
  void run();

  [[nodiscard]] bool begins_operation(std::string_view word) const override;
  [[nodiscard]] bool has_region(std::string_view name) const override;
  [[nodiscard]] bool has_cases(std::string_view name) const override;

  /// For anchors: parses the statement of one operation again and says where a part of it stands.
  Span locate(uint32_t offset, RowId row, const Anchor& anchor);
  Span locate_key(uint32_t offset, std::string_view key);

  // ---- the services that hooks use ----
  [[nodiscard]] std::string_view text(const Node& node) const {
    return source_.substr(node.begin, node.end - node.begin);
  }
  [[nodiscard]] std::string_view text(Span span) const {
    return source_.substr(span.begin, span.end - span.begin);
  }
  [[nodiscard]] static Span span(const Node& node) { return {node.begin, node.end}; }
  [[nodiscard]] Statement& statement() { return statement_; }
  [[nodiscard]] Cursor items() const { return {statement_.nodes, statement_.first_item, items_end_}; }
  [[nodiscard]] Program& program() { return program_; }
  Draft& draft() { return draft_; }
  /// The message prefix: the operation as written.
  [[nodiscard]] std::string_view op_name() const { return text(statement_.name); }

  Diagnostic& fail(std::string_view id, Span where, std::string message);
  /// "did you mean": the candidate nearest to a word of the diagnostic's span, as help and as an edit.
  /// Whether there is one.
  bool suggest(Diagnostic& d, std::string_view word, const std::vector<std::string_view>& candidates,
               std::string_view prefix = {});
  bool suggest(Mismatch& mismatch, std::string_view word, const std::vector<std::string_view>& candidates);
  [[nodiscard]] bool failed() const { return failed_; }
  bool expect(Cursor& cursor, NodeKind kind, std::string_view what);
  bool accept_word(Cursor& cursor, std::string_view word) const;
  bool expect_word(Cursor& cursor, std::string_view word);
  bool expect_end(const Cursor& cursor);
  Span rest_span(const Cursor& cursor) const;

  /// The value of an operand node; reports what is not defined. `%r:2` packs are used as `%r#1`.
  ValueId use(const Node& node);
  [[nodiscard]] bool is_defined(std::string_view name) { return known(scope_.find(name).value); }
  /// As `use`, silently: kNoValue when it is not defined.
  ValueId peek(const Node& node);
  bool fits(const Node& operand, uint32_t kinds);
  static bool isa_kind(const Type& type, uint32_t kinds);
  bool known(ValueId value) const { return value != poison_ && value != kNoValue; }
  TypeId type_of(ValueId value) const { return program_.values[value].type; }
  /// A type node; `prefix` completes elided ones (`<f32, gm>`), e.g. "!pto.ptr".
  TypeId type(const Node& node, std::string_view prefix = {});
  std::string with_aliases(std::string_view spelling) const;
  static bool is_type_node(const Node& node);
  /// Comma list of types, or one parenthesised list.
  bool types(Cursor& cursor, std::vector<Draft::Result>& out);
  /// `a` must be the type of `value`.
  Diagnostic* check_type(ValueId value, Span operand, TypeId written, Span where);  ///< nullptr when it is
  AttrValue attribute(Cursor cursor, const isa::AttrSpec* spec, Span where);
  void dictionary(const Node& dict);
  void attribute_entry(std::string_view key, Span key_span, Cursor value, Span where);
  void set_attr(std::string_view name, AttrValue value);
  StrId intern(std::string_view text) { return program_.strings.intern(text); }
  StrId name_id(std::string_view name);
  TypeId intern(const Type& type) { return program_.types.intern(type); }
  TypeId elem_type(Elem elem) { return intern(scalar_type(elem)); }

  /// Appends the operation of the draft; results take the names on the statement's left side.
  uint32_t emit(unsigned n_regions = 0);
  uint32_t emit_named(std::span<const StrId> names, unsigned n_regions);
  /// Opens region `i` of `op` with arguments named by operand nodes (empty text: unnamed).
  void open_region(uint32_t op, unsigned i, const std::vector<Draft::Result>& args,
                   const std::vector<Node>& names);
  /// A region without operations: a declaration's arguments.
  void empty_region(uint32_t op, const std::vector<Draft::Result>& args, const std::vector<Node>& names);
  void define_results(uint32_t op);
  /// From here on `name` means another value.
  void rename(std::string_view name, ValueId value, Span where) {
    scope_.define(name, value, where.begin, 0);
  }
  /// What the text or the caller says about the target; the caller wins.
  void state_target(Target target, Span where);
  /// The integer a value is when an arith.constant defines it.
  std::optional<int64_t> literal_of(ValueId value) const;
  void define(std::string_view name, ValueId value, Span where, uint32_t count = 0);
  /// Number of results the left side asks for.
  [[nodiscard]] uint32_t result_count();
  struct ResultName {
    std::string_view name;
    Span span;
    uint32_t count;
  };
  const std::vector<ResultName>& result_names();
  /// The left side was used up: the operation itself has no results.
  void results_taken() { result_names_.clear(); }
  Location where() { return locate(statement_.name.begin); }
  void call_of(uint32_t op);
  /// A module has one function of a name.
  void define_function(StrId name, Span where);
  void refuse_bare_dictionary();
  uint32_t emit_alloc(TypeId type, StrId name);
  uint32_t emit_constant(int64_t value, TypeId type);

  // ---- parts in other files ----
  bool match_syntax(const isa::Schema& schema, Mismatch& mismatch);     // match.cpp
  bool match_tile_form(const isa::Schema& schema, Mismatch& mismatch);  // tile_forms.cpp
  bool match_generic(const isa::Schema& schema, Mismatch& mismatch);    // generic.cpp
  /// A constant's literal and type.
  AttrValue constant_value(Cursor cursor, Draft::Result& type);  // control.cpp
  /// The type of the field that the draft's llvm.extractvalue names; reports when there is none.
  TypeId extracted_type(Span where);  // implied.cpp
  void set_function_results(const std::vector<Draft::Result>& results);
  /// What a module's attribute says about the target.
  void note_target(std::string_view key, std::string_view value);
  /// The numbers behind the `case` words of the switch at `offset`, and whether `default` comes first.
  struct Cases {
    std::vector<int64_t> numbers;
    bool has_default = false, default_first = false;
  };
  const Cases& cases_of(uint32_t offset);  // blocks.cpp
  Span find_in_tile_form(const isa::Schema& schema, const Anchor& anchor);
  [[nodiscard]] Span attribute_span(std::string_view key) const;  // anchors.cpp
  [[nodiscard]] Span result_span(uint32_t offset) const;
  [[nodiscard]] Span region_end(uint32_t index) const;
  Span find_by_order(const Anchor& anchor);
  bool reject(Mismatch& mismatch, const Cursor& at, std::string_view id, std::string message,
              Span where = {});

 private:
  struct Frame {
    uint32_t op = ~0u;  ///< ~0: a region that is only stepped over
    uint16_t region = 0;
    uint16_t n_regions = 0;
    size_t scope = 0;  ///< undo mark
    Span name;
    bool labelled = false;
    bool made = false;                     ///< the module that the text does not write
    bool refused = false;                  ///< of a statement with an error: only the body is checked
    bool generic = false;                  ///< of a list of regions `({..}, {..})`
    std::vector<Draft::Result> arguments;  ///< of function_type, for a generic func.func
    uint32_t skipped = 0;                  ///< further regions within this one that are only stepped over
  };
  struct Call {
    StrId callee;
    Span span;
    uint32_t op;
  };

  ValueId undefined(const Node& node, std::string_view name, uint32_t ended_at);
  [[nodiscard]] uint32_t find_definition(std::string_view name, uint32_t from) const;
  bool unbalanced();
  void step();
  void operation();
  void bind_rows(const isa::Row& first);
  bool try_row(const isa::Schema& schema, Mismatch& mismatch);
  void finish_row(const isa::Schema& schema);
  void note_targets();
  void check_bounds(const isa::Schema& schema);
  void open_written_region(uint32_t op, const isa::Schema& schema);
  void report(Mismatch& mismatch);
  void unsupported();
  void make_top_module();
  void alias(bool type_alias);
  void label();
  void close();
  void enter_region();
  void skip_region(Span name, uint32_t levels, bool generic);
  void finish_region_op();
  void append_attrs(uint32_t op);
  void poison(std::string_view name, uint32_t at);
  void poison_results();
  void close_generic(Frame frame);
  void next_region(Frame frame);
  void finish_region(const Frame& frame);
  void fill_regions(const Frame& frame);
  void add_block(Frame& frame);
  bool block_arguments(Cursor& cursor, std::vector<Draft::Result>& types, std::vector<Node>& names);
  void require_positional_attributes(const isa::Schema& schema, std::span<const Attr> attrs);
  void require_equal_groups(const std::vector<isa::SyntaxNode>& nodes);
  void require_printable();  // printable.cpp
  void check_mixed_lists(const isa::Schema& schema);
  void check_implied_results(const isa::Schema& schema);
  void check_constant(AttrValue& value, const Draft::Result& result);
  std::vector<int64_t> segment_sizes(const std::vector<uint32_t>& dicts);
  bool successors(Cursor& cursor);
  bool generic_operands(const isa::Schema& schema, Mismatch& mismatch, Cursor& cursor,
                        std::vector<uint32_t>& operands);
  bool generic_entry(std::string_view name, const Node& key, Cursor value);
  void function_type(Cursor value);
  void open_generic(const isa::Schema& schema);
  void look_ahead_for_target();
  void check_region_arguments(const Frame& frame);
  void finish_generic(const Frame& frame);
  void declare_arguments(const Frame& frame);
  void check_symbol(uint32_t op);
  bool enter_refused();
  void strip_location();
  void note_location(uint32_t op);
  void resolve_locations();
  void read_location(Cursor cursor, const Node& args);
  void check_calls();
  void check_call(const Call& call, const Op& function);
  void check_call_results(const Call& call, const Op& function);
  [[nodiscard]] Span argument_span(Span callee, uint32_t index) const;
  void write_target();
  void syntax_error();
  bool skipping() const { return !frames_.empty() && frames_.back().op == ~0u; }
  Location locate(uint32_t offset);
  const isa::Row* resolve(std::string_view name);

  std::string_view source_;
  const ParseOptions& options_;
  Program& program_;
  ProgramBuilder builder_;
  Diagnostics& diagnostics_;
  StatementReader reader_;
  Statement statement_;
  uint32_t items_end_ = 0;
  Draft draft_;
  std::vector<MatchEvent> events_;
  Scope scope_;
  std::vector<Frame> frames_;
  std::optional<uint32_t> opened_;  ///< operation whose first region comes next
  std::unordered_map<std::string_view, TypeId, TextHash> type_cache_;
  std::unordered_map<std::string_view, std::string_view> aliases_;
  std::unordered_map<std::string_view, const isa::Row*, TextHash> row_cache_;
  std::map<std::pair<uint32_t, StrId>, Span> functions_;  ///< module and symbol -> the symbol's place
  std::vector<Call> calls_;
  std::vector<ResultName> result_names_;
  bool result_names_ready_ = false;
  std::vector<ValueId> words_;  // buffers reused by every operation
  std::vector<TypeId> types_;
  std::vector<StrId> names_;
  std::optional<Location> written_location_;
  std::string_view location_alias_;  ///< of the statement: `loc(#loc3)`
  std::vector<std::pair<uint32_t, std::string_view>>
      aliased_locations_;                                     ///< operations whose alias may follow
  std::unordered_map<std::string_view, Location> locations_;  ///< `#loc3 = loc(..)`
  std::vector<Draft::Result> function_args_;
  std::optional<std::unordered_map<uint32_t, Cases>> switches_;
  ValueId poison_ = kNoValue;
  bool failed_ = false;
  bool source_named_ = false;
  uint32_t counted_offset_ = 0, line_ = 1, line_start_ = 0;
  std::optional<SourceLines> lines_;  ///< for positions that lie behind

  friend class Matcher;
};

/// Statements that syntax strings do not express. nullptr when the row's syntax is enough; see hooks.hpp.
using Hook = bool (*)(Binder&);
Hook find_hook(const isa::Row& row);

}  // namespace pto::text
