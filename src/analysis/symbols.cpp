#include "analysis/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pto::driver {
namespace {

using Kind = Unknown::Kind;

std::string written(const Poly& poly) {
  std::string text = poly.known() ? "" : "?";
  for (const auto& [product, factor] : poly.terms()) {
    text += std::to_string(factor);
    for (const uint32_t each : product) text += fmt::format("*{}", each);
    text += '+';
  }
  return text + ';';
}

/// The search for cases.
class Cases {
 public:
  explicit Cases(Unknowns& unknowns) : unknowns_(unknowns) {}

  bool none(const Facts& asked, int depth) {
    if (--left_ < 0) return false;
    Facts facts = asked;
    unknowns_.add_known(facts);
    if (impossible(facts)) return true;
    if (depth == kDeepest) return false;
    const std::set<uint32_t> there = in(facts);
    for (const uint32_t each : there) {
      if (done_.contains(each)) continue;
      const Kind kind = unknowns_[each].kind;
      if (kind != Kind::trip && kind != Kind::quotient) continue;
      for (const uint32_t second : unknowns_.seconds(each)) {
        if (there.contains(second)) return of_three(asked, each, Poly::of(each) - Poly::of(second), depth);
      }
    }
    for (const uint32_t each : there) {
      const Unknown& unknown = unknowns_[each];
      const bool two =
          unknown.kind == Kind::either || unknown.kind == Kind::least || unknown.kind == Kind::greatest;
      if (!two || done_.contains(each)) continue;
      done_.insert(each);
      const std::vector<Poly> both = unknown.of;
      bool good = true;
      for (const Poly& one : both) {
        Facts with = asked;
        with.zero.push_back(Poly::of(each) - one);
        good = good && none(with, depth + 1);
      }
      done_.erase(each);
      return good;
    }
    return false;
  }

 private:
  static constexpr int kDeepest = 6;

  bool of_three(const Facts& asked, uint32_t unknown, const Poly& apart, int depth) {
    done_.insert(unknown);
    Facts same = asked, before = asked, behind = asked;
    same.zero.push_back(apart);
    before.positive.push_back(Poly(-1) - apart);
    behind.positive.push_back(apart - Poly(1));
    const bool good = none(before, depth + 1) && none(behind, depth + 1) && none(same, depth + 1);
    done_.erase(unknown);
    return good;
  }

  static std::set<uint32_t> in(const Facts& facts) {
    std::set<uint32_t> found;
    for (const std::vector<Poly>* list : {&facts.zero, &facts.positive}) {
      for (const Poly& poly : *list) {
        for (const auto& [product, factor] : poly.terms()) found.insert(product.begin(), product.end());
      }
    }
    return found;
  }

  Unknowns& unknowns_;
  std::set<uint32_t> done_;
  int left_ = 150;
};

}  // namespace

Poly Unknowns::make(Unknown unknown) {
  std::string key =
      fmt::format("{}.{}.{}.{}|", static_cast<int>(unknown.kind), unknown.at, unknown.side, unknown.context);
  for (const Poly& each : unknown.of) {
    key += written(each);
    for (const auto& [product, factor] : each.terms()) {
      for (const uint32_t part : product)
        unknown.loops.insert(all_[part].loops.begin(), all_[part].loops.end());
    }
  }
  const auto [at, fresh] = numbers_.emplace(std::move(key), static_cast<uint32_t>(all_.size()));
  if (fresh) all_.push_back(std::move(unknown));
  return Poly::of(at->second);
}

Poly Unknowns::second(const Poly& poly, const Apart& apart) {
  if (!apart.any()) return poly;
  Poly made = poly;
  std::set<uint32_t> parts;
  for (const auto& [product, factor] : poly.terms()) parts.insert(product.begin(), product.end());
  std::vector<std::pair<uint32_t, Poly>> changed;
  for (const uint32_t part : parts) {
    Unknown unknown = all_[part];
    const auto moves = [&] {
      return apart.core ||
             std::ranges::any_of(unknown.loops, [&](uint32_t loop) { return apart.loops.contains(loop); });
    };
    switch (unknown.kind) {
      case Kind::parameter:
      case Kind::blocks:
        continue;
      case Kind::block:
        if (!apart.block) continue;
        unknown.side = 1;
        break;
      case Kind::subblock:
        if (!apart.core) continue;
        unknown.side = 1;
        break;
      case Kind::trip:
      case Kind::other:
      case Kind::either:
        if (!moves()) continue;
        unknown.side = 1;
        break;
      default:
        break;
    }
    bool same = unknown.side == all_[part].side;
    for (Poly& each : unknown.of) {
      Poly its = second(each, apart);
      same = same && its == each;
      each = std::move(its);
    }
    if (same) continue;
    changed.emplace_back(part, make(std::move(unknown)));
    seconds_[part].insert(changed.back().second.terms().begin()->first[0]);
  }
  for (const auto& [part, its] : changed) made = made.with(part, its);
  return made;
}

void Unknowns::add_known(Facts& facts) {
  std::set<uint32_t> seen;
  for (bool more = true; more;) {
    more = false;
    std::set<uint32_t> there;
    for (const std::vector<Poly>* list : {&facts.zero, &facts.positive}) {
      for (const Poly& poly : *list) {
        for (const auto& [product, factor] : poly.terms()) there.insert(product.begin(), product.end());
      }
    }
    for (const uint32_t each : there) {
      if (!seen.insert(each).second) continue;
      more = true;
      add_known(each, facts);
    }
  }
}

void Unknowns::add_known(uint32_t number, Facts& facts) {
  const Unknown unknown = all_[number];
  const Poly it = Poly::of(number);
  const auto holds = [&](const Poly& poly) { facts.positive.push_back(poly); };
  switch (unknown.kind) {
    case Kind::block:
      holds(it);
      return holds(make({.kind = Kind::blocks}) - Poly(1) - it);
    case Kind::blocks:
      return holds(it - Poly(1));
    case Kind::subblock:
      holds(it);
      return holds(Poly(1) - it);
    case Kind::trip:
      holds(it);
      if (unknown.of.size() != 3) return;
      holds(unknown.of[2] - Poly(1));
      return holds(unknown.of[1] - Poly(1) - unknown.of[0] - unknown.of[2] * it);
    case Kind::quotient: {
      const Poly rest = unknown.of[0] - unknown.of[1] * it;
      holds(unknown.of[1] - Poly(1));
      holds(unknown.of[1] - Poly(1) - rest);
      if (unknown.at == 0) return holds(rest + unknown.of[1] - Poly(1));
      holds(rest);
      return holds(it);
    }
    case Kind::least:
      holds(unknown.of[0] - it);
      return holds(unknown.of[1] - it);
    case Kind::greatest:
      holds(it - unknown.of[0]);
      return holds(it - unknown.of[1]);
    case Kind::other:
      if (!unknown.of.empty()) holds(it - unknown.of[0]);
      if (unknown.of.size() > 1) holds(unknown.of[1] - it);
      return;
    default:
      return;
  }
}

bool Unknowns::positive(const Poly& poly, const std::vector<Poly>& conditions) {
  if (const auto number = poly.number()) return *number >= 0;
  Facts facts;
  facts.positive = conditions;
  facts.positive.push_back(Poly(-1) - poly);
  if (!poly.known()) return false;
  add_known(facts);
  return impossible(std::move(facts));
}

bool never(Unknowns& unknowns, const Facts& facts) { return Cases(unknowns).none(facts, 0); }

}  // namespace pto::driver
