#include "plan/core_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "analysis/core_kinds.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "ir/rewriter.hpp"
#include "isa/row.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;
using Kind = FunctionInfo::Kind;

std::string_view core_name(CoreSet core) { return core == CoreSet::cube ? "cube" : "vector"; }
OpcodeClass section_of(CoreSet core) {
  return core == CoreSet::cube ? OpcodeClass::section_cube : OpcodeClass::section_vector;
}
std::string_view section_name(CoreSet core) { return isa::row(isa::id_of(section_of(core))).name; }
CoreSet other(CoreSet core) { return core == CoreSet::cube ? CoreSet::vector : CoreSet::cube; }

bool has_sections(const Program& program, uint32_t function) {
  for (const uint32_t op : descendants(program, function)) {
    if (isa::is_section(isa::row(program.ops[op].row).opcode_class)) return true;
  }
  return false;
}

/// What is in a region of the new program: an operation of the old one, or a section around some.
struct Part {
  uint32_t op = kNoOp;
  CoreSet section = CoreSet::none;
  std::vector<uint32_t> ops;  ///< in the section
};

/// One function's new regions.
class Division {
 public:
  Division(const Program& program, const Cores& cores, const std::vector<bool>& used, bool mixes,
           Diagnostics& diagnostics)
      : program_(program), cores_(cores), used_(used), mixes_(mixes), diagnostics_(diagnostics) {}

  bool run(uint32_t function) {
    const Op& op = program_.ops[function];
    for (uint32_t i = 0; i < op.n_regions; ++i) {
      if (!region(op.regions + i)) return false;
    }
    return true;
  }
  [[nodiscard]] const std::map<uint32_t, std::vector<Part>>& regions() const { return regions_; }
  [[nodiscard]] bool has_vector_sections() const { return vector_; }

 private:
  /// A section that may still grow.
  struct Open {
    CoreSet core = CoreSet::none;
    std::vector<uint32_t> ops;
    std::set<ValueId> made;
  };

  bool region(uint32_t index) {
    std::vector<Part> parts;
    Open open;
    for (const uint32_t op : ops_in(program_, program_.regions[index])) {
      if (!place(op, parts, open)) return false;
    }
    close(parts, open);
    regions_.emplace(index, std::move(parts));
    return true;
  }

  bool place(uint32_t op, std::vector<Part>& parts, Open& open) {
    const OpcodeClass opcode_class = isa::row(program_.ops[op].row).opcode_class;
    if (isa::is_section(opcode_class)) {
      close(parts, open);
      if (!nothing_of_sections(op)) return false;
      parts.push_back({op, CoreSet::none, {}});
      return true;
    }
    CoreSet core = cores_.cores_of_all(op);
    const bool depends = open.core != CoreSet::none && uses(op, open.made);
    if (core == CoreSet::none && isa::is_region_terminator(opcode_class)) {
      close(parts, open);
      return common(op, parts);
    }
    if (core == CoreSet::none && cores_.is_unknown(op)) return both(op, parts, open);
    if (core == CoreSet::none && writes_global(op)) core = CoreSet::cube;
    if (core == CoreSet::none && !depends) {
      if (!is_movable(op)) close(parts, open);  // else it is before the section that goes on
      return common(op, parts);
    }
    if (core == CoreSet::none) core = open.core;
    if (has_sections(op)) {
      close(parts, open);
      if (!mixes_) return common(op, parts);  // whoever runs it refuses what is beside the sections
      return shared(op, parts);
    }
    if (core == CoreSet::both || yields(op)) {
      close(parts, open);
      return shared(op, parts);
    }
    if (core != open.core) close(parts, open);
    if (!nothing_of_sections(op)) return false;
    open.core = core;
    open.ops.push_back(op);
    for (uint32_t i = op; i < program_.end_of(op); ++i) {
      const Op& each = program_.ops[i];
      for (uint32_t r = 0; r < each.n_results; ++r) open.made.insert(each.first_result + r);
    }
    return true;
  }

  /// A flag between units that both cores have: each has its own.
  bool both(uint32_t op, std::vector<Part>& parts, Open& open) {
    if (isa::is_signal(isa::row(program_.ops[op].row).opcode_class)) {
      Diagnostic& d =
          diagnostics_.error(E0605,
                             fmt::format("nothing says which core runs {} of a pipe that both have",
                                         isa::row(program_.ops[op].row).name),
                             Span{}, program_.ops[op].where);
      d.help = "put it and the accesses that it orders into pto.section.cube or pto.section.vector";
      return false;
    }
    close(parts, open);
    for (const CoreSet core : {CoreSet::cube, CoreSet::vector}) parts.push_back({kNoOp, core, {op}});
    vector_ = true;
    return true;
  }

  /// Every core comes to it.
  bool common(uint32_t op, std::vector<Part>& parts) {
    if (!nothing_of_sections(op)) return false;
    parts.push_back({op, CoreSet::none, {}});
    return true;
  }

  /// A structure with instructions of both cores runs on both of them.
  bool shared(uint32_t op, std::vector<Part>& parts) {
    if (!nothing_of_sections(op, false)) return false;
    const Op& old = program_.ops[op];
    for (uint32_t i = 0; i < old.n_regions; ++i) {
      if (!region(old.regions + i)) return false;
    }
    parts.push_back({op, CoreSet::none, {}});
    return true;
  }

  void close(std::vector<Part>& parts, Open& open) {
    if (open.core == CoreSet::none) return;
    vector_ = vector_ || open.core == CoreSet::vector;
    for (const ValueId value : open.made) closed_.emplace(value, open.core);
    parts.push_back({kNoOp, open.core, std::move(open.ops)});
    open = {};
  }

  /// Values of sections that are closed have no meaning outside of them, and the other core never has them.
  bool nothing_of_sections(uint32_t op, bool inside = true) {
    for (uint32_t i = op; i < (inside ? program_.end_of(op) : op + 1); ++i) {
      for (const ValueId value : operands_of(i)) {
        const auto made = closed_.find(value);
        if (made == closed_.end()) continue;
        const CoreSet user = cores_.cores_of(i);
        const std::string name = program_.name_of(value).empty()
                                     ? std::string("a value")
                                     : fmt::format("%{}", program_.name_of(value));
        Diagnostic& d = diagnostics_.error(
            E0606,
            user == made->second
                ? fmt::format("{} is defined on the {} core, and instructions of the {} core are between its "
                              "definition and its use",
                              name, core_name(made->second), core_name(other(made->second)))
                : fmt::format("{} is made on the {} core, and used {}", name, core_name(made->second),
                              user == CoreSet::none ? std::string("where both cores come to")
                                                    : fmt::format("on the {} core", core_name(user))),
            Span{}, program_.ops[i].where);
        d.help = fmt::format(
            "no register reaches the other core: store it to GM and load it there, or write the uses into "
            "one {}",
            section_name(made->second));
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] std::vector<ValueId> operands_of(uint32_t op) const {
    std::vector<ValueId> all;
    const OpView view(program_, op);
    for (unsigned slot = 0; slot < isa::schema(view.op().row).operands.size(); ++slot) {
      for (const ValueId value : view.operands(slot))
        if (value != kNoValue) all.push_back(value);
    }
    return all;
  }
  [[nodiscard]] bool uses(uint32_t op, const std::set<ValueId>& values) const {
    if (values.empty()) return false;
    for (uint32_t i = op; i < program_.end_of(op); ++i) {
      for (const ValueId value : operands_of(i))
        if (values.contains(value)) return true;
    }
    return false;
  }

  /// A structure whose results are used: not in a section, which ends with it.
  [[nodiscard]] bool yields(uint32_t op) const {
    const Op& old = program_.ops[op];
    if (old.n_regions == 0 || !isa::is_control_flow(isa::row(old.row).opcode_class)) return false;
    for (uint32_t r = 0; r < old.n_results; ++r) {
      if (used_[old.first_result + r]) return true;
    }
    return false;
  }

  [[nodiscard]] bool has_sections(uint32_t op) const { return planner::has_sections(program_, op); }

  /// Values and names of storage.
  [[nodiscard]] bool is_movable(uint32_t op) const {
    const isa::Row& row = isa::row(program_.ops[op].row);
    if (program_.ops[op].n_regions > 0) return false;
    return (row.flags & isa::kPure) != 0 || isa::is_scalar_evaluable(row.opcode_class);
  }

  /// One core stores to GM; which one does not matter, and who reads it is ordered behind it.
  [[nodiscard]] bool writes_global(uint32_t op) const {
    const OpView view(program_, op);
    if (view.op().n_regions > 0 || isa::is_synchronisation(isa::opcode_class(view)) || is_movable(op))
      return false;
    const isa::Schema& schema = isa::schema(view.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      if (schema.operands[slot].role == isa::Role::in) continue;
      for (const ValueId value : view.operands(slot)) {
        const Type& type = program_.type_of(value);
        if (type.space == Space::gm || type.is_view()) return true;
      }
    }
    return false;
  }

  const Program& program_;
  const Cores& cores_;
  const std::vector<bool>& used_;  ///< by value
  bool mixes_;                     ///< instructions of both cores
  Diagnostics& diagnostics_;
  std::map<uint32_t, std::vector<Part>> regions_;  ///< by region of the program
  std::map<ValueId, CoreSet> closed_;
  bool vector_ = false;
};

/// Puts the sections into the program.
class SectionWriter {
 public:
  SectionWriter(Program& program, const std::map<uint32_t, std::vector<Part>>& regions,
                const std::set<uint32_t>& one_vector_core)
      : program_(program), parts_(regions), one_vector_core_(one_vector_core), rewriter_(program) {}

  void run() {
    const auto count = static_cast<OpId>(program_.ops.size());
    OpId guarded_end = 0;
    for (OpId op = 0; op < count; ++op) {
      if (op >= guarded_end) first_ = kNoValue;
      if (one_vector_core_.contains(op)) {
        guarded_end = program_.end_of(op);
        make_guard(op);
      }
      for (uint32_t i = 0; i < program_.ops[op].n_regions; ++i) {
        const auto parts = parts_.find(rewriter_.region(op, i));
        if (parts == parts_.end()) continue;
        for (const Part& part : parts->second) write(part, parts->first);
      }
    }
    rewriter_.finish();
  }

 private:
  void write(const Part& part, uint32_t region) {
    rewriter_.set_end(region);
    if (part.section == CoreSet::none) return place(part.op);
    rewriter_.set_location(program_.ops[part.ops.front()].where);
    const OpId section = rewriter_.create(isa::id_of(section_of(part.section)), {}, {}, {}, 1);
    const uint32_t inside = rewriter_.region(section, 0);
    const bool guard = part.section == CoreSet::vector && first_ != kNoValue;
    bool guarded = false;
    rewriter_.set_end(inside);
    for (const OpId op : part.ops) {
      const bool signal = isa::is_signal(isa::opcode_class(program_.ops[op]));
      if (guard && !signal && !guarded) {
        begin_guard(program_.ops[op].where);
        guarded = true;
      } else if (signal && guarded) {
        rewriter_.set_end(inside);
        guarded = false;
      }
      place(op);
    }
  }

  /// Each core that has an operation gets one.
  void place(OpId op) {
    if (placed_.insert(op).second) return rewriter_.move(op);
    ValueMap none;
    rewriter_.clone(op, none, [](ValueId first, uint32_t) { return first; });
  }

  /// A branch has two regions; that of a missing else is empty.
  void begin_guard(Location where) {
    rewriter_.set_location(where);
    const OpId branch = rewriter_.create(isa::id_of(OpcodeClass::branch), {&first_, 1}, {}, {}, 2);
    rewriter_.set_end(rewriter_.region(branch, 0));
  }

  /// Whether this is the first vector core of the block; also on the cube core, which has number 0.
  void make_guard(OpId function) {
    const TypeId i64 = program_.types.intern(scalar_type(Elem::i64));
    rewriter_.set_begin(rewriter_.region(function, 0));
    const ValueId number = rewriter_.create_value(OpcodeClass::vector_core_number, {}, i64);
    const ValueId zero = rewriter_.constant(i64, 0);
    first_ = rewriter_.compare(isa::CmpPredicate::eq, number, zero);
  }

  Program& program_;
  const std::map<uint32_t, std::vector<Part>>& parts_;
  const std::set<uint32_t>& one_vector_core_;
  Rewriter rewriter_;
  std::set<OpId> placed_;
  ValueId first_ = kNoValue;
};

/// Which instructions are outside of sections.
CoreSet uncovered(const Program& program, const Cores& cores, uint32_t function) {
  CoreSet all = CoreSet::none;
  for (const uint32_t op : ops_in(program, function)) {
    if (!isa::is_section(isa::row(program.ops[op].row).opcode_class)) all = all | cores.cores_of_all(op);
  }
  return all;
}

std::vector<bool> used_values(const Program& program) {
  std::vector<bool> used(program.values.size(), false);
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    const OpView view(program, op);
    for (unsigned slot = 0; slot < isa::schema(view.op().row).operands.size(); ++slot) {
      for (const ValueId value : view.operands(slot))
        if (value != kNoValue) used[value] = true;
    }
  }
  return used;
}

/// Functions that ask which vector core they run on, themselves or together with those that they call and
/// that call them.
std::vector<bool> that_know_their_core(const Program& program, const Functions& functions,
                                       const CallGraph& calls) {
  std::vector<bool> know(functions.all().size(), false);
  for (uint32_t i = 0; i < know.size(); ++i) {
    for (uint32_t op = functions[i].info.op; op < functions[i].end && !know[i]; ++op)
      know[i] = isa::row(program.ops[op].row).opcode_class == OpcodeClass::vector_core_number;
  }
  std::vector<uint32_t> group(know.size());
  std::iota(group.begin(), group.end(), 0);
  const auto leader = [&](uint32_t function) {
    while (group[function] != function) function = group[function] = group[group[function]];
    return function;
  };
  for (const Call& call : calls.calls()) group[leader(call.callee)] = leader(call.caller);
  for (uint32_t i = 0; i < know.size(); ++i) {
    if (know[i]) know[leader(i)] = true;
  }
  for (uint32_t i = 0; i < know.size(); ++i) know[i] = know[leader(i)];
  return know;
}

}  // namespace

bool divide_among_cores(Program& program, std::span<const uint32_t> wanted, Diagnostics& diagnostics) {
  if (program.target == Target::cpu) return true;  // represents no chip
  const Functions functions(program);
  const CallGraph calls(program, functions);
  const Cores cores(program, functions, calls);
  const std::set<uint32_t> chosen(wanted.begin(), wanted.end());
  std::vector<bool> used, know;
  std::map<uint32_t, std::vector<Part>> regions;
  std::set<uint32_t> one_vector_core;
  for (uint32_t index = 0; index < functions.all().size(); ++index) {
    const Function& function = functions[index];
    const uint32_t op = function.info.op;
    if (function.info.declaration || function.info.kind != Kind::unknown || !chosen.contains(op)) continue;
    const CoreSet needed = cores.cores_of_function(index);
    if (needed != CoreSet::both && !has_sections(program, op)) continue;
    if (uncovered(program, cores, op) == CoreSet::none) continue;
    if (used.empty()) {
      used = used_values(program);
      know = that_know_their_core(program, functions, calls);
    }
    Division division(program, cores, used, needed == CoreSet::both, diagnostics);
    if (!division.run(op)) return false;
    regions.insert(division.regions().begin(), division.regions().end());
    if (division.has_vector_sections() && needed == CoreSet::both && !know[index]) one_vector_core.insert(op);
  }
  if (!regions.empty()) SectionWriter(program, regions, one_vector_core).run();
  return true;
}

}  // namespace pto::planner
