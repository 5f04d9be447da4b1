#include "ir/symbol_table.hpp"

#include <algorithm>
#include <array>

#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto {

Functions::Functions(const Program& program) : program_(program) {
  find_functions();
  index_names();
}

void Functions::find_functions() {
  static const RowId module = isa::id_of(isa::OpcodeClass::module);
  EnclosingOps modules(program_);
  uint32_t at = 0;
  for (const FunctionInfo& info : functions(program_)) {
    for (; at < info.op; at = program_.ops[at].row == module ? at + 1 : program_.end_of(at)) {
      if (program_.ops[at].row != module) continue;
      modules.advance_to(at);
      if (modules.innermost() != kNoOp) parents_.emplace(at, modules.innermost());
      modules.enter(at);
    }
    modules.advance_to(info.op);
    all_.push_back({info, modules.innermost() == kNoOp ? 0 : modules.innermost(), program_.end_of(info.op)});
  }
}

void Functions::index_names() {
  own_.resize(all_.size());
  first_.reserve(all_.size());
  for (uint32_t i = 0; i < all_.size(); ++i) {
    own_[i] = i;
    const auto [at, fresh] = first_.emplace(all_[i].info.name, i);
    if (fresh) continue;
    if (!shared_.contains(all_[i].info.name)) share(at->second);
    share(i);
  }
}

void Functions::share(uint32_t index) {
  const Function& function = all_[index];
  Shared& shared = shared_[function.info.name];
  const bool declaration = function.info.declaration;
  (declaration ? shared.declarations : shared.definitions).push_back(index);
  (declaration ? shared.declared_in : shared.defined_in)[function.module].push_back(index);
}

const Function* Functions::enclosing_function(uint32_t op) const {
  const auto after = std::ranges::upper_bound(all_, op, {}, [](const Function& f) { return f.info.op; });
  if (after == all_.begin()) return nullptr;
  const Function& before = *(after - 1);
  return op < before.end ? &before : nullptr;
}

std::span<const uint32_t> Functions::named(std::string_view name, uint32_t module) const {
  const auto first = first_.find(name);
  if (first == first_.end()) return {};
  const auto found = shared_.find(name);
  if (found == shared_.end()) return std::span(own_).subspan(first->second, 1);
  const Shared& shared = found->second;
  const auto& places = shared.definitions.empty() ? shared.declared_in : shared.defined_in;
  for (auto around = module;;) {
    if (const auto here = places.find(around); here != places.end()) return here->second;
    const auto parent = parents_.find(around);
    if (parent == parents_.end())
      return shared.definitions.empty() ? shared.declarations : shared.definitions;
    around = parent->second;
  }
}

std::span<const uint32_t> Functions::called(const OpView& call, const Function& from) const {
  const AttrValue* callee = call.attr("callee");
  return callee == nullptr ? std::span<const uint32_t>() : named(program_.strings[callee->text], from.module);
}

const Function* Functions::find(std::string_view name, const Function& from) const {
  const std::span<const uint32_t> meant = named(name, from.module);
  return meant.empty() ? nullptr : &all_[meant.front()];
}

bool Functions::ambiguous(std::span<const uint32_t> meant) const {
  std::array<uint32_t, 3> of_kind{};
  for (const uint32_t index : meant) {
    const Function& function = all_[index];
    if (!function.info.declaration && ++of_kind[static_cast<size_t>(function.info.kind)] > 1) return true;
  }
  return false;
}

std::vector<std::string_view> Functions::names() const {
  std::vector<std::string_view> list;
  for (const Function& function : all_) list.push_back(function.info.name);
  return list;
}

}  // namespace pto
