// Semantics of the scalar unit beyond arith: loads and stores, local arrays, queries, the CTRL register.
#include <cstring>
#include <string>
#include <vector>

#include "exec/address_math.hpp"
#include "exec/exec_context.hpp"
#include "exec/integer_ops.hpp"
#include "exec/scalar/descriptors.hpp"
#include "exec/status_registers.hpp"
#include "ir/struct_members.hpp"

namespace pto::exec {
namespace {

// ---- memory

/// Bytes of one element of what the operand points to; ptr<vector<NxT>> moves N at once.
uint32_t element_bytes(const Type& type) {
  return byte_width(type.elem) * (type.vec_lanes ? type.vec_lanes : 1u);
}

std::byte* element_at(const Context& c, unsigned base, unsigned offset, AccessMode how) {
  const uint32_t bytes = element_bytes(c.type(base));
  const uint64_t at = moved(address_of(c, base), c.i64(offset), bytes);
  return c.memory->access(memory_space(c.type(base)), at, bytes, how);
}

void load_element(Context& c, unsigned base, unsigned offset) {
  const Type& to = c.result_type();
  std::memset(&c.result<Word>(), 0, words_of(to) * sizeof(Word));
  const std::byte* from = element_at(c, base, offset, AccessMode::read);
  if (from == nullptr) return;
  std::memcpy(&c.result<Word>(), from, element_bytes(c.type(base)));
  if (to.kind == TypeKind::scalar && is_integer(to.elem)) c.set(int_word(to.elem, c.result<Word>()));
}

void store_element(Context& c, unsigned base, unsigned offset, unsigned value) {
  std::byte* to = element_at(c, base, offset, AccessMode::write);
  if (to != nullptr) std::memcpy(to, c.frame + c.ref(value).offset, element_bytes(c.type(base)));
}

void load_behind_pointer(Context& c) { load_element(c, 0, 1); }
void store_behind_pointer(Context& c) { store_element(c, 0, 1, 2); }
void store_behind(Context& c) { store_element(c, 1, 2, 0); }

// ---- arrays of words in the frame

/// Row-major index of an array element, or -1 after a finding.
int64_t array_index(const Context& c, unsigned indices_slot) {
  const Type& array = c.type(0);
  const unsigned rank = c.count(indices_slot);
  int64_t index = 0;
  for (unsigned i = 0; i < rank; ++i) {
    const int64_t at = c.i64(indices_slot, i);
    const int64_t size = array.dims[i];
    if (at < 0 || at >= size) {
      c.fault(Fault::out_of_bounds,
              "index " + std::to_string(at) + " of an array with " + std::to_string(size) + " elements");
      return -1;
    }
    index = index * size + at;
  }
  return index;
}

void array_get(Context& c) {
  const int64_t index = array_index(c, 1);
  c.set(index < 0 ? 0 : c.frame[c.ref(0).offset + index]);
}
void array_set(Context& c) {
  const int64_t index = array_index(c, 1);
  if (index >= 0) c.frame[c.ref(0).offset + index] = c.word(2);
}
void array_declare(Context& c) {
  std::memset(&c.result<Word>(), 0, words_of(c.result_type()) * sizeof(Word));
}

// ---- structs: a word for each scalar, nested ones in place

uint32_t member(const Context& c) {
  const auto path = c.inst->attrs[0].array;
  return struct_leaf(c.type(0).text, c.program->ints.data() + path.first, path.count);
}
void struct_get(Context& c) { c.set(c.frame[c.ref(0).offset + member(c)]); }
void struct_set(Context& c) { c.frame[c.ref(0).offset + member(c)] = c.word(1); }

// ---- queries and CTRL

void get_block_idx(Context& c) { c.set(c.block_idx); }
void get_block_num(Context& c) { c.set(c.block_num); }
void get_subblock_idx(Context& c) { c.set(c.subblock_idx); }
void get_subblock_num(Context& c) { c.set(c.subblock_num); }

void get_ctrl(Context& c) { c.set(c.control->ctrl); }
void set_ctrl(Context& c) { c.control->ctrl = c.word(0); }
void sbitset0(Context& c) { c.set(c.word(0) & ~(uint64_t{1} << (c.word(1) & 63))); }
void sbitset1(Context& c) { c.set(c.word(0) | (uint64_t{1} << (c.word(1) & 63))); }
void get_vms4_sr(Context& c) {
  touch_status(c, AccessMode::read);
  for (unsigned i = 0; i < 4; ++i) c.set(int_word(Elem::i16, c.control->vms4_sr >> (16 * i)), i);
}

void trap(Context& c) { c.fault(Fault::bad_operand, "pto.trap was reached"); }

constexpr Semantics kScalar[] = {
    {"pto.load_scalar", load_behind_pointer},
    {"pto.load", load_behind_pointer},
    {"pto.store_scalar", store_behind_pointer},
    {"pto.store", store_behind_pointer},
    {"pto.ldg", load_behind_pointer},
    {"pto.stg", store_behind_pointer},
    {"pto.ld_dev", load_behind_pointer},
    {"pto.st_dev", store_behind},
    {"pto.tgetval", load_behind_pointer},
    {"pto.tsetval", store_behind_pointer},
    {"pto.declare_local_array", array_declare},
    {"pto.local_array_get", array_get},
    {"pto.local_array_set", array_set},
    {"pto.declare_struct", array_declare},
    {"pto.struct_get", struct_get},
    {"pto.struct_set", struct_set},
    {"pto.declare_eventid_array", array_declare},
    {"pto.eventid_array_get", array_get},
    {"pto.eventid_array_set", array_set},
    {"pto.get_block_idx", get_block_idx},
    {"pto.get_block_num", get_block_num},
    {"pto.get_subblock_idx", get_subblock_idx},
    {"pto.get_subblock_num", get_subblock_num},
    {"pto.get_ctrl", get_ctrl},
    {"pto.set_ctrl", set_ctrl},
    {"pto.sbitset0", sbitset0},
    {"pto.sbitset1", sbitset1},
    {"pto.get_vms4_sr", get_vms4_sr},
    {"pto.trap", trap},
};

}  // namespace

std::span<const Semantics> scalar() { return kScalar; }

}  // namespace pto::exec
