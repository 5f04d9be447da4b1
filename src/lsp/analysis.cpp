#include "lsp/analysis.hpp"

#include <algorithm>

#include "pto/rules.hpp"
#include "support/source_lines.hpp"

namespace pto::lsp {

namespace {

constexpr size_t kMaxFindings = 200;  ///< errors and warnings each

Diagnostics collection(const Settings& settings, std::vector<Diagnostic>& problems) {
  WarningPolicy policy;
  for (const std::string& one : settings.warnings) {
    if (const auto good = apply_switch(policy, one); !good)
      problems.push_back({.id = {}, .message = good.error().message});
  }
  return Diagnostics(kMaxFindings, std::move(policy));
}

}  // namespace

Analysis::Analysis(const Document& document, const std::string& name, const Settings& settings) {
  const std::string& text = document.text();
  starts_.assign(1, 0);
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    starts_.push_back(static_cast<uint32_t>(at + 1));

  std::vector<Diagnostic> problems;
  Reading reading;
  PrepareOptions options;
  options.name = name;
  options.target = settings.target;
  options.level = settings.level;
  options.sync = settings.sync;
  options.objects = false;
  options.complete = PrepareOptions::Complete::check;
  options.reading = &reading;
  options.diagnostics = collection(settings, problems);
  Result<Prepared> prepared = prepare(text, options);
  names_ = std::move(reading.names);
  if (!prepared) {
    problems.push_back({.id = {}, .message = prepared.error().message});
    program_ = std::move(reading.program);
  } else {
    std::ranges::copy(prepared->diagnostics.all(), std::back_inserter(problems));
    ready_ = prepared->ready;
    whole_ = !prepared->program.ops.empty();
    program_ = std::move(whole_ ? prepared->program : reading.program);
  }
  keep(document, std::move(problems));
}

void Analysis::keep(const Document& document, std::vector<Diagnostic> diagnostics) {
  const SourceLines lines(document.text());
  const auto place = [&](Span span, Location where) -> Range {
    if (span.end > span.begin) return document.range(span);
    if (where.line == 0) return document.range(span);
    const Location end = lines.end_of(span, where);
    return {document.position(offset_of(where)), document.position(offset_of(end))};
  };
  for (Diagnostic& diagnostic : diagnostics) {
    Finding finding;
    finding.range = place(diagnostic.span, diagnostic.where);
    for (const Note& note : diagnostic.notes) {
      if (note.where.line != 0 || note.span != Span{})
        finding.notes.emplace_back(note.message, place(note.span, note.where));
    }
    finding.diagnostic = std::move(diagnostic);
    findings_.push_back(std::move(finding));
  }
}

uint32_t Analysis::offset_of(Location where) const {
  if (where.line == 0 || where.line > starts_.size()) return starts_.back();
  return starts_[where.line - 1] + std::max(where.col, 1u) - 1;
}

const NameUse* Analysis::name_at(uint32_t offset) const {
  auto behind =
      std::ranges::upper_bound(names_, offset, {}, [](const NameUse& use) { return use.where.begin; });
  if (behind == names_.begin()) return nullptr;
  const NameUse& use = *--behind;
  return offset <= use.where.end ? &use : nullptr;
}

std::vector<NameUse> Analysis::uses_of(const NameUse& name) const {
  std::vector<NameUse> uses;
  std::ranges::copy_if(names_, std::back_inserter(uses),
                       [&](const NameUse& use) { return use.definition == name.definition; });
  return uses;
}

std::optional<uint32_t> Analysis::op_named_at(uint32_t offset) const {
  for (uint32_t op = 0; op < program_.ops.size(); ++op) {
    const Location where = program_.ops[op].where;
    if (where.line != 0 && offset_of(where) == offset) return op;
  }
  return std::nullopt;
}

}  // namespace pto::lsp
