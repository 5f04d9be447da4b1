#include "analysis/argument_inference.hpp"

#include <algorithm>
#include <array>

#include "analysis/argument_use.hpp"
#include "ir/nesting_depth.hpp"

namespace pto::driver {
namespace {

enum class Use : uint8_t { awaited, ends, divisor, offset, bound, extent, compared, other };

constexpr size_t kMaxPasses = 12;

constexpr std::array<std::string_view, 8> kWords = {
    "awaited", "condition of a loop", "step or divisor", "offset", "loop bound", "extent", kCompared, ""};

Use use_of(const ValueDemand& demand) {
  if (demand.awaited) return Use::awaited;
  if (demand.ends) return Use::ends;
  if (demand.one) return Use::divisor;
  if (demand.index && !demand.trips && !demand.full) return Use::offset;
  if (demand.trips) return Use::bound;
  if (demand.full) return Use::extent;
  return demand.compared ? Use::compared : Use::other;
}

int64_t wanted(const ValueDemand& demand, Use use) {
  switch (use) {
    case Use::awaited:
      return *demand.awaited;
    case Use::ends:
      return 0;
    case Use::divisor:
      return 1;
    case Use::offset:
      return 0;
    case Use::bound:
      return *demand.trips;
    case Use::extent:
      return *demand.full;
    case Use::compared:
      return *demand.compared;
    case Use::other:
      return 1;
  }
  return 1;
}

/// Within what the element holds, and small enough that sums with it stay far from the ends of their types.
int64_t fitted(int64_t number, const Type& type) {
  const unsigned bits = type.elem == Elem::i1 ? 1u : std::min(bit_width(type.elem), 31u);
  const int64_t high = bits <= 1 ? 1 : (int64_t{1} << (bits - 1)) - 1;
  return std::clamp<int64_t>(number, 0, high);
}

uint64_t bytes_of(const std::vector<int64_t>& shape, Elem elem) {
  uint64_t bytes = byte_width(elem);
  for (const int64_t size : shape) bytes *= static_cast<uint64_t>(size);
  return bytes;
}

class ArgumentInference {
 public:
  ArgumentInference(const Program& program, const Functions& functions, std::vector<const Function*> kernels,
                    size_t parameters, int64_t trips)
      : program_(program),
        kernels_(std::move(kernels)),
        count_(parameters),
        walk_(program, functions, parameters, trips),
        why_(2 * parameters) {}

  /// Numbers of one use after the other, as each may show more about the next. False: with these numbers of
  /// turns the kernel leaves its views.
  bool decide() {
    for (size_t pass = 0; pass < kMaxPasses; ++pass) {
      walk();
      if (!decide_next()) break;
    }
    walk();
    return !walk_.leaves_views();
  }

  [[nodiscard]] std::vector<InferredArgument> chosen() const {
    std::vector<InferredArgument> all;
    for (uint32_t i = 0; i < count_; ++i) all.push_back(chosen(i));
    return all;
  }

 private:
  void walk() {
    walk_.forget_uses();
    if (nested_deeper(program_, kMaxRunDepth)) return;  // it cannot be run
    for (const Function* kernel : kernels_) walk_.walk(*kernel);
  }

  /// Of all sources that are used and open, those of the first kind of use.
  bool decide_next() {
    std::optional<Use> first;
    for (uint32_t source = 0; source < 2 * count_; ++source) {
      if (!is_open(source)) continue;
      const Use use = use_of(walk_.demand(source));
      first = first ? std::min(*first, use) : use;
    }
    if (!first) return false;
    for (uint32_t source = 0; source < 2 * count_; ++source) {
      if (is_open(source) && use_of(walk_.demand(source)) == *first) decide(source, *first);
    }
    return true;
  }

  [[nodiscard]] bool is_open(uint32_t source) const {
    return walk_.demand(source).seen && !walk_.is_bound(source);
  }

  void decide(uint32_t source, Use use) {
    const ValueDemand& demand = walk_.demand(source);
    int64_t number = wanted(demand, use);
    if (demand.most) number = std::min(number, std::max<int64_t>(*demand.most, 0));
    if (demand.floor) number = std::max(number, *demand.floor);
    walk_.bind_source(source, fitted(number, type_of(source % static_cast<uint32_t>(count_))));
    why_[source] = kWords[static_cast<size_t>(use)];
  }

  [[nodiscard]] ValueId parameter(uint32_t index) const {
    return body_of(program_, kernels_.front()->info.op).first_arg + index;
  }
  [[nodiscard]] const Type& type_of(uint32_t index) const { return program_.type_of(parameter(index)); }

  [[nodiscard]] InferredArgument chosen(uint32_t index) const {
    InferredArgument built;
    built.name = program_.name_of(parameter(index));
    built.type = &type_of(index);
    built.buffer = built.type->kind != TypeKind::scalar;
    const uint32_t source = built.buffer ? static_cast<uint32_t>(count_) + index : index;
    built.value = walk_.bound_value(source);
    built.why = why_[source];
    if (!built.buffer) {
      if (!built.value) built.value = 1;
      return built;
    }
    const Extent& extent = walk_.extents()[index];
    built.bytes = std::max(extent.bytes, extent.view_bytes);
    if (built.bytes == extent.view_bytes && bytes_of(extent.shape, built.type->elem) == built.bytes)
      built.shape = extent.shape;
    return built;
  }

  const Program& program_;
  std::vector<const Function*> kernels_;
  size_t count_;
  ArgumentUseAnalysis walk_;
  std::vector<std::string_view> why_;
};

}  // namespace

std::vector<InferredArgument> infer_arguments(const Program& program, const Functions& functions,
                                              const LaunchedFunctions& launch) {
  std::vector<const Function*> kernels;
  for (const uint32_t function : launch.functions) {
    const FunctionInfo& info = functions[function].info;
    if (!info.declaration && program.ops[info.op].n_regions != 0) kernels.push_back(&functions[function]);
  }
  if (kernels.empty()) return {};
  const size_t parameters = body_of(program, kernels.front()->info.op).n_args;
  for (const int64_t trips : {4, 2}) {
    ArgumentInference chooser(program, functions, kernels, parameters, trips);
    if (chooser.decide()) return chooser.chosen();
  }
  ArgumentInference chooser(program, functions, kernels, parameters, 1);
  (void)chooser.decide();
  return chooser.chosen();
}

}  // namespace pto::driver
