// Vectors of scalars, as lowered programs have them: the lanes are side by side in the frame.
#include <cstring>
#include <string>

#include "exec/integer_ops.hpp"
#include "exec/scalar/descriptors.hpp"

namespace pto::exec {
namespace {

std::byte* lanes_of(Context& c, unsigned slot) { return reinterpret_cast<std::byte*>(&c.as<Word>(slot)); }
std::byte* result_lanes(Context& c) { return reinterpret_cast<std::byte*>(&c.result<Word>()); }
size_t bytes_of(const Type& vector) { return static_cast<size_t>(vector.dims[0]) * byte_width(vector.elem); }

/// Where a lane is in its vector; a finding when there is none.
bool find_lane(Context& c, const Type& vector, int64_t lane, size_t& at) {
  if (lane < 0 || lane >= vector.dims[0]) {
    c.fault(Fault::out_of_bounds,
            "lane " + std::to_string(lane) + " of a vector of " + std::to_string(vector.dims[0]));
    return false;
  }
  at = static_cast<size_t>(lane) * byte_width(vector.elem);
  return true;
}

void extract_lane(Context& c, unsigned vector, int64_t lane) {
  const Type& type = c.type(vector);
  size_t at = 0;
  if (!find_lane(c, type, lane, at)) return;
  Word word = 0;
  std::memcpy(&word, lanes_of(c, vector) + at, byte_width(type.elem));
  c.set(is_integer(type.elem) ? int_word(type.elem, word) : word);
}
void put(Context& c, unsigned value, unsigned vector, int64_t lane) {
  const Type& type = c.type(vector);
  size_t at = 0;
  if (!find_lane(c, type, lane, at)) return;
  const Word word = c.word(value);
  std::memcpy(result_lanes(c), lanes_of(c, vector), words_of(type) * sizeof(Word));
  std::memcpy(result_lanes(c) + at, &word, byte_width(type.elem));
}

void whole(Context& c) {
  std::memmove(result_lanes(c), lanes_of(c, 0), words_of(c.result_type()) * sizeof(Word));
}
void extract(Context& c) {
  const std::vector<int64_t> at = numbers(c, 0, 1);
  return at.empty() ? whole(c) : extract_lane(c, 0, at.front());
}
void insert(Context& c) {
  const std::vector<int64_t> at = numbers(c, 0, 2);
  return at.empty() ? whole(c) : put(c, 0, 1, at.front());
}
void extract_element(Context& c) { extract_lane(c, 0, c.i64(1)); }
void insert_element(Context& c) { put(c, 0, 1, c.i64(2)); }

/// One value in all lanes; a vector of as many lanes stays.
void broadcast_vector(Context& c) {
  const Type& to = c.result_type();
  if (c.type(0).kind == TypeKind::vector && c.type(0).dims[0] == to.dims[0]) return whole(c);
  const size_t size = byte_width(to.elem);
  const size_t bytes = bytes_of(to);
  const Word word = c.word(0);
  std::memset(result_lanes(c), 0, words_of(to) * sizeof(Word));
  for (size_t at = 0; at < bytes; at += size) std::memcpy(result_lanes(c) + at, &word, size);
}
void bitcast(Context& c) {
  if (bytes_of(c.type(0)) != bytes_of(c.result_type()))
    return c.fault(Fault::bad_operand, "a vector of other bytes");
  whole(c);
}

constexpr Semantics kVectorValuesSemantics[] = {
    {"vector.extract", extract},
    {"vector.insert", insert},
    {"vector.broadcast", broadcast_vector},
    {"vector.splat", broadcast_vector},
    {"vector.bitcast", bitcast},
    {"llvm.extractelement", extract_element},
    {"llvm.insertelement", insert_element},
};

}  // namespace

std::span<const Semantics> vector_values() { return kVectorValuesSemantics; }

}  // namespace pto::exec
