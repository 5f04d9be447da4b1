// Which layout every value gets: the one with which the lowered function takes the fewest instructions.
//
// Functions that call each other are lowered together. All clusters of values begin with the same number of
// streams, the best of them; then each cluster tries what else fits it, as long as something gains.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "ir/call_graph.hpp"
#include "ir/nesting_depth.hpp"
#include "ir/regions.hpp"
#include "lower/lowering.hpp"

namespace pto {

namespace {

using namespace lower;

constexpr uint64_t kRefused = uint64_t{1} << 50;
constexpr unsigned kRounds = 3;
constexpr size_t kManyClusters = 48;  ///< of a function; then one round is enough
constexpr unsigned kStreams[] = {1, 2, 4};

class Chooser {
 public:
  explicit Chooser(const Program& program)
      : program_(program), values_(program), layouts_(values_.clusters()) {
    for (uint32_t cluster = 0; cluster < layouts_.size(); ++cluster) {
      candidates_.push_back(candidates(cluster));
      layouts_[cluster] = candidates_[cluster].front();
    }
  }

  Lowered run(Program& built) {
    Lowered report;
    LoweringTask task;
    for (const std::set<uint32_t>& together : groups()) {
      const std::optional<NotLowered> refusal = choose(together);
      if (refusal)
        report.left.push_back(*refusal);
      else
        task.functions.insert(together.begin(), together.end());
    }
    if (task.functions.empty()) return report;
    task.layouts = layouts_;
    report.changed = true;
    LayoutRequest wanted;
    Program scratch = empty();
    VectorLowering(program_, scratch, values_, task, wanted, nullptr).run();
    built = empty();
    VectorLowering(program_, built, values_, task, wanted, &report).run();
    return report;
  }

 private:
  Program empty() const {
    Program copy = program_;
    copy.ops.clear();
    return copy;
  }

  std::vector<Layout> candidates(uint32_t cluster) const {
    const std::vector<ValueId>& members = values_.members(cluster);
    std::vector<Layout> found;
    const auto take = [&](Layout layout) {
      const bool fits =
          std::ranges::all_of(members, [&](ValueId value) { return layout.fits(values_[value].shape()); });
      if (fits) found.push_back(layout);
    };
    const bool masks_only = std::ranges::all_of(
        members, [&](ValueId value) { return values_[value].kind == Logical::Kind::mask; });
    for (const unsigned streams : kStreams) take({.streams = streams});
    for (const unsigned streams : {2U, 4U, 8U}) take({.streams = streams, .blocks = true});
    if (!masks_only)
      for (const unsigned slots : {kBlocks, 1U})
        for (const unsigned streams : kStreams) take({.streams = streams, .slots = slots});
    if (found.empty()) found.push_back(memory_order(std::max(values_[members[0]].width, 1U)));
    return found;
  }

  /// Functions with logical vectors, by who calls whom.
  std::vector<std::set<uint32_t>> groups() const {
    const Functions functions(program_);
    const CallGraph graph(program_, functions);
    std::vector<uint32_t> parent(functions.all().size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto root = [&](uint32_t index) {
      while (parent[index] != index) index = parent[index];
      return index;
    };
    std::vector<bool> has(parent.size());
    for (uint32_t i = 0; i < parent.size(); ++i)
      for (uint32_t op = functions[i].info.op; op < functions[i].end; ++op)
        has[i] = has[i] || is_vmi(OpView(program_, op));
    for (const Call& call : graph.calls())
      if (has[call.callee]) parent[root(call.caller)] = root(call.callee);
    std::map<uint32_t, std::set<uint32_t>> found;
    for (uint32_t i = 0; i < parent.size(); ++i)
      if (has[i]) found[root(i)].insert(functions[i].info.op);
    std::vector<std::set<uint32_t>> all;
    for (auto& [index, together] : found) all.push_back(std::move(together));
    return all;
  }

  /// The clusters of some functions.
  std::vector<uint32_t> clusters_of(const std::set<uint32_t>& functions) const {
    std::vector<uint32_t> found;
    for (uint32_t cluster = 0; cluster < layouts_.size(); ++cluster) {
      const uint32_t owner = values_.owner(values_.members(cluster)[0]);
      const bool inside = std::ranges::any_of(functions, [&](uint32_t function) {
        return owner >= function && owner < program_.end_of(function);
      });
      if (inside) found.push_back(cluster);
    }
    return found;
  }

  uint64_t cost(const std::set<uint32_t>& functions) {
    const LoweringTask task{functions, layouts_, true};
    LayoutRequest wanted;
    uint64_t count = 0;
    for (const bool again : {false, true}) {
      Program scratch = empty();
      VectorLowering pass(program_, scratch, values_, task, wanted, nullptr);
      pass.run();
      refusal_ = pass.refusal();
      if (refusal_) return kRefused - refusal_->op;  // the further it comes, the better
      if (again) count = pass.cost();
    }
    return count;
  }

  std::optional<NotLowered> choose(const std::set<uint32_t>& functions) {
    const std::vector<uint32_t> clusters = clusters_of(functions);
    uint64_t best = std::numeric_limits<uint64_t>::max();
    std::vector<Layout> kept = layouts_;
    for (const unsigned streams : kStreams) {
      for (const uint32_t cluster : clusters) {
        const auto found = std::ranges::find(candidates_[cluster], Layout{.streams = streams});
        layouts_[cluster] = found == candidates_[cluster].end() ? candidates_[cluster].front() : *found;
      }
      if (const uint64_t now = cost(functions); now < best) {
        best = now;
        kept = layouts_;
      }
    }
    layouts_ = kept;
    const unsigned rounds = clusters.size() > kManyClusters ? 1 : kRounds;
    for (unsigned round = 0; round < rounds; ++round) {
      const uint64_t before = best;
      for (const uint32_t cluster : clusters) {
        Layout chosen = layouts_[cluster];
        for (const Layout& layout : candidates_[cluster]) {
          if (layout == chosen) continue;
          layouts_[cluster] = layout;
          if (const uint64_t now = cost(functions); now < best) {
            best = now;
            chosen = layout;
          }
        }
        layouts_[cluster] = chosen;
      }
      if (best == before) break;
    }
    cost(functions);
    return refusal_;
  }

  const Program& program_;
  Values values_;
  std::vector<Layout> layouts_;
  std::vector<std::vector<Layout>> candidates_;
  std::optional<NotLowered> refusal_;
};

}  // namespace

bool has_logical_vectors(const Program& program) {
  return std::ranges::any_of(program.ops,
                             [](const Op& op) { return isa::row(op.row).layer == isa::Layer::vmi; });
}

namespace {

/// Of a program whose regions are too deep to go through.
std::optional<NotLowered> too_deep(const Program& program) {
  const std::optional<uint32_t> op = nested_deeper(program, kMaxRunDepth);
  if (!op) return std::nullopt;
  const Functions functions(program);
  const Function* function = functions.enclosing_function(*op);
  return NotLowered{*op, program.ops[*op].where,
                    function == nullptr ? std::string() : std::string(function->info.name),
                    fmt::format("structures are nested deeper than {}", kMaxRunDepth)};
}

}  // namespace

Lowered lower_logical_vectors(Program& program) {
  if (!has_logical_vectors(program)) return {};
  if (auto refused = too_deep(program)) {
    Lowered report;
    report.left.push_back(std::move(*refused));
    return report;
  }
  std::string text = std::move(program.source_text);  // it would be copied every time
  program.source_text.clear();
  Program built;
  Lowered report = Chooser(program).run(built);
  if (report.changed) program = std::move(built);
  program.source_text = std::move(text);
  return report;
}

}  // namespace pto
