#include "sim/cures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "isa/pipes.hpp"
#include "isa/rebuild.hpp"
#include "isa/row.hpp"
#include "isa/words.hpp"
#include "sim/describe.hpp"
#include "sim/places.hpp"

namespace pto::sim {
namespace {

using isa::Does;

bool one_of(const Diagnostic& finding, std::initializer_list<std::string_view> ids) {
  return finding.severity == Severity::error && std::ranges::find(ids, finding.id) != ids.end();
}

std::string spelled(const Statement& statement) {
  const auto number = [&](std::string_view name) { return statement.attr(name)->integer; };
  const isa::Row& row = isa::row(statement.row);
  if (statement.attr("src_pipe") != nullptr)
    return std::string(row.name) +
           isa::brackets({static_cast<Pipe>(number("src_pipe")), static_cast<Pipe>(number("dst_pipe")),
                          static_cast<int>(number("event_id"))});
  std::string text = fmt::format("{} <{}>", row.name, to_string(static_cast<Pipe>(number("pipe"))));
  if (statement.attr("event_id") != nullptr) text += fmt::format(", {}", number("event_id"));
  if (const AttrValue* mode = statement.attr("ffts_mode"))
    text += fmt::format(" {{ffts_mode = {} : i32}}", mode->integer);
  return text;
}

std::string words(const Program& program, const Places& places, const Edit& edit) {
  const std::string statement = spelled(edit.statement), beside = edit.place == kNoOp ? ""
                                                                  : edit.behind ? places.after(edit.place)
                                                                                : places.before(edit.place);
  switch (edit.kind) {
    case Edit::Kind::remove:
      return fmt::format("remove {} at {}", statement, place(program, edit.op));
    case Edit::Kind::write:
      return fmt::format("write {} at {}", statement, place(program, edit.op));
    case Edit::Kind::add:
      return fmt::format("add {} {}", statement, beside);
    default:
      return fmt::format("move {} from {} {}", statement, place(program, edit.op), beside);
  }
}

std::string words(const Program& program, const Cure& cure) {
  const Places places(program);
  std::string text;
  for (const Edit& edit : cure.edits) text += (text.empty() ? "" : " and ") + words(program, places, edit);
  return text;
}

/// Writes statements into a program, and puts new ones in.
class Editor {
 public:
  Editor(Program& program, const Cure& cure) : program_(program), cure_(cure) {}

  void run() {
    bool more = false;
    for (const Edit& edit : cure_.edits) {
      if (edit.kind == Edit::Kind::write) fill(program_.ops[edit.op], edit.statement);
      if (edit.kind == Edit::Kind::remove || edit.kind == Edit::Kind::move)
        program_.ops[edit.op].row = nothing();
      more |= edit.place != kNoOp;
    }
    if (more) Rebuilder(program_, *this).run();
  }

  void before(uint32_t op, const Op& old) { put_in(op, false, old.where); }
  void after(uint32_t op, Location where) { put_in(op, true, where); }
  void region_end(uint32_t, Location) {}

 private:
  void put_in(uint32_t op, bool behind, Location where) {
    for (const Edit& edit : cure_.edits) {
      if (edit.place != op || edit.behind != behind) continue;
      Op added;
      added.where = where;
      fill(added, edit.statement);
      program_.ops.push_back(added);
    }
  }

  void fill(Op& op, const Statement& statement) {
    op.row = statement.row;
    op.attrs = static_cast<uint32_t>(program_.attrs.size());
    op.n_attrs = static_cast<decltype(op.n_attrs)>(statement.attrs.size());
    program_.attrs.insert(program_.attrs.end(), statement.attrs.begin(), statement.attrs.end());
    op.operands = static_cast<uint32_t>(program_.operands.size());
    op.n_operand_words = static_cast<decltype(op.n_operand_words)>(statement.operands.size());
    program_.operands.insert(program_.operands.end(), statement.operands.begin(), statement.operands.end());
  }

  Program& program_;
  const Cure& cure_;
};

}  // namespace

Statement::Statement(const Program& program, uint32_t op) : row(program.ops[op].row) {
  const Op& from = program.ops[op];
  operands.assign(program.operands.begin() + from.operands,
                  program.operands.begin() + from.operands + from.n_operand_words);
  const auto written = program.attrs_of(from);
  attrs.assign(written.begin(), written.end());
}

const AttrValue* Statement::attr(std::string_view name) const {
  const int spec = isa::schema(row).attr_index(name);
  const auto found = std::ranges::find_if(attrs, [&](const Attr& each) { return each.spec == spec; });
  return found == attrs.end() ? nullptr : &found->value;
}

void Statement::put(std::string_view name, int64_t value) {
  drop(name);
  const int spec = isa::schema(row).attr_index(name);
  Attr made;
  made.spec = static_cast<uint16_t>(spec);
  made.value.kind = isa::schema(row).attrs[static_cast<size_t>(spec)].domain != nullptr
                        ? AttrValue::Kind::enumerant
                        : AttrValue::Kind::integer;
  made.value.integer = value;
  // In the order of the row.
  attrs.insert(std::ranges::upper_bound(attrs, made.spec, {}, &Attr::spec), made);
}

void Statement::drop(std::string_view name) {
  const int spec = isa::schema(row).attr_index(name);
  std::erase_if(attrs, [&](const Attr& each) { return each.spec == spec; });
}

RowId nothing() { return isa::id_of(Does::memory_barrier); }

bool is_of_order(const Diagnostic& finding) {
  return is_of_flags(finding) || one_of(finding, {"RACE", "FLAG-REUSE", "CROSS-LEFT", "CROSS-OVERFLOW"});
}

bool is_of_flags(const Diagnostic& finding) {
  return one_of(finding, {"DEADLOCK", "FLAG-DOUBLE", "FLAG-LEFT"});
}

bool is_of_cores(const Diagnostic& finding) {
  if (one_of(finding, {"DEADLOCK", "CROSS-LEFT", "CROSS-OVERFLOW"})) return true;
  return one_of(finding, {"RACE"}) && finding.moment && !finding.notes.empty() &&
         finding.notes.front().moment && finding.notes.front().moment->core != finding.moment->core;
}

const Program& Changed::with(const Cure& cure) {
  program_.ops = original_.ops;
  program_.regions = original_.regions;
  program_.attrs.resize(original_.attrs.size());
  program_.operands.resize(original_.operands.size());
  Editor(program_, cure).run();
  return program_;
}

void advise_cure(const Program& program, Diagnostics& findings, const std::vector<Cure>& cures, size_t most,
                 const std::function<bool(const Program&)>& clean) {
  if (cures.empty()) return;
  Changed changed(program);
  const size_t end = std::min(cures.size(), most);
  const auto passes = [&](size_t at) { return clean(changed.with(cures[at])); };
  size_t found = 0;
  while (found < end && !passes(found)) ++found;
  if (found == end) return;
  constexpr size_t kFruitless = 8;
  for (size_t at = found + 1; at < end && cures[at].nearer && at <= found + kFruitless; ++at) {
    if (passes(at)) found = at;
  }
  const std::string text = words(program, cures[found]);
  for (Diagnostic& each : findings.all()) {
    // What the finding itself found says why.
    if (is_of_order(each) && !each.help.starts_with(text))
      each.help = text + ": tried, and nothing is out of order then";
  }
}

}  // namespace pto::sim
