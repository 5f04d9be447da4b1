#include "asm/rules.hpp"

namespace pto::text {

namespace {

constexpr Rule kRules[] = {
    {"E0100", "empty program", "The file holds no operation: nothing would be assembled.", "// only a comment", "write at least one func.func"},
    {"E0101", "syntax", "The text does not have the shape that this place of the operation requires.",
     "pto.vadd %a %b, %m : ..", "put in what the message names; --list-instructions shows the syntax of every instruction"},
    {"E0102", "open string", "A string must end on the line it begins on.", "pto.set_flag[\"PIPE_V, ..]", "add the closing quote"},
    {"E0103", "open bracket or region", "A bracket, '<' or region has no end, or a '}' has no beginning.", "func.func @f() { return",
     "add the missing bracket; the note says where it was opened"},
    {"E0104", "nesting", "Brackets within one operation are nested more than 200 deep.", "((((..", "this is almost certainly not intended"},
    {"E0105", "not UTF-8", "Strings are UTF-8 without zero bytes.", "{name = \"\\xff\"}", "store the file as UTF-8"},
    {"E0106", "number out of range", "A number does not fit its type, or 64 bits.", "arith.constant 300 : i8",
     "use a wider type or a smaller number"},
    {"E0107", "bad type", "The spelling of a type is wrong.", "!pto.tile_buf<vec, 16xf32>", "see docs/language.md, section Types"},
    {"E0108", "bad attribute value", "An attribute has a value of the wrong kind, or is given twice.", "{slot_size = \"large\"}",
     "give the kind that --list-instructions names"},
    {"E0110", "not supported yet", "The instruction, type or construct is known, but this version does not implement it.",
     "pto.tset_quant_scalar %s : f32", "--list-instructions --unsupported lists them all; exit code 3"},
    {"E0111", "unknown instruction", "No instruction has this name.", "pto.tad ins(..) outs(..)", "correct the spelling"},
    {"E0112", "undefined value", "A value is used that is not defined, not defined yet, or defined in a region that has ended.",
     "pto.trap\n%x = arith.addi %y, %y : i32", "define it before; values of a region leave it through scf.yield"},
    {"E0113", "redefinition", "A name is given twice in one region.", "%a = arith.constant 1 : i32\n%a = arith.constant 2 : i32",
     "rename one of them"},
    {"E0114", "unknown function", "A call names a function that the file does not have.", "func.call @helpr() : () -> ()",
     "correct the name or add the function"},
    {"E0115", "type mismatch", "The type written beside an operand is not the type of the value.",
     "%c = arith.constant 1 : i32\n%d = arith.addi %c, %c : i64", "write the value's own type or convert the value"},
    {"E0116", "operand count", "There are too many or too few operands or types.", "pto.tadd ins(%a : T) outs(%d : T)",
     "the message names the operands"},
    {"E0118", "unknown clause", "A keyword is not a clause of this instruction.", "pto.mte_ub_gm %s, %d, %n nbrst(%a, %b, %c) : ..",
     "use one of the clauses in the message"},
    {"E0119", "result count", "The left side names more or fewer results than the operation has.", "%a, %b = arith.constant 1 : i32",
     "name every result"},
    {"E0120", "region count", "An operation lacks its region or has one too many.", "scf.if %c", "write the region in braces"},
    {"E0122", "character", "Outside of strings and comments programs are ASCII. Documents and input methods like to put look-alikes in.",
     "pto.tadd ins(\xef\xbc\x85" "a, %b : T, T) outs(%c : T)", "type the character that the message names"},
    {"E0123", "bad number", "A number runs into letters.", "arith.constant 0xZZ : index", "write 32, -1, 1.5e+01 or 0x1F; the type stands behind ':'"},
    {"E0124", "not a text file", "The file is not program text: an object, another program, UTF-16 or binary data.", "pto-as kernel.bin",
     "give the .pto file; pto-dis and pto-sim read objects"},
    {"E0125", "unknown target", "pto.target_arch names no target.", "module attributes {pto.target_arch = \"a7\"} {}", "write a2, a3, a2a3, a5 or cpu"},
    {"E0126", "function defined twice", "Two functions of a module have the same name.", "func.func @f() { return }\nfunc.func @f() { return }", "rename one of them"},
    {"E0180", "operation size", "One operation has more than 4194304 values, types and separators; memory would grow to many times the text.",
     "pto.x ,,,,..", "split the operation; this is almost certainly not intended"},
    {"E0121", "unknown enumeration value", "A keyword is not a value of the attribute.", "{rmode = #pto<round_mode CAST_UP>}",
     "use one of the values in the message"},
    {"E0150", "field of a struct", "llvm.extractvalue names a field that the type does not have.", "llvm.extractvalue %s[2] : !llvm.struct<(i32, i64)>",
     "count the fields from 0"},
    {"E0151", "arguments of a generic region", "The label of the first region does not list what the operation hands in.",
     "\"scf.for\"(%a, %b, %c) ({ ^bb0(%i: index, %x: f32): .. }) : ..", "give the loop variable and one argument per initial value; func.func those of function_type"},
    {"E0152", "dynamic entries", "In the generic form, static_offsets and the like hold a marker for every value that the list has.",
     "\"memref.subview\"(%m, %i) <{static_offsets = array<i64: 0, 0>, ..}> : ..", "write -9223372036854775808 where a value stands"},
    {"W0101", "target overridden", "The command line names another target than the module.", "pto-as --target a3 with pto.target_arch = \"a5\"",
     "leave --target out, or change the module"},
};

}  // namespace

std::span<const Rule> assembler_rules() { return kRules; }

}  // namespace pto::text
