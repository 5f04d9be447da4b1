// Printers of the statements that hooks.hpp parses.
#include <fmt/format.h>

#include <unordered_map>

#include "asm/printer.hpp"

namespace pto::text {

namespace {

std::string_view string_attr(const Printer& out, const OpView& op, std::string_view name) {
  const AttrValue* value = op.attr(name);
  return value == nullptr ? std::string_view{} : out.text(value->text);
}

void print_module(Printer& out, const OpView& op) {
  if (op.attr("sym_name") != nullptr) out.put(fmt::format(" @{}", string_attr(out, op, "sym_name")));
  out.dictionary(op, {"sym_name"}, " attributes ");
}

void print_function(Printer& out, const OpView& op) {
  if (op.attr("sym_visibility") != nullptr) out.put(fmt::format(" {}", string_attr(out, op, "sym_visibility")));
  out.put(fmt::format(" @{}(", string_attr(out, op, "sym_name")));
  const std::span<const Region> regions = out.p().regions_of(op.op());
  const bool declaration = regions.empty() || regions[0].begin == regions[0].end;
  bool first = true;
  for (const ValueId arg : out.region_args(op, 0)) {
    if (!first) out.put(", ");
    first = false;
    if (!declaration || out.p().values[arg].name != 0) {
      out.value(arg);
      out.put(": ");
    }
    out.type(arg);
  }
  out.put(")");
  if (op.attr("function_results") != nullptr) out.put(fmt::format(" -> ({})", string_attr(out, op, "function_results")));
  out.dictionary(op, {"sym_name", "sym_visibility", "function_results"}, " attributes ");
}

void print_call(Printer& out, const OpView& op) {
  out.put(fmt::format(" @{}(", string_attr(out, op, "callee")));
  out.values(op.operands(0));
  out.put(")");
  out.dictionary(op, {"callee"});
  out.put(" : (");
  out.types(op.operands(0));
  out.put(") ");
  out.arrow_results(op, op.op().n_results != 1);
}

void print_assignments(Printer& out, std::span<const ValueId> names, std::span<const ValueId> inits) {
  for (size_t i = 0; i < std::min(names.size(), inits.size()); ++i) {
    out.put(i == 0 ? "(" : ", ");
    out.value(names[i]);
    out.put(" = ");
    out.value(inits[i]);
  }
  out.put(inits.empty() ? "()" : ")");
}

void print_for(Printer& out, const OpView& op) {
  const std::span<const ValueId> args = out.region_args(op, 0);
  out.put(" ");
  out.value(args.empty() ? kNoValue : args.front());
  out.put(" = ");
  out.value(op.operand(0));
  out.put(" to ");
  out.value(op.operand(1));
  out.put(" step ");
  out.value(op.operand(2));
  const std::span<const ValueId> inits = op.operands(3);
  if (!inits.empty()) {
    out.put(" iter_args");
    print_assignments(out, args.subspan(std::min<size_t>(1, args.size())), inits);
    out.put(" ");
    out.arrow_results(op, true);
  }
  if (op.type(0).elem != Elem::index) {
    out.put(" : ");
    out.type(op.operand(0));
  }
}

void print_if(Printer& out, const OpView& op) {
  out.put(" ");
  out.value(op.operand(0));
  if (op.op().n_results > 0) {
    out.put(" ");
    out.arrow_results(op, true);
  }
}

void print_while(Printer& out, const OpView& op) {
  out.put(" ");
  print_assignments(out, out.region_args(op, 0), op.operands(0));
  out.put(" : (");
  out.types(op.operands(0));
  out.put(") ");
  out.arrow_results(op, true);
}

void print_strict_vecscope(Printer& out, const OpView& op) {
  out.put("(");
  out.values(op.operands(0));
  out.put(")");
}

void print_constant(Printer& out, const OpView& op) {
  const AttrValue* value = op.attr("value");
  if (value == nullptr) return;
  out.put(" ");
  out.attr_value(*value, nullptr);
  if (value->kind == AttrValue::Kind::raw) {
    out.put(" : ");
    out.type(op.result(0));
  }
}

void print_select(Printer& out, const OpView& op) {
  out.put(" ");
  out.value(op.operand(0));
  out.put(", ");
  out.value(op.operand(1));
  out.put(", ");
  out.value(op.operand(2));
  out.put(" : ");
  out.type(op.result(0));
}

void print_types(Printer& out, const OpView& op) {
  out.put(" : ");
  out.type(op.operand(0));
  out.put(" ");
  out.arrow_results(op);
}

void print_partition_view(Printer& out, const OpView& op) {
  out.put(" ");
  out.value(op.operand(0));
  out.put(", offsets = [");
  out.values(op.operands(1));
  out.put("], sizes = [");
  out.values(op.operands(2));
  out.put("]");
  out.dictionary(op);
  print_types(out, op);
}

void print_subview(Printer& out, const OpView& op) {
  out.put(" ");
  out.value(op.operand(0));
  out.put("[");
  out.values(op.operands(1));
  out.put("] sizes ");
  if (const AttrValue* sizes = op.attr("sizes")) out.attr_value(*sizes, nullptr);
  if (!op.operands(2).empty()) {
    out.put(" valid [");
    out.value(op.operand(2));
    if (!op.operands(3).empty()) {
      out.put(", ");
      out.value(op.operand(3));
    }
    out.put("]");
  }
  out.dictionary(op, {"sizes"});
  print_types(out, op);
}

void print_mode(Printer& out, const OpView& op) { out.dictionary(op); }

/// One attribute by value.
void print_attr(Printer& out, const OpView& op, std::string_view name) {
  const isa::Schema& schema = isa::schema(op.op().row);
  const int index = schema.attr_index(name);
  if (const AttrValue* value = op.attr(name)) out.attr_value(*value, &schema.attrs[static_cast<size_t>(index)]);
}

void print_get_buf(Printer& out, const OpView& op) {
  out.put(" \"");
  const isa::Schema& schema = isa::schema(op.op().row);
  if (const AttrValue* type = op.attr("op_type")) {
    const isa::AttrSpec& spec = schema.attrs[static_cast<size_t>(schema.attr_index("op_type"))];
    if (spec.domain != nullptr) out.put(isa::case_name(*spec.domain, type->integer));
    else out.put(out.text(type->text));
  }
  out.put("\", ");
  print_attr(out, op, "buf_id");
  if (op.attr("mode") != nullptr) {
    out.put(", ");
    print_attr(out, op, "mode");
  }
  out.dictionary(op, {"op_type", "buf_id", "mode"});
}

void print_sync(Printer& out, const OpView& op) {
  out.put(" ");
  print_attr(out, op, "pipe");
  out.put(", ");
  if (op.operand(0) != kNoValue) out.value(op.operand(0));
  else print_attr(out, op, "event_id");
  out.dictionary(op, {"pipe", "event_id"});
}

void print_arrow(Printer& out, const OpView& op) {
  if (op.op().n_results == 0) return;
  out.put(" ");
  out.arrow_results(op);
}

void print_initialize_pipe(Printer& out, const OpView& op) {
  out.dictionary(op);
  const isa::Schema& schema = isa::schema(op.op().row);
  out.put(" (");
  bool any = false;
  for (size_t i = 0; i < schema.operands.size(); ++i) {
    const ValueId value = op.operand(static_cast<unsigned>(i));
    if (value == kNoValue) continue;
    out.put(fmt::format("{}{} = ", any ? ", " : "", schema.operands[i].name));
    any = true;
    out.value(value);
    out.put(" : ");
    out.type(value);
  }
  out.put(")");
  print_arrow(out, op);
}

void print_typed_operands(Printer& out, const OpView& op) {
  std::vector<ValueId> all;
  const isa::Schema& schema = isa::schema(op.op().row);
  for (size_t i = 0; i < schema.operands.size(); ++i) {
    for (const ValueId v : op.operands(static_cast<unsigned>(i))) all.push_back(v);
  }
  if (all.empty()) return;
  out.put("(");
  out.values(all);
  out.put(" : ");
  out.types(all);
  out.put(")");
}

void print_initialize_l2_pipe(Printer& out, const OpView& op) {
  out.dictionary(op);
  out.put(" ");
  print_typed_operands(out, op);
  print_arrow(out, op);
}

// ---- mte_l0c_* ----

struct ClausePrinter {
  Printer& out;
  const OpView& op;

  [[nodiscard]] ValueId operand(std::string_view name) const {
    const std::span<const ValueId> slot = out.slot(op, name);
    return slot.empty() ? kNoValue : slot.front();
  }
  void one(std::string_view name) const { out.value(operand(name)); }
  [[nodiscard]] bool has(std::string_view attr) const { return op.attr(attr) != nullptr; }
  [[nodiscard]] int64_t number(std::string_view attr) const { return op.attr(attr)->integer; }

  void layout() const {
    static constexpr std::string_view kWords[] = {"nz2nd", "nz2dn", "nz2nz"};
    const int64_t mode = number("mode");
    out.put(fmt::format(", {}", kWords[mode >= 0 && mode < 3 ? mode : 0]));
    const ValueId extra = operand(mode == 1 ? "loop0_src_stride" : "split");
    if (mode == 0 || extra == kNoValue) return;
    out.put("(");
    out.value(extra);
    out.put(")");
  }
  void quant() const {
    out.put(", pre_quant(");
    one("pre_quant");
    out.put(", mode = ");
    print_attr(out, op, "pre_quant_mode");
    out.put(")");
  }
  void relu() const {
    out.put(", pre_relu(");
    if (operand("pre_relu") != kNoValue) {
      one("pre_relu");
      out.put(", ");
    }
    out.put("mode = ");
    print_attr(out, op, "pre_relu_mode");
    if (operand("clip_value") != kNoValue) {
      out.put(", clip = ");
      one("clip_value");
    }
    out.put(")");
  }
  void clauses() const {
    if (has("dst_mode")) {
      out.put(", dst_mode(");
      if (operand("sub_blockid") != kNoValue) one("sub_blockid");
      else print_attr(out, op, "dst_mode");
      out.put(")");
    }
    if (has("unit_flag")) {
      out.put(", unit_flag(");
      print_attr(out, op, "unit_flag");
      out.put(")");
    }
    if (has("pre_quant_mode")) quant();
    if (has("pre_relu_mode")) relu();
    if (has("mode")) layout();
    if (operand("loop3_count") != kNoValue) {
      out.put(", loop3(");
      one("loop3_count");
      out.put(", ");
      one("loop3_src_stride");
      out.put(", ");
      one("loop3_dst_stride");
      out.put(")");
    }
    if (has("sat_mode")) out.put(number("sat_mode") == 0 ? ", sat" : number("sat_mode") == 1 ? ", nosat" : ", sat(preserve_nan)");
    if (has("atomic_type")) {
      out.put(", atomic(type = ");
      print_attr(out, op, "atomic_type");
      out.put(", op = ");
      print_attr(out, op, "atomic_op");
      out.put(")");
    }
  }
};

void print_mte_l0c(Printer& out, const OpView& op) {
  std::vector<ValueId> positional, typed;
  for (const std::string_view name : {"source", "destination", "m", "n", "src_stride", "dst_stride", "sid", "l2_cache_ctrl"}) {
    for (const ValueId v : out.slot(op, name)) positional.push_back(v);
  }
  out.put(" ");
  out.values(positional);
  ClausePrinter{out, op}.clauses();
  out.dictionary(op, {"dst_mode", "unit_flag", "pre_quant_mode", "pre_relu_mode", "mode", "sat_mode", "atomic_type", "atomic_op"});
  typed = positional;
  for (const std::string_view name : {"sub_blockid", "pre_quant", "pre_relu", "clip_value", "split", "loop0_src_stride", "loop3_count",
                                      "loop3_src_stride", "loop3_dst_stride"}) {
    for (const ValueId v : out.slot(op, name)) typed.push_back(v);
  }
  out.put(" : ");
  out.types(typed);
}

}  // namespace

PrintHook find_print_hook(const isa::Row& row) {
  static const std::unordered_map<std::string_view, PrintHook> hooks = {
      {"module", print_module},
      {"func", print_function},
      {"call", print_call},
      {"for", print_for},
      {"if", print_if},
      {"while", print_while},
      {"strict_vecscope", print_strict_vecscope},
      {"constant", print_constant},
      {"select", print_select},
      {"partition_view", print_partition_view},
      {"subview", print_subview},
      {"mode", print_mode},
      {"get_buf", print_get_buf},
      {"sync", print_sync},
      {"initialize_pipe", print_initialize_pipe},
      {"initialize_l2_pipe", print_initialize_l2_pipe},
      {"mte_l0c", print_mte_l0c},
      {"reinterpret_cast", print_reinterpret_cast},
      {"memref_subview", print_memref_subview},
      {"expand_shape", print_expand_shape},
      {"llvm_extractvalue", print_extractvalue},
      {"llvm_getelementptr", print_getelementptr},
      {"vector_extract", print_vector_extract},
      {"vector_insert", print_vector_insert},
      {"br", print_br},
      {"cond_br", print_cond_br},
      {"execute_region", print_execute_region},
      {"index_switch", print_index_switch},
  };
  if (!row.syntax.starts_with("@custom:")) return nullptr;
  const auto found = hooks.find(row.syntax.substr(8));
  return found == hooks.end() ? nullptr : found->second;
}

}  // namespace pto::text
