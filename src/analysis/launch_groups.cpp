#include "analysis/launch_groups.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "analysis/tile_queues.hpp"

namespace pto {
namespace {

using Kind = FunctionInfo::Kind;

/// "x" of "x_aic".
std::string_view stem_of(std::string_view name) {
  for (const std::string_view ending : {"_mix_aic", "_mix_aiv", "_aic", "_aiv", ".cube", ".vector"}) {
    if (name.ends_with(ending) && name.size() > ending.size())
      return name.substr(0, name.size() - ending.size());
  }
  return name;
}

/// Cube functions first, vector functions last.
LaunchedFunctions in_order(std::vector<uint32_t> members, const Functions& functions) {
  std::ranges::stable_sort(members, {}, [&](uint32_t function) {
    const Kind kind = functions[function].info.kind;
    return kind == Kind::cube ? 0 : kind == Kind::vector ? 2 : 1;
  });
  return {functions[members.front()].info.name, std::move(members)};
}

class Finder {
 public:
  Finder(const Program& program, const Functions& functions, const CallGraph& calls)
      : program_(program), functions_(functions) {
    std::vector<bool> called(functions.all().size(), false);
    for (const Call& call : calls.calls())
      called[call.callee] = called[call.callee] || call.caller != call.callee;
    bool marked = false;
    for (const Function& function : functions.all())
      marked = marked || (function.info.entry && !function.info.declaration);
    for (uint32_t i = 0; i < functions.all().size(); ++i) {
      const FunctionInfo& info = functions[i].info;
      if (info.declaration || (called[i] && !info.entry)) continue;
      if (!marked || info.entry) roots_.push_back(i);
    }
    if (roots_.empty()) {  // every function is called: recursion
      for (uint32_t i = 0; i < functions.all().size(); ++i) {
        if (!functions[i].info.declaration) roots_.push_back(i);
      }
    }
    if (has_queues(program)) find_queues();
  }

  std::vector<LaunchedFunctions> all() {
    std::vector<LaunchedFunctions> found;
    std::vector<bool> taken(functions_.all().size(), false);
    for (const uint32_t root : roots_) {
      if (taken[root]) continue;
      LaunchedFunctions launch{info(root).name, {root}};
      for (const uint32_t other : roots_) {
        if (taken[other] || other == root || !belongs(launch, other)) continue;
        launch.by_marks = !related(root, other);
        launch.functions.push_back(other);
      }
      for (const uint32_t function : launch.functions) taken[function] = true;
      found.push_back(in_order(std::move(launch.functions), functions_));
      found.back().by_marks = launch.by_marks;
    }
    return found;
  }

 private:
  [[nodiscard]] const FunctionInfo& info(uint32_t function) const { return functions_[function].info; }

  [[nodiscard]] bool related(uint32_t one, uint32_t other) const {
    return stem_of(info(one).name) == stem_of(info(other).name) || joined_.contains({one, other});
  }

  /// One of each kind; a second definition of the same kind and name is for others to report.
  [[nodiscard]] bool belongs(const LaunchedFunctions& launch, uint32_t other) const {
    return std::ranges::any_of(launch.functions, [&](uint32_t one) {
      if (info(one).name == info(other).name) return true;
      const Kind a = info(one).kind, b = info(other).kind;
      if (a == Kind::unknown || b == Kind::unknown || a == b || launch.functions.size() > 1) return false;
      return related(one, other) || (roots_.size() == 2 && info(one).entry && info(other).entry);
    });
  }

  void find_queues() {
    const QueueFacts queues(program_);
    for (const auto& [group, members] : queues.groups) {
      for (const size_t a : members) {
        for (const size_t b : members)
          joined_.emplace(queues.functions.index_of(*queues.ends[a].function),
                          queues.functions.index_of(*queues.ends[b].function));
      }
    }
  }

  const Program& program_;
  const Functions& functions_;
  std::vector<uint32_t> roots_;
  std::set<std::pair<uint32_t, uint32_t>> joined_;  ///< functions with the two ends of a queue
};

std::string list(std::string text, const std::set<std::string_view>& names) {
  for (const std::string_view name : names) text += (text.empty() ? "@" : " @") + std::string(name);
  return text;
}

}  // namespace

std::vector<LaunchedFunctions> launches(const Program& program, const Functions& functions,
                                        const CallGraph& calls) {
  return Finder(program, functions, calls).all();
}

Result<LaunchedFunctions> find_launch(const Program& program, const Functions& functions,
                                      const CallGraph& calls, std::string_view name) {
  const std::vector<LaunchedFunctions> all = launches(program, functions, calls);
  const std::string_view first = name.substr(0, name.find(','));
  std::set<std::string_view> kernels;
  for (const LaunchedFunctions& launch : all) {
    kernels.insert(launch.name);
    const bool meant = std::ranges::any_of(launch.functions, [&](uint32_t function) {
      const std::string_view own = functions[function].info.name;
      return own == first || (launch.functions.size() > 1 && stem_of(own) == first);
    });
    if (!name.empty() && meant) return launch;
  }
  if (!name.empty()) {
    std::vector<uint32_t> named;
    std::set<std::string_view> defined;
    for (uint32_t i = 0; i < functions.all().size(); ++i) {
      const FunctionInfo& info = functions[i].info;
      if (info.declaration) continue;
      defined.insert(info.name);
      if (info.name == first) named.push_back(i);
    }
    if (!named.empty()) return in_order(std::move(named), functions);
    return Error{"no function @" + std::string(first) + "; " + list("the program defines", defined)};
  }
  if (all.size() == 1) return all.front();
  if (all.empty()) return Error{"the program defines no function"};
  return Error{"the program has several kernels; name one as entry: " + list("", kernels)};
}

}  // namespace pto
