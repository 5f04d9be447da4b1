// Fuzz target: objects of generated programs whose sections are changed, with checksums, offsets and sizes
// made to fit, so that the checks of the contents decide.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fuzz/program_generator.hpp"
#include "object/byte_stream.hpp"
#include "object/sections.hpp"
#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/verify.hpp"
#include "testing/fuzz_target.hpp"

namespace pto::fuzz {
namespace {

using object::ByteWriter;
using Bytes = std::vector<std::byte>;

struct Section {
  uint32_t kind;
  Bytes bytes;
};

uint64_t number_at(const Bytes& bytes, size_t at, size_t width) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, width);
  return value;
}

std::vector<Section> sections_of(const Bytes& object) {
  std::vector<Section> sections;
  for (uint64_t i = 0; i < number_at(object, 12, 4); ++i) {
    const size_t entry = object::kHeaderBytes + i * object::kSectionEntryBytes;
    const uint64_t offset = number_at(object, entry + 8, 8);
    const uint64_t size = number_at(object, entry + 16, 8);
    const auto begin = object.begin() + static_cast<ptrdiff_t>(offset);
    sections.push_back(
        {static_cast<uint32_t>(number_at(object, entry, 4)), {begin, begin + static_cast<ptrdiff_t>(size)}});
  }
  return sections;
}

void change(Bytes& bytes, Choices& choices) {
  const size_t at = choices.below(bytes.size() + 1);
  const auto place = bytes.begin() + static_cast<ptrdiff_t>(at);
  const std::byte value{choices.byte()};
  switch (choices.below(6)) {
    case 0:
      if (at < bytes.size()) bytes[at] = value;
      break;
    case 1:
      if (at < bytes.size()) bytes[at] ^= std::byte{1} << (static_cast<unsigned>(value) & 7);
      break;
    case 2:
      bytes.insert(place, value);
      break;
    case 3:
      if (at < bytes.size()) bytes.erase(place);
      break;
    case 4:
      bytes.insert(place,
                   {std::byte{0xff}, std::byte{0xff}, std::byte{0xff}, std::byte{0xff}, std::byte{0x0f}});
      break;  // a large varint
    default:
      bytes.resize(at);
      break;
  }
}

Bytes joined(const Bytes& original, const std::vector<Section>& sections) {
  Bytes file(object::kHeaderBytes + sections.size() * object::kSectionEntryBytes);
  std::copy_n(original.begin(), object::kHeaderBytes, file.begin());
  const auto put = [&file](size_t at, uint64_t value, size_t width) {
    std::memcpy(file.data() + at, &value, width);
  };
  for (size_t i = 0; i < sections.size(); ++i) {
    file.resize((file.size() + object::kSectionAlignment - 1) / object::kSectionAlignment *
                object::kSectionAlignment);
    const size_t entry = object::kHeaderBytes + i * object::kSectionEntryBytes;
    put(entry, sections[i].kind, 4);
    put(entry + 4, object::crc32(sections[i].bytes), 4);
    put(entry + 8, file.size(), 8);
    put(entry + 16, sections[i].bytes.size(), 8);
    file.insert(file.end(), sections[i].bytes.begin(), sections[i].bytes.end());
  }
  put(16, file.size(), 8);
  put(object::kHeaderChecksumAt, 0, 4);
  const size_t table_end = object::kHeaderBytes + sections.size() * object::kSectionEntryBytes;
  put(object::kHeaderChecksumAt, object::crc32({file.data(), table_end}), 4);
  return file;
}

}  // namespace

int mutated_object(const uint8_t* data, size_t size) {
  Choices changes(data, std::min<size_t>(size, 32));
  Choices choices(data + std::min<size_t>(size, 32), size - std::min<size_t>(size, 32));
  Diagnostics diagnostics;
  const auto program = parse(generate_program(choices), {}, diagnostics);
  if (!program) return 0;
  const Bytes original = write_object(*program);
  std::vector<Section> sections = sections_of(original);
  if (joined(original, sections) != original) std::abort();  // the writer's layout is the one described
  for (size_t n = 1 + changes.below(4); n > 0; --n)
    change(sections[changes.below(sections.size())].bytes, changes);
  const Bytes file = joined(original, sections);
  return object_reader(reinterpret_cast<const uint8_t*>(file.data()), file.size());
}

}  // namespace pto::fuzz
