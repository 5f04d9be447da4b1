// Fuzz targets: programs generated from the instruction table, and the same with tokens changed.
#include <cstdlib>
#include <string>

#include "fuzz/program_generator.hpp"
#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/verify.hpp"
#include "testing/fuzz_target.hpp"

namespace pto::fuzz {

namespace {

void require(bool law) {
  if (!law) std::abort();
}

std::optional<Program> assemble(const std::string& text) {
  Diagnostics diagnostics;
  auto program = parse(text, {}, diagnostics);
  require(program || !diagnostics.all().empty());  // refused without saying why
  return program;
}

}  // namespace

int generated(const uint8_t* data, size_t size) {
  Choices choices(data, size);
  const std::string text = generate_program(choices);
  parser(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  const auto program = assemble(text);
  if (!program) return 0;
  const std::vector<std::byte> object = write_object(*program);
  const auto read = read_object(object);
  require(read && write_object(*read) == object);
  // What is legal is the same as text and as object: as(dis(b)) is b.
  Diagnostics findings;
  if (!verify(*program, {}, findings)) return 0;
  const auto again = assemble(print(*read, {.locations = true}));
  require(again && write_object(*again) == object);
  return 0;
}

int mutated(const uint8_t* data, size_t size) {
  Choices changes(data, std::min<size_t>(size, 32));
  Choices choices(data + std::min<size_t>(size, 32), size - std::min<size_t>(size, 32));
  std::string text = generate_program(choices);
  // The printer gives every instruction its own syntax.
  if (const auto program = assemble(text); program && changes.chance(200)) text = print(*program);
  text = mutate_tokens(std::move(text), changes);
  return parser(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

}  // namespace pto::fuzz
