// The target that a module's attributes name.
#pragma once

#include <optional>
#include <string_view>

#include "asm/parse/op_emitter.hpp"

namespace pto::text {

class Targets {
 public:
  /// `wanted`: the target of the caller, which takes precedence.
  Targets(std::optional<Target> wanted, Program& program, const Reader& reader, Draft& draft,
          Emitter& emitter, Reporter& report);

  /// The target in an attribute of a module.
  void note(std::string_view key, std::string_view value);
  /// The same for all attributes of the draft.
  void note_draft();
  /// Writes the target into the top module, so that the text alone has the same meaning.
  void write();

 private:
  void state(Target target, Span where);

  std::optional<Target> wanted_;
  Program& program_;
  const Reader& reader_;
  Draft& draft_;
  Emitter& emitter_;
  Reporter& report_;
};

}  // namespace pto::text
