// Programs made from bytes by the instruction table, for the fuzz targets: every row, attribute, type and
// structure can come up, and equal bytes give equal text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace pto::fuzz {

/// Choices taken from bytes; zero when they run out, and every zero is the choice that ends something.
class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : at_(data), left_(size) {}
  uint8_t byte();
  size_t below(size_t n);
  bool chance(unsigned of_256) { return byte() < of_256 && left_ > 0; }
  [[nodiscard]] bool done() const { return left_ == 0; }

 private:
  const uint8_t* at_;
  size_t left_;
};

/// The text of a program: well-formed, every value defined where it is used; often, not always, legal.
std::string generate_program(Choices& choices);
/// Deletes, doubles, swaps and replaces tokens.
std::string mutate_tokens(std::string text, Choices& choices);

}  // namespace pto::fuzz
