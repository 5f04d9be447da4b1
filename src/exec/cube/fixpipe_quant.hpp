// Fixpipe arithmetic on one accumulator value: pre-quantisation, ReLU, clip and the conversion to the
// destination.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pto/type.hpp"

namespace pto::exec::fixpipe_detail {

/// The steps of a pre-quantisation mode, from its name.
struct QuantMode {
  bool scales = false;      ///< multiplies by the parameter's scale
  bool vector = false;      ///< one parameter per channel
  bool half_stage = false;  ///< the accumulator passes through f16 first
};
std::optional<QuantMode> quant_mode(std::string_view name);

/// Scale, offset and sign of one channel. Scalars: the f32 alone. Vectors: 8 bytes, scale in [31:13] (the
/// upper bits of an f32), offset [45:37] (9 bits, signed), sign [46].
struct QuantParameter {
  float scale = 1;
  int offset = 0;
};
QuantParameter decode_parameter(uint64_t word);

enum class Relu : uint8_t { none, normal, scalar, vector };
enum class Sat : uint8_t { sat, nosat, keep_nan };

/// Everything that is the same for all elements of one store.
struct Pipeline {
  Elem from, to;
  std::optional<QuantMode> quant;
  Relu relu = Relu::none;
  std::optional<double> clip;
  Sat sat = Sat::sat;
  /// Destination bits of one accumulator.
  [[nodiscard]] uint64_t run(uint32_t accumulator, const QuantParameter& parameter, float alpha) const;
  /// Nothing changes: the accumulator's bits are the result.
  [[nodiscard]] bool identity() const {
    return from == to && !quant && relu == Relu::none && !clip && byte_width(to) == 4;
  }
};

}  // namespace pto::exec::fixpipe_detail
