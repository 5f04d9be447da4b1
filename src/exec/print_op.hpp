// Formats elements as text for pto.print and pto.tprint.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "exec/exec_context.hpp"

namespace pto::exec {

/// Width and digits behind the point of a number.
struct PrintFormat {
  int width = 8, precision = 4;
};
/// One element, right-aligned; 8-bit integers as numbers.
std::string show_element(Elem elem, uint64_t bits, PrintFormat format);

/// Passes the text of a print instruction to the engine, which adds core and time.
void print(const Context& context, std::string text);

/// Shape and valid elements of the tile or view in a slot, row by row; "" after a finding.
std::string show_operand(Context& context, unsigned slot, PrintFormat format);

}  // namespace pto::exec
