#include "driver/argument_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "analysis/constant_folding.hpp"
#include "analysis/launch_groups.hpp"
#include "cases/dtype.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "report/naming.hpp"

namespace pto::driver {
namespace {

std::optional<LaunchedFunctions> launch_of(const Program& program, const Functions& functions,
                                           const std::string& entry) {
  auto found = find_launch(program, functions, CallGraph(program, functions), entry);
  if (!found) return std::nullopt;
  return std::move(*found);
}

/// What a view of constant extents and steps looks at, in elements.
struct View {
  uint32_t op = kNoOp;
  std::vector<int64_t> shape, strides;
};

std::optional<View> constant_view(const OpView& op, const Constants& constants) {
  View view{op.index(), {}, {}};
  const auto read_constants = [&](std::span<const ValueId> values, std::vector<int64_t>& out) {
    return std::ranges::all_of(values, [&](ValueId value) {
      const Number number = constants.value_of(value);
      out.push_back(number.value_or(0));
      return number && *number > 0;
    });
  };
  if (!read_constants(op.operands(1), view.shape) || !read_constants(op.operands(2), view.strides) ||
      view.shape.size() != view.strides.size())
    return std::nullopt;
  return view;
}

std::vector<int64_t> without_ones(const std::vector<int64_t>& shape) {
  std::vector<int64_t> out;
  std::ranges::copy_if(shape, std::back_inserter(out), [](int64_t extent) { return extent != 1; });
  return out;
}

int64_t count(const std::vector<int64_t>& shape) {
  int64_t elements = 1;
  for (const int64_t extent : shape)
    if (__builtin_mul_overflow(elements, extent, &elements)) return INT64_MAX;
  return elements;
}

/// One past the furthest element.
int64_t reach(const View& view) {
  int64_t farthest_offset = 1;
  for (size_t d = 0; d < view.shape.size(); ++d) {
    int64_t part = 0;
    if (__builtin_mul_overflow(view.shape[d] - 1, view.strides[d], &part) ||
        __builtin_add_overflow(farthest_offset, part, &farthest_offset))
      return INT64_MAX;
  }
  return farthest_offset;
}

/// Whether the view takes the array for one with rows of another length. Only arrays and views of two
/// dimensions say what their rows are: others are flattened, or put together of boxes.
bool has_other_rows(const View& view, const std::vector<int64_t>& shape) {
  const std::vector<int64_t> array = without_ones(shape);
  std::vector<std::pair<int64_t, int64_t>> dims;  // step, extent
  for (size_t d = 0; d < view.shape.size(); ++d)
    if (view.shape[d] != 1) dims.emplace_back(view.strides[d], view.shape[d]);
  std::ranges::sort(dims);
  if (array.size() != 2 || dims.size() != 2 || dims[0].first != 1) return false;
  const int64_t pitch = dims[1].first;
  const int64_t row = dims[0].second;
  return pitch == row ? pitch != array[1] : pitch % array[1] != 0;
}

std::string text_of(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t extent : shape) text += fmt::format("{}{}", text.empty() ? "" : "x", extent);
  return text.empty() ? "1" : text;
}

/// With its steps where its extents do not tell the two apart.
std::string text_of(const View& view, const std::vector<int64_t>& array) {
  std::string text = text_of(view.shape);
  if (text == text_of(array)) text += fmt::format(" with strides [{}]", fmt::join(view.strides, ", "));
  return text;
}

std::string name_of(const Program& program, const Region& body, size_t i) {
  const std::string_view name = program.name_of(body.first_arg + static_cast<ValueId>(i));
  return name.empty() ? fmt::format("#{}", i) : std::string(name);
}

/// Calls tell(position, view, words) for the first view of each argument that `differs`.
template <typename Differs, typename Tell>
void for_each_view(const Program& program, const std::string& entry,
                   std::span<const std::vector<int64_t>> shapes, Differs differs, Tell tell) {
  if (std::ranges::all_of(shapes, &std::vector<int64_t>::empty)) return;
  const Functions functions(program);
  const std::optional<LaunchedFunctions> launch = launch_of(program, functions, entry);
  if (!launch) return;
  const Constants constants(program);
  std::vector<bool> reported(shapes.size());
  for (const uint32_t index : launch->functions) {
    const uint32_t function = functions[index].info.op;
    if (program.ops[function].n_regions == 0) continue;
    const Region& body = body_of(program, function);
    for (const uint32_t at : descendants(program, function)) {
      const OpView op(program, at);
      if (isa::opcode_class(op) != isa::OpcodeClass::make_view || op.operand(0) < body.first_arg) continue;
      const size_t i = op.operand(0) - body.first_arg;
      if (i >= body.n_args || i >= shapes.size() || shapes[i].empty() || reported[i]) continue;
      const std::optional<View> view = constant_view(op, constants);
      if (!view || !differs(*view, shapes[i])) continue;
      reported[i] = true;
      tell(name_of(program, body, i), at,
           fmt::format("argument {} is {}, the kernel views it as {} (line {})", name_of(program, body, i),
                       text_of(shapes[i]), text_of(*view, shapes[i]), program.ops[at].where.line));
    }
  }
}

}  // namespace

std::vector<Diagnostic> compare_shapes(const Program& program, const std::string& entry,
                                       std::span<const std::vector<int64_t>> shapes) {
  std::vector<Diagnostic> out;
  for_each_view(
      program, entry, shapes, has_other_rows, [&](const std::string&, uint32_t at, std::string words) {
        constexpr FindingId kId = FindingId::shape;
        out.push_back(report::finding(program, kId, at, std::move(words), Severity::warning));
        out.back().help =
            "give the argument the shape that the kernel expects, or use a view with its real shape";
      });
  return out;
}

void explain_bounds(const Program& program, const std::string& entry,
                    std::span<const std::vector<int64_t>> shapes, SimResult& result) {
  const auto leaves = [](const Diagnostic& each) { return each.id == FindingId::bounds; };
  if (std::ranges::none_of(result.findings.all(), leaves)) return;
  const auto larger = [](const View& view, const std::vector<int64_t>& shape) {
    return reach(view) > count(shape);
  };
  for_each_view(program, entry, shapes, larger, [&](const std::string& name, uint32_t at, std::string words) {
    const auto about = std::ranges::find_if(
        result.findings.all(), [&](const Diagnostic& each) { return leaves(each) && each.subject == name; });
    if (about != result.findings.all().end())
      about->notes.push_back(sim::note_at(program, at, std::move(words)));
  });
}

void tell_unwritten(const Prepared& prepared, const std::string& entry, uint32_t blocks,
                    std::span<const Argument> arguments, const std::vector<ExpectedWrites>& expected,
                    SimResult& result) {
  if (!result.ended || result.findings.errors() != 0 || result.written_bytes.size() != arguments.size())
    return;
  const Program& program = prepared.program;
  const Functions functions(program);
  const std::optional<LaunchedFunctions> launch = launch_of(program, functions, entry);
  if (!launch) return;
  const uint32_t function = functions[launch->functions.front()].info.op;
  if (program.ops[function].n_regions == 0) return;
  const Region& body = body_of(program, function);
  for (size_t i = 0; i < arguments.size() && i < body.n_args; ++i) {
    const uint64_t written = result.written_bytes[i];
    const uint64_t all = arguments[i].data().size();
    const bool nothing = written == 0;
    if (i >= expected.size() || !(nothing ? expected[i].some : expected[i].whole) ||
        !arguments[i].is_buffer || arguments[i].room != 0 || written >= all)
      continue;
    const Elem elem = program.type_of(body.first_arg + static_cast<ValueId>(i)).elem;
    const uint64_t width = std::max<uint64_t>(elem == Elem::none ? 1 : byte_width(elem), 1);
    constexpr FindingId kId = FindingId::unwritten;
    const std::string name = name_of(program, body, i);
    const std::string elements = report::grouped(all / width);
    Diagnostic built = report::finding(
        program, kId, kNoOp,
        nothing ? fmt::format("{}: 0 of {} elements were written (blocks={})", name, elements, blocks)
                : fmt::format("{}: {} of {} elements were never written (blocks={})", name,
                              report::grouped((all - written) / width), elements, blocks),
        Severity::warning);
    built.help =
        nothing
            ? "check the branches and loop bounds around the stores to it; all its bytes are uninitialised"
            : "launch as many blocks as the kernel divides its work into; bytes that are not written keep "
              "their values";
    result.findings.add(std::move(built));
  }
}

}  // namespace pto::driver
