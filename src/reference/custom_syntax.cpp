// How the rows are written that have a function of their own in src/asm: what their functions read.
#include <algorithm>
#include <iterator>

#include "reference/facts.hpp"

namespace pto::reference {

namespace {

struct Form {
  std::string_view name;   ///< a mnemonic, or the function for all rows that use it
  std::string_view text;
};

constexpr Form kForms[] = {
    {"pto.tload", "pto.tload ins(%src : type(%src)) outs(%dst : type(%dst)) {attributes}"},
    {"pto.tmov", "pto.tmov ins(%src, %fp? : type(%src), type(%fp)?) outs(%dst : type(%dst)) {attributes}"},
    {"pto.tgather", "pto.tgather ins(%src, %indices?, %tmp?, %kValue? {attributes} : types) outs(%dst, %cdst? : types)"},
    {"pto.tmrgsort", "pto.tmrgsort ins(%srcs.., %blockLen? {attributes} : types) outs(%dsts.., %tmp?, %excuted? : types)"},
    {"pto.tsetval", "pto.tsetval ins(%offset, %val : type(%offset), type(%val)) outs(%dst : type(%dst))"},
    {"pto.partition_view", "%result = pto.partition_view %source, offsets = [%offsets..], sizes = [%sizes..] : type(%source) -> type(%result)"},
    {"pto.subview", "%result = pto.subview %source[%offsets..] sizes [sizes] (valid [%valid_row, %valid_col])? : type(%source) -> type(%result)"},
    {"pto.strict_vecscope", "pto.strict_vecscope(%captures..) {\n^bb0(%name: type, ..):\n  ..\n} : (type(%captures..)) -> ()"},
    {"mte_l0c", "%source, %destination, %m, %n, %src_stride, %dst_stride, .. (, clause)* : type(%source), type(%destination), ..\n"
                "clauses: unit_flag(..) pre_quant(%x, mode = ..) pre_relu(..) nz2nd nz2dn(%stride) nz2nz(%split) loop3(..) sat nosat atomic(type = .., op = ..)"},
    {"get_buf", "\"PIPE\", buf_id (, mode)?   or   [op_type, buf_id]"},
    {"sync", "<PIPE>, event_id   or   <PIPE>, %event_id_dyn"},
    {"mode", "{enable = true, mode = #pto.round_mode<CAST_ROUND>}"},
    {"initialize_pipe", "{attributes} (gm_slot_buffer = %x : type, gm_slot_tensor = %x : type, c2v_consumer_buf = %x : i32, v2c_consumer_buf = %x : i32)"},
    {"initialize_l2_pipe", "{attributes} (%addresses.. : types) -> !pto.pipe"},
    {"reserve_buffer", "{attributes} -> i32"},
    {"import_reserved_buffer", "{attributes} -> i32"},
    {"pto.tpop_from_aic", "%tile = pto.tpop_from_aic(%valid_row?, %valid_col?) {attributes} -> type(%tile)"},
    {"pto.tpop_from_aiv", "%tile = pto.tpop_from_aiv(%valid_row?, %valid_col?) {attributes} -> type(%tile)"},
    {"pto.talloc_to_aic", "%entry = pto.talloc_to_aic {attributes} -> type(%entry)"},
    {"pto.talloc_to_aiv", "%entry = pto.talloc_to_aiv {attributes} -> type(%entry)"},
    {"fifo", "(%operands.. : types) {attributes}"},
    {"select", "arith.select %condition, %true_value, %false_value : type(%result)"},
    {"arith.constant", "%result = arith.constant value : type(%result)"},
    {"builtin.module", "module @name? attributes {attributes} { region }"},
    {"func.func", "func.func @name(%argument: type, ..) -> (types) attributes {attributes} { region }"},
    {"func.call", "%results.. = func.call @name(%operands..) : (types) -> (types)"},
    {"scf.for", "%results.. = scf.for %i = %lowerBound to %upperBound step %step iter_args(%x = %initArgs, ..) -> (types) { region }"},
    {"scf.if", "%results.. = scf.if %condition -> (types) { region } else { region }"},
    {"scf.while", "%results.. = scf.while (%x = %inits, ..) : (types) -> types { region } do { region }"},
    {"scf.execute_region", "%results.. = scf.execute_region -> (types) { region }"},
    {"scf.index_switch", "%results.. = scf.index_switch %arg -> types case 0 { region } .. default { region }"},
    {"builtin.block", "^name(%argument: type, ..):"},
    {"cf.br", "cf.br ^name(%destOperands.. : types)"},
    {"cf.cond_br", "cf.cond_br %condition, ^name(%trueDestOperands.. : types), ^name(%falseDestOperands.. : types)"},
    {"pto.subset", "%result = pto.subset %source[%offsets..] sizes [sizes] : type(%source)"},
    {"reinterpret_cast", "%result = memref.reinterpret_cast %source to offset: [..], sizes: [..], strides: [..] : type(%source) to type(%result)"},
    {"memref_subview", "%result = memref.subview %source[offsets][sizes][strides] : type(%source) to type(%result)"},
    {"expand_shape", "%result = memref.expand_shape %src [[groups]] output_shape [sizes] : type(%src) into type(%result)"},
    {"llvm_extractvalue", "%res = llvm.extractvalue %container[position] : type(%container)"},
    {"llvm_getelementptr", "%res = llvm.getelementptr %base[indices] : (types) -> type(%res), elem_type"},
    {"vector_extract", "%result = vector.extract %source[position] : type(%result) from type(%source)"},
    {"vector_insert", "%result = vector.insert %valueToStore, %dest[position] : type(%valueToStore) into type(%dest)"},
};

const Form* form_named(std::string_view name) {
  const auto found = std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& form) { return form.name == name; });
  return found == std::end(kForms) ? nullptr : &*found;
}

}  // namespace

std::string custom_syntax(const isa::Row& row) {
  if (const Form* form = form_named(row.name)) return std::string(form->text);
  const std::string_view function = row.syntax.substr(row.syntax.find(':') + 1);
  const Form* form = form_named(function);
  if (form == nullptr) return "\"" + std::string(row.name) + "\"(%operands..) {attributes} : (types) -> (types)";   // every row has the generic form
  if (form->text.find(row.name) != std::string_view::npos) return std::string(form->text);
  return std::string(row.name) + (form->text.starts_with('(') ? "" : " ") + std::string(form->text);
}

}  // namespace pto::reference
