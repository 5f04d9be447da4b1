#include "asm/parse/mnemonics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "asm/parse/text/statement_reader.hpp"

namespace pto::text {

const isa::Row* Vocabulary::row_of(std::string_view word) const {
  if (word == last_word_) return last_row_;
  last_word_ = word;
  return last_row_ = look_up(word);
}

namespace {

/// `tmov.m2l` of the pages, where the letters say from where to where.
bool names_path(std::string_view suffix) { return suffix.size() == 3 && suffix[1] == '2'; }

/// The row that an old name means: the pages of the instructions between devices leave `pto.comm.` away,
/// others write `tstore.fp` or the path of a move, and early texts end names in `_dps`.
const isa::Row* row_of_old_name(std::string_view word) {
  static constexpr std::string_view kDialect = "pto.", kEnd = "_dps";
  if (word.find('.') == std::string_view::npos) return isa::find_row("pto.comm." + std::string(word));
  if (word.ends_with(kEnd)) return isa::find_row(word.substr(0, word.size() - kEnd.size()));
  if (word.starts_with(kDialect)) word.remove_prefix(kDialect.size());
  const size_t dot = word.find('.');
  if (dot == std::string_view::npos || word.front() != 't') return nullptr;
  const std::string_view head = word.substr(0, dot);
  const std::string_view suffix = word.substr(dot + 1);
  return isa::find_row(names_path(suffix) ? fmt::format("pto.{}", head)
                                          : fmt::format("pto.{}_{}", head, suffix));
}

bool is_old_form(const isa::Row& alias) { return alias.doc.starts_with("old form"); }

}  // namespace

const isa::Row* Vocabulary::look_up(std::string_view word) const {
  const auto [it, fresh] = rows_.try_emplace(word, nullptr);
  if (!fresh) return it->second;
  const isa::Row* row = isa::find_row(word);
  if (row == nullptr && word.find('.') == std::string_view::npos) {
    row = isa::find_keyword(word);
    if (row == nullptr) row = isa::find_row("pto." + std::string(word));
  }
  if (row == nullptr && word.starts_with('t')) row = isa::find_row("pto." + std::string(word));
  bool old = row == nullptr;
  if (old) row = row_of_old_name(word);
  if (row != nullptr && (row->flags & isa::kAlias) != 0) {
    old = old || is_old_form(*row);
    row = isa::find_row(row->syntax);
  }
  if (old && row != nullptr) old_.emplace(word, row->name);
  it->second = row;
  return row;
}

namespace {

/// The instruction that a C++ spelling such as TADD means; nullptr when there is none.
const isa::Row* in_capitals(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return lower == word ? nullptr : isa::find_row("pto." + lower);
}

}  // namespace

/// PTO-AS leaves `pto.` away. Names of scalar instructions (`round`, `log`) are clauses of others as well.
bool Vocabulary::begins_operation(std::string_view word) const {
  const isa::Row* row = row_of(word);
  if (row == nullptr) row = in_capitals(word);  // refused by name, not taken for a clause of the line before
  return row != nullptr && row->layer != isa::Layer::scalar;
}

bool Vocabulary::has_region(std::string_view name) const {
  const isa::Row* row = row_of(name);
  return row != nullptr && row->regions.most != 0;
}

bool Vocabulary::has_cases(std::string_view name) const {
  const isa::Row* row = row_of(name);
  return row != nullptr && row->opcode_class == isa::OpcodeClass::index_switch;
}

void report_unsupported(const Reader& reader, Reporter& report) {
  const Span where = reader.statement().name;
  std::string name(reader.op_name());
  if (name.find('.') == std::string::npos && !reader.statement().quoted) name = "pto." + name;
  const std::string_view dialect = std::string_view(name).substr(0, name.find('.'));
  static const std::vector<std::string_view> dialects = [] {
    std::vector<std::string_view> list;
    for (const std::string_view mnemonic : isa::mnemonics()) {
      const std::string_view its = mnemonic.substr(0, mnemonic.find('.'));
      if (std::find(list.begin(), list.end(), its) == list.end()) list.push_back(its);
    }
    return list;
  }();
  if (std::find(dialects.begin(), dialects.end(), dialect) == dialects.end()) {
    static constexpr std::string_view kOthers[] = {
        "affine", "linalg", "tensor",  "vector", "gpu",       "emitc", "bufferization",
        "index",  "ub",     "complex", "async",  "transform", "spirv", "nvvm",
        "rocdl",  "hivm",   "tosa",    "shape",  "omp",       "acc",   "ml_program"};
    if (std::find(std::begin(kOthers), std::end(kOthers), dialect) != std::end(kOthers)) {
      report
          .fail(E0110, where, fmt::format("{} is not supported: nothing of the dialect {} is", name, dialect))
          .unsupported = true;
      return;
    }
    const std::string_view near = nearest(dialect, dialects);
    if (near.empty()) {
      report.fail(E0110, where, fmt::format("{} is not supported: there is no dialect {}", name, dialect))
          .unsupported = true;
      return;
    }
    const std::string meant = near.empty() ? std::string{} : std::string(near) + name.substr(dialect.size());
    Diagnostic& d = report.fail(E0111, where, fmt::format("unknown dialect '{}' in {}", dialect, name));
    d.help = !meant.empty() && isa::find_row(meant) != nullptr
                 ? fmt::format("did you mean '{}'?", meant)
                 : fmt::format("dialects: {}", fmt::join(dialects, ", "));
    return;
  }
  if (isa::find_row(name) == nullptr && name.size() > dialect.size()) {
    std::string_view near;
    if (dialect != "pto" || report.all().suggests()) {
      std::vector<std::string_view> siblings;
      for (const std::string_view mnemonic : isa::mnemonics()) {
        if (mnemonic.starts_with(dialect) && mnemonic.size() > dialect.size() &&
            mnemonic[dialect.size()] == '.')
          siblings.push_back(mnemonic.substr(dialect.size() + 1));
      }
      near = nearest(std::string_view(name).substr(dialect.size() + 1), siblings);
    }
    if (dialect == "pto" || !near.empty()) {
      Diagnostic& d = report.fail(E0111, where, fmt::format("there is no instruction {}", name));
      const bool short_name = reader.op_name().size() < name.size();
      if (!near.empty())
        report.suggest_word(d, std::string(reader.op_name()),
                            fmt::format("{}{}", short_name ? "" : std::string(dialect) + ".", near));
      return;
    }
  }
  report.fail(E0110, where, fmt::format("{} is not supported yet", name)).unsupported = true;
}

}  // namespace pto::text
