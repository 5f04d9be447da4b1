// The open regions at the current position: labels, braces, and the part of the operation after the
// last region.
#pragma once

#include <optional>
#include <vector>

#include "asm/parse/op_draft.hpp"
#include "asm/parse/text/statement_reader.hpp"

namespace pto::text {

struct BinderContext;

/// A region that is being read.
struct OpenRegion {
  uint32_t op = ~0u;  ///< ~0: a region that is only stepped over
  uint16_t region = 0;
  uint16_t n_regions = 0;
  size_t scope = 0;  ///< undo mark
  Span name;
  bool labelled = false;
  bool made = false;                     ///< the module that the text does not write
  bool refused = false;                  ///< of a statement with an error: only the body is checked
  bool generic = false;                  ///< of a list of regions (`({..}, {..})`)
  std::vector<Draft::Result> arguments;  ///< of function_type, for a generic func.func
  uint32_t skipped = 0;                  ///< further regions within this one that are only stepped over
};

/// Whether the types of an operation's results follow its regions, in its own syntax.
bool types_behind(const isa::Schema& schema);

class Regions {
 public:
  explicit Regions(BinderContext& parts) : p_(parts) {}

  [[nodiscard]] bool none() const { return frames_.empty(); }
  /// Outside of all regions that the text writes.
  [[nodiscard]] bool outermost() const { return frames_.empty() || frames_.back().made; }
  [[nodiscard]] bool skipping() const { return !frames_.empty() && frames_.back().op == ~0u; }
  /// The operation of the innermost one; ~0 outside of all.
  [[nodiscard]] uint32_t around() const { return frames_.empty() ? ~0u : frames_.back().op; }

  /// A module around everything read so far.
  void make_module();
  /// Opens region `i` of `op` with arguments named by operand nodes.
  OpenRegion& open(uint32_t op, unsigned i, const std::vector<Draft::Result>& args,
                   const std::vector<Node>& names);
  /// The braces of the statement at hand, which opened a region, was refused, or lacks one.
  void enter();
  /// Regions that are only stepped over.
  void skip(Span name, uint32_t levels, bool generic);
  void label();
  /// A '}', and the text up to the next region or the end of the operation.
  void close();
  /// At the end of the text.
  void finish();

 private:
  bool enter_refused();
  void close_list(OpenRegion frame);
  void next(OpenRegion frame);
  void fill(const OpenRegion& frame);
  void end_operation(const OpenRegion& frame);
  void finish_operation(const OpenRegion& frame);
  void result_types(const OpenRegion& frame, const std::vector<Draft::Result>& written);
  void add_block(OpenRegion& frame);
  bool block_arguments(Cursor& cursor, std::vector<Draft::Result>& types, std::vector<Node>& names);
  void define(const std::vector<Node>& names, ValueId first);

  BinderContext& p_;
  std::vector<OpenRegion> frames_;
  std::optional<uint32_t> opened_;  ///< operation whose first region comes next
};

}  // namespace pto::text
