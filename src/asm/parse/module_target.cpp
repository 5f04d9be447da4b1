#include "asm/parse/module_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace pto::text {

namespace {

constexpr std::string_view kTargetAttr = "pto.target_arch";

std::string_view arch_name(Target target) {
  return target == Target::a5 ? "a5" : target == Target::cpu ? "cpu" : "a3";
}

/// A2 and A3 are one target; "cpu" is the functional profile.
std::optional<Target> target_of_arch(std::string_view arch) {
  std::string lower(arch);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (lower == "a5") return Target::a5;
  if (lower == "cpu") return Target::cpu;
  if (lower == "a2" || lower == "a3" || lower == "a2a3") return Target::a2a3;
  return std::nullopt;
}

}  // namespace

Targets::Targets(std::optional<Target> wanted, Program& program, const Reader& reader, Draft& draft,
                 Emitter& emitter, Reporter& report)
    : wanted_(wanted), program_(program), reader_(reader), draft_(draft), emitter_(emitter), report_(report) {
  if (!wanted) return;
  program.target = *wanted;
  program.target_stated = true;
}

void Targets::note(std::string_view key, std::string_view value) {
  const bool spec_of_a5 =
      key == "pto.device-spec" && (value.starts_with("Ascend950") || value.starts_with("Ascend910_95"));
  if (key != kTargetAttr && !spec_of_a5) return;
  Span where = reader_.entry_span(key);  // of the value
  const size_t equal = report_.text(where).find('=');
  if (equal != std::string_view::npos)
    where.begin += static_cast<uint32_t>(report_.text(where).find_first_not_of(" \t", equal + 1));
  const std::optional<Target> target = spec_of_a5 ? Target::a5 : target_of_arch(value);
  if (target) return state(*target, where);
  report_.fail(E0125, where, fmt::format("there is no target '{}'", value)).help =
      "targets: a2, a3 and a2a3 (one target), a5, cpu";
}

void Targets::state(Target target, Span where) {
  program_.target_stated = true;
  if (!wanted_) {
    program_.target = target;
  } else if (*wanted_ != target && *wanted_ != Target::cpu) {  // cpu takes programs for both
    report_
        .warn(W0101, where,
              fmt::format("the module is written for {}, but is assembled for {}", to_string(target),
                          to_string(*wanted_)))
        .help = "--target wins; leave it out, or change the module";
  }
}

void Targets::note_draft() {
  for (const Attr& attr : draft_.attrs) {
    if (attr.spec == kUnknownAttr || attr.value.kind != AttrValue::Kind::string) continue;
    note(draft_.schema->attrs[attr.spec].name, program_.strings[attr.value.text]);
  }
}

void Targets::write() {
  if (!program_.target_stated) return;
  draft_.reset(isa::schema(program_.ops[0].row));
  const auto spec = static_cast<uint16_t>(draft_.schema->attr_index(kTargetAttr));
  for (uint32_t i = 0; i < program_.ops[0].n_attrs; ++i) {
    Attr& attr = program_.attrs[program_.ops[0].attrs + i];
    if (attr.spec != spec) continue;
    if (target_of_arch(program_.strings[attr.value.text]) != program_.target)
      attr.value.text = program_.strings.intern(arch_name(program_.target));
    return;
  }
  draft_.set(kTargetAttr, AttrValue::Kind::string, arch_name(program_.target));
  emitter_.append_attrs(0);
}

}  // namespace pto::text
