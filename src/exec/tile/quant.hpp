// The conversion of an accumulator element on its way out: pre-quantisation, relu, conversion. The
// 64-bit quantisation word is described in pto-isa include/pto/cpu/common.hpp and
// docs/reference/numerics.md.
#pragma once

#include <cstdint>

#include "exec/exec_context.hpp"
#include "pto/machine.hpp"

namespace pto::exec {

enum class QuantMode : uint8_t { none, to_int8, to_float, shift_to_int16 };

/// Relu of the way out (pto.relu_pre_mode).
enum class Relu : int64_t { none = 0, normal = 1, scalar = 2, vector = 3, pwl = 4 };

/// How the elements of a source tile become destination elements.
struct OutputPath {
  Elem from = Elem::none, to = Elem::none;
  QuantMode mode = QuantMode::none;
  bool vector_word = false;  ///< the scale has 10 mantissa bits (vector quantisation)
  bool relu = false;
  bool relu_keeps_nan = false;     ///< tmov: only negatives become 0
  bool saturate_infinity = false;  ///< CTRL bit 48 is clear
  Target target = Target::a2a3;

  /// One element; `word` is the quantisation word that applies to it.
  [[nodiscard]] uint64_t convert(uint64_t bits, uint64_t word) const;
  /// Elements pass unchanged.
  [[nodiscard]] bool copies() const { return from == to && mode == QuantMode::none && !relu; }
};

/// The mode that a quantisation word, of a scalar or of a vector, selects for a pair of element formats.
QuantMode quant_mode(Elem from, Elem to);
/// False after a finding: relu modes that need more than a threshold at 0 have no public definition.
bool relu_supported(Context& context, Relu relu);

}  // namespace pto::exec
