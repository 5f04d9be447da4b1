#include "cases/argument_binding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "cases/dtype.hpp"
#include "pto/diagnostic.hpp"

namespace pto::report {
namespace {

/// The kernel's parameters; none for a declaration.
std::vector<ValueId> parameters(const Program& program, const FunctionInfo& entry) {
  const Op& op = program.ops[entry.op];
  if (op.n_regions == 0) return {};
  const Region& body = program.regions[op.regions];
  std::vector<ValueId> all(body.n_args);
  for (uint32_t i = 0; i < body.n_args; ++i) all[i] = body.first_arg + i;
  return all;
}

using Positions = std::unordered_map<std::string_view, size_t>;

Positions positions_of(const Case& the_case) {
  Positions at;
  for (size_t i = 0; i < the_case.args.size(); ++i) {
    if (!the_case.args[i].name.empty()) at.emplace(the_case.args[i].name, i);
  }
  return at;
}

std::string quoted(const std::vector<std::string_view>& names) {
  return fmt::format("'{}'", fmt::join(names, "', '"));
}

Error unknown_name(const CaseArg& arg, const std::vector<std::string_view>& names,
                   const FunctionInfo& entry) {
  const std::string_view meant = nearest(arg.name, names);
  return Error{fmt::format("--arg {}: @{} has no parameter of that name{}", arg.name, entry.name,
                           meant.empty() ? fmt::format("; it has {}", quoted(names))
                                         : fmt::format(", did you mean '{}'?", meant))};
}

/// Formats that NumPy has no type for: files hold them as words, and so may a case.
bool held_as_words(Elem elem) {
  switch (elem) {
    case Elem::bf16:
    case Elem::f8e4m3:
    case Elem::f8e5m2:
    case Elem::f8e8m0:
    case Elem::hif8:
    case Elem::hif8x2:
    case Elem::f4e1m2x2:
    case Elem::f4e2m1x2:
      return true;
    default:
      return false;
  }
}

/// Bytes of no type: nothing but a .npy file says that u8 elements are numbers.
bool raw_bytes(const CaseArg& arg) { return arg.dtype == Elem::ui8 && !arg.input.ends_with(".npy"); }

/// Whether elements of one format are those of the other without anybody asking for it.
bool stands_for(Elem given, Elem wanted) {
  if (given == wanted || (given == Elem::hif8 && wanted == Elem::hif8x2)) return true;
  return byte_width(given) == byte_width(wanted) && is_integer(given) &&
         (is_integer(wanted) || held_as_words(wanted));
}

Error wrong_type(const CaseArg& arg, size_t position, std::string_view what, const Type& type) {
  const bool same_width = byte_width(arg.dtype) == byte_width(type.elem);
  const std::string who =
      arg.name.empty() ? fmt::format("argument {}", position) : fmt::format("'{}'", arg.name);
  return Error{fmt::format(
      "{}: {} of {} is given, the kernel's parameter is {}: give {}{}", who, what, dtype_name(arg.dtype),
      to_string(type), dtype_of(type.elem),
      same_width ? ", or take the bits as they are (':bits' behind --arg, 'bits = true' in a case file)"
                 : "")};
}

Result<bool> check_scalar(const CaseArg& arg, size_t position, const Type& type) {
  if (is_integer(arg.dtype) && is_integer(type.elem)) {
    if (byte_width(arg.dtype) == byte_width(type.elem) && type.elem != Elem::index) return true;
    const auto fits = bits_of_number(type.elem, *arg.value);
    return fits ? Result<bool>(true) : Error{fmt::format("'{}': {}", arg.name, fits.error().message)};
  }
  const bool asked = arg.bits && byte_width(arg.dtype) == byte_width(type.elem);
  return arg.dtype == type.elem || asked ? Result<bool>(true) : wrong_type(arg, position, "a scalar", type);
}

Result<bool> check_buffer(const CaseArg& arg, size_t position, const Type& type) {
  const bool asked = arg.bits && byte_width(arg.dtype) == byte_width(type.elem);
  return asked || stands_for(arg.dtype, type.elem) || (raw_bytes(arg) && is_integer(type.elem))
             ? Result<bool>(true)
             : wrong_type(arg, position, "a buffer", type);
}

}  // namespace

std::string_view dtype_of(Elem wanted) {
  if (wanted == Elem::index) return "i64";
  if (wanted == Elem::hif8x2) return dtype_name(Elem::hif8);
  if (wanted == Elem::i4) return dtype_name(Elem::i8);
  return dtype_name(parse_dtype(dtype_name(wanted)) ? wanted : signless(wanted));
}

void keep_arguments(Case& the_case, const Program& program, const FunctionInfo& entry) {
  const std::vector<ValueId> params = parameters(program, entry);
  std::erase_if(the_case.args, [&](const CaseArg& arg) {
    return std::ranges::none_of(params, [&](ValueId p) { return program.name_of(p) == arg.name; });
  });
}

Result<bool> order_arguments(Case& the_case, const Program& program, const FunctionInfo& entry) {
  const std::vector<ValueId> params = parameters(program, entry);
  const Positions at = positions_of(the_case);
  std::vector<std::string_view> names, missing;
  std::vector<CaseArg> ordered;
  for (const ValueId param : params) {
    names.push_back(program.name_of(param));
    const auto found = at.find(names.back());
    if (found == at.end())
      missing.push_back(names.back());
    else
      ordered.push_back(the_case.args[found->second]);
  }
  const bool by_name = !ordered.empty();
  const bool too_many = the_case.args.size() > params.size();
  for (const CaseArg& arg : the_case.args) {
    const bool known = std::find(names.begin(), names.end(), arg.name) != names.end();
    if (arg.added && !known && (by_name || too_many)) return unknown_name(arg, names, entry);
  }
  if (the_case.args.empty())
    return true;  // the simulator says what is missing, and first what it does not support
  if (params.size() != the_case.args.size()) {
    const bool reported = !missing.empty() && ordered.size() == the_case.args.size();
    return Error{fmt::format(
        "@{} takes {} argument{}, {} given{}", entry.name, params.size(), params.size() == 1 ? "" : "s",
        the_case.args.size(),
        reported ? fmt::format(": {} {} missing", quoted(missing), missing.size() == 1 ? "is" : "are") : "")};
  }
  if (missing.empty()) the_case.args = std::move(ordered);
  return true;
}

Result<bool> check_types(const Case& the_case, const Program& program, const FunctionInfo& entry) {
  const std::vector<ValueId> params = parameters(program, entry);
  for (size_t i = 0; i < the_case.args.size(); ++i) {
    const CaseArg& arg = the_case.args[i];
    const Type& type = program.type_of(params[i]);
    if (type.elem == Elem::none || !arg.peer.empty() ||
        arg.value.has_value() != (type.kind == TypeKind::scalar))
      continue;  // the simulator tells them apart
    if (auto good = arg.value ? check_scalar(arg, i, type) : check_buffer(arg, i, type); !good) return good;
  }
  return true;
}

}  // namespace pto::report
