// Checksums, signatures and names of the object format.
#include "object/sections.hpp"

#include <bit>
#include <cstring>

namespace pto::object {

std::string_view to_string(Section section) {
  static constexpr std::string_view kNames[] = {"?",    "strings",   "types", "instructions", "functions",
                                                "code", "constants", "lines", "source",       "origins"};
  const auto index = static_cast<uint32_t>(section);
  return kNames[index <= kLastSection ? index : 0];
}

namespace {

/// tables[k][b]: the remainder of byte b with k zero bytes behind it, so that four bytes are taken at once.
constexpr std::array<std::array<uint32_t, 256>, 4> make_crc_tables() {
  std::array<std::array<uint32_t, 256>, 4> tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0xedb88320u : 0u);
    tables[0][i] = value;
  }
  for (size_t k = 1; k < tables.size(); ++k) {
    for (uint32_t i = 0; i < 256; ++i) {
      const uint32_t before = tables[k - 1][i];
      tables[k][i] = tables[0][before & 0xff] ^ (before >> 8);
    }
  }
  return tables;
}

/// FNV-1a, 64 bit.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) byte(static_cast<uint8_t>(c));
    byte(0);
  }
  void add(int64_t value) {
    for (int i = 0; i < 8; ++i) byte(static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i)));
  }
  [[nodiscard]] uint64_t value() const { return state_; }

 private:
  void byte(uint8_t b) { state_ = (state_ ^ b) * 0x100000001b3u; }
  uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace

uint32_t crc32(std::span<const std::byte> bytes) {
  static_assert(std::endian::native == std::endian::little, "the first of four bytes is the lowest");
  static constexpr auto kTables = make_crc_tables();
  uint32_t crc = ~0u;
  for (; bytes.size() >= 4; bytes = bytes.subspan(4)) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    word ^= crc;
    crc = kTables[3][word & 0xff] ^ kTables[2][(word >> 8) & 0xff] ^ kTables[1][(word >> 16) & 0xff] ^
          kTables[0][word >> 24];
  }
  for (const std::byte b : bytes) crc = kTables[0][(crc ^ static_cast<uint8_t>(b)) & 0xff] ^ (crc >> 8);
  return ~crc;
}

uint64_t signature(const isa::Schema& schema) {
  Hash hash;
  hash.add(schema.row->operands);
  hash.add(schema.row->results);
  hash.add(schema.row->attrs);
  for (const isa::AttrSpec& attr : schema.attrs) {
    if (attr.domain == nullptr) continue;
    for (const isa::EnumCase& item : attr.domain->cases) {
      hash.add(item.name);
      hash.add(item.value);
    }
  }
  return hash.value();
}

uint32_t form_of(RowId row) {
  const isa::Row* first = isa::find_row(isa::row(row).name);
  return static_cast<uint32_t>(row - isa::id_of(*first));
}

}  // namespace pto::object
