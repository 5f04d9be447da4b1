// What an instruction does besides reading its sources and writing its destinations on its own pipe: the
// phases of the library's sequence of instructions that a program can see.
//
// Rows state it in their `rules` column, behind `a2a3.` or `a5.` (the functional target has no phases):
//
//   phases:S>tmp;V          in this order, on these pipes: `PIPE<reads>writes`, operands separated by commas;
//                           a pipe alone does the rest of the instruction. What comes before the phase on the
//                           row's own pipe waits for nothing that the row's pipe has waited for. Each phase
//                           waits for the one in front of it, and with `V,MTE3:S<idx` first for what these
//                           pipes do.
//   events:S>V=0;V>S=0,1    flags that it sets and waits for itself, in this order: source, destination, ids
//   reserves:V>S=0          flags that it uses itself in some of its forms; programs may hold them over it,
//                           planned flags do not
//   clobbers:src1           sources that hold other bytes afterwards
//   restores:src0           sources that hold other bytes meanwhile
//   scratch:NAME            the bytes behind the begin of `tmp` that it writes (kExtents in
//   scratch_bytes.cpp);
//                           without it nothing is known but that they belong to the tile
//   distinct:src,dst        operands that must not lie at one address
//   in_place:src            sources that the destination may be
//
// A statement may end with `@CONDITION|CONDITION..`: it holds where the first tile has one of these element
// types (`i32`), or an operand is there (`kValue`), or an attribute has a value (`coalesce=row`), or the
// destination has wider elements than the source (`wider`), longer rows in memory (`longer_rows`), or more
// than one valid row (`rows`), or not (`one_row`), or a row of it has more than one or two repeats of 256
// bytes (`repeats`, `pairs`), or a row of the source has at most one (`short_rows`; `short_halves`: of 16-bit
// elements), or a source gives one number or block for each of several rows (`spreads_src0`, `spreads_src1`).
// `!` in front of a condition is its opposite.
//
// Example: the scalar unit stores tsels' number into `tmp` before it waits for anything, so the row has
// "a2a3.phases:S>tmp;V a2a3.events:S>V=0 a2a3.scratch:element".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "isa/row.hpp"
#include "pto/pipe.hpp"
#include "pto/program.hpp"

namespace pto::isa {

struct Phase {
  Pipe pipe = Pipe::none;
  bool rest = false;                   ///< what the other phases do not say
  std::vector<uint8_t> reads, writes;  ///< operand slots
  std::vector<Pipe> waits;             ///< pipes it waits for
};

/// A flag that an instruction sets and waits for itself.
struct InternalEvent {
  Pipe source = Pipe::none, destination = Pipe::none;
  int id = 0;
};

struct Phases {
  std::vector<Phase> phases;  ///< in order; empty: the row's pipe does everything
  std::vector<InternalEvent> events;
  std::vector<uint8_t> clobbers, restores;  ///< operand slots of sources

  /// Phases in front of the one on the instruction's own pipe, and those behind it.
  [[nodiscard]] std::span<const Phase> early() const;
  [[nodiscard]] std::span<const Phase> late() const;
  /// Where the events stand: those in front of each phase, and last those behind all phases.
  [[nodiscard]] std::vector<std::vector<InternalEvent>> events_in_order() const;
  /// Whether the instruction writes the source, for good or meanwhile.
  [[nodiscard]] bool changes(unsigned slot) const;
};

/// Whether the row states any phase, event or clobbered source for any target.
bool has_phases(const Row& row);
/// Those of an operation on the program's target.
Phases phases_of(const OpView& op);
/// Of all operations of a row on a target, whatever their operands and form: for reservations.
std::vector<InternalEvent> internal_events(const Row& row, Target target);

/// Whether the condition of a statement (behind its `@`) holds for an operation; an empty one does.
bool condition_holds(const OpView& op, std::string_view condition);

}  // namespace pto::isa
