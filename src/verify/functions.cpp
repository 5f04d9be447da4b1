#include "verify/functions.hpp"

#include <algorithm>

#include "isa/row.hpp"

namespace pto::legality {

Functions::Functions(const Program& program) : program_(program) {
  const RowId module = isa::id_of(*isa::find_row("builtin.module"));
  std::vector<uint32_t> modules;
  uint32_t at = 0;
  for (const FunctionInfo& info : functions(program)) {
    for (; at < info.op; at = program.ops[at].row == module ? at + 1 : program.end_of(at)) {
      if (program.ops[at].row == module) modules.push_back(at);
    }
    while (!modules.empty() && program.end_of(modules.back()) <= info.op) modules.pop_back();
    all_.push_back({info, modules.empty() ? 0 : modules.back(), program.end_of(info.op)});
  }
}

const Function* Functions::around(uint32_t op) const {
  const auto after = std::ranges::upper_bound(all_, op, {}, [](const Function& f) { return f.info.op; });
  if (after == all_.begin()) return nullptr;
  const Function& before = *(after - 1);
  return op < before.end ? &before : nullptr;
}

const Function* Functions::find(std::string_view name, const Function& from) const {
  const Function* found = nullptr;
  for (const Function& function : all_) {
    if (function.info.name != name) continue;
    if (function.module == from.module && (found == nullptr || !function.info.declaration)) found = &function;
  }
  if (found != nullptr) return found;
  const auto any = std::ranges::find(all_, name, [](const Function& f) { return f.info.name; });
  return any == all_.end() ? nullptr : &*any;
}

std::vector<std::string_view> Functions::names() const {
  std::vector<std::string_view> list;
  for (const Function& function : all_) list.push_back(function.info.name);
  return list;
}

Regions::Regions(const Program& program)
    : program_(program), of_(program.ops.size(), ~0u), owner_(program.regions.size(), ~0u) {
  struct Open {
    uint32_t region, end;
  };
  std::vector<Open> stack;
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    while (!stack.empty() && i >= stack.back().end) stack.pop_back();
    if (!stack.empty()) of_[i] = stack.back().region;
    const Op& op = program.ops[i];
    for (uint32_t k = op.n_regions; k-- > 0;) {
      owner_[op.regions + k] = i;
      stack.push_back({op.regions + k, program.regions[op.regions + k].end});
    }
  }
}

uint32_t Regions::ancestor_in(uint32_t op, uint32_t region) const {
  while (op != ~0u && of_[op] != region) op = of_[op] == ~0u ? ~0u : owner_[of_[op]];
  return op;
}

bool Regions::dominates(uint32_t first, uint32_t second) const {
  return first < second && ancestor_in(second, of_[first]) != ~0u;
}

std::vector<uint32_t> Regions::block(uint32_t region) const {
  std::vector<uint32_t> list;
  const Region& body = program_.regions[region];
  for (uint32_t i = body.begin; i < body.end; i = program_.end_of(i)) list.push_back(i);
  return list;
}

}  // namespace pto::legality
