// The parts of the assembler's front at work on one text, each built on those above it:
//
//   reporter.hpp    places and messages
//   vocabulary.hpp  the words that name operations
//   reader.hpp      the statement at hand
//   names.hpp       names and their values (name_table.hpp)
//   old_forms.hpp   forms of earlier releases
//   types.hpp       spellings of types
//   draft.hpp       the operation under construction
//   attributes.hpp  attribute values and dictionaries
//   locations.hpp   loc(..)
//   emitter.hpp     from the draft into the program
//   targets.hpp     what modules say about the target
//   calls.hpp       calls against their functions
//   switches.hpp    the cases of switches
//   regions.hpp     open regions
//   generic.hpp     the generic form
#pragma once

#include <vector>

#include "asm/attributes.hpp"
#include "asm/calls.hpp"
#include "asm/draft.hpp"
#include "asm/emitter.hpp"
#include "asm/generic.hpp"
#include "asm/locations.hpp"
#include "asm/names.hpp"
#include "asm/old_forms.hpp"
#include "asm/reader.hpp"
#include "asm/regions.hpp"
#include "asm/reporter.hpp"
#include "asm/switches.hpp"
#include "asm/targets.hpp"
#include "asm/types.hpp"
#include "asm/vocabulary.hpp"
#include "pto/assembler.hpp"

namespace pto::text {

/// What a matcher saw: a part of the operation and its nodes [node, end).
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

struct Parts {
  Parts(std::string_view source, const ParseOptions& options, Program& made, Diagnostics& diagnostics)
      : program(made),
        report(source, diagnostics),
        targets(options.target, made, reader, draft, emitter, report) {
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
