// The parts of the assembler's front at work on one text, each built on those above it:
//
//   text/reporter.hpp          places and messages
//   mnemonics.hpp              the words that name operations
//   text/statement_reader.hpp  the statement at hand
//   scopes.hpp                 names and their values (name_table.hpp)
//   forms/old_forms.hpp        forms of earlier releases
//   types/type_table.hpp       spellings of types
//   op_draft.hpp               the operation under construction
//   attributes.hpp             attribute values and dictionaries
//   locations.hpp              loc(..)
//   op_emitter.hpp             from the draft into the program
//   module_target.hpp          target attributes of modules
//   call_binding.hpp           calls against their functions
//   switch_cases.hpp           the cases of switches
//   open_regions.hpp           open regions
//   forms/generic_form.hpp     the generic form
#pragma once

#include <vector>

#include "asm/parse/attributes.hpp"
#include "asm/parse/call_binding.hpp"
#include "asm/parse/forms/generic_form.hpp"
#include "asm/parse/forms/old_forms.hpp"
#include "asm/parse/locations.hpp"
#include "asm/parse/mnemonics.hpp"
#include "asm/parse/module_target.hpp"
#include "asm/parse/op_draft.hpp"
#include "asm/parse/op_emitter.hpp"
#include "asm/parse/open_regions.hpp"
#include "asm/parse/scopes.hpp"
#include "asm/parse/switch_cases.hpp"
#include "asm/parse/text/reporter.hpp"
#include "asm/parse/text/statement_reader.hpp"
#include "asm/parse/types/type_table.hpp"
#include "pto/assembler.hpp"

namespace pto::text {

/// A part of the operation that a matcher found, and its nodes [node, end).
struct MatchEvent {
  enum class Kind : uint8_t {
    operand,
    number,  ///< in place of an operand
    zero,    ///< an operand that an old form leaves out
    offset,  ///< behind a pointer, in brackets: an old form
    comma,   ///< missing in front of a keyword: an old form
    attr,
    is,
    dict,
    mixed,
    argument,
    type_operand,
    type_result,
    type_attr
  } kind;
  uint16_t index;
  uint32_t node, end;
  const isa::SyntaxNode* syntax;  ///< of `is`
};

struct BinderContext {
  BinderContext(std::string_view source, const ParseOptions& options, Program& built,
                Diagnostics& diagnostics)
      : program(built),
        report(source, diagnostics),
        targets(options.target, built, reader, draft, emitter, report) {
    emitter.set_defines(options.defines);
    if (options.reading != nullptr) names.record(&options.reading->names);
  }

  Program& program;
  Reporter report;
  Vocabulary vocabulary;
  Reader reader{report, vocabulary};
  Names names{program, reader, report};
  OldForms old_forms{report};
  Types types{program, reader, names, old_forms, report};
  Draft draft{program.strings};
  Attributes attributes{program, reader, types, draft, old_forms, report};
  Locations locations{program, reader, attributes};
  Emitter emitter{program, reader, names, draft, locations, report};
  Targets targets;
  Calls calls{program, reader, types, report};
  Switches switches{report.source()};
  Regions regions{*this};
  GenericForm generic{*this};
  std::vector<MatchEvent> events;  ///< of the match at hand: a buffer reused by every statement
};

}  // namespace pto::text
