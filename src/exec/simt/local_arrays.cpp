// Pointers of llvm, as lowered SIMT code has them. An array of a thread is a number and an offset; a pointer
// with a number for its memory (6: UB, 1: GM) is an address.
#include <algorithm>
#include <cstring>
#include <string>

#include "exec/address_math.hpp"
#include "exec/integer_ops.hpp"
#include "exec/scalar/descriptors.hpp"
#include "exec/simt/simt_family.hpp"

namespace pto::exec {
namespace {

// An array's pointer: this bit, the array's number in the next 29, the offset in the low 32 (signed).
constexpr uint64_t kArray = uint64_t{1} << 61;
constexpr unsigned kNumberAt = 32;
constexpr uint64_t kMaxBytes = uint64_t{1} << 20;  ///< of one thread

const ThreadContext& of_threads(const Context& c) { return static_cast<const ThreadContext&>(c); }

uint64_t bytes_of(const Type& type) {
  const uint64_t elements = type.kind == TypeKind::vector ? static_cast<uint64_t>(type.dims[0]) : 1;
  return elements * byte_width(type.elem);
}

bool is_array(Word pointer) { return (pointer >> 61) == 1; }

/// Every execution gives the same array: its contents are undefined, but for those that outlive a section.
void alloca_of(Context& c) {
  KeptValues& kept = *of_threads(c).kept;
  const Type& element = c.program->types[c.inst->attrs[0].type];
  const int64_t count = c.i64(0);
  const uint64_t width = bytes_of(element);
  c.set(0);
  if (count < 0 || width == 0 || static_cast<uint64_t>(count) > kMaxBytes / width)
    return c.fault(Fault::bad_operand,
                   "an array of " + std::to_string(count) + " elements; a thread has up to 1 MiB");
  auto at = std::ranges::find(kept.arrays, c.inst->pc, &KeptValues::Array::pc);
  if (at == kept.arrays.end()) at = kept.arrays.insert(at, KeptValues::Array{c.inst->pc, 0, {}});
  const uint64_t bytes = static_cast<uint64_t>(count) * width;
  if (bytes > at->bytes) {
    at->bytes = bytes;
    at->data.clear();
  }
  c.set(kArray | static_cast<uint64_t>(at - kept.arrays.begin()) << kNumberAt);
}

void step_of(Context& c) {
  const std::vector<int64_t> steps = numbers(c, 0, 1);
  const Type& element = c.program->types[c.inst->attrs[1].type];
  if (steps.size() != 1 || bytes_of(element) == 0)
    return c.fault(Fault::unsupported, "a step into a structure is not supported");
  const auto width = static_cast<int64_t>(bytes_of(element));
  const Word from = c.word(0);
  if (!is_array(from)) return c.set(moved(from, steps[0], width));
  const int64_t offset =
      static_cast<int32_t>(from) + static_cast<int64_t>(static_cast<int32_t>(steps[0])) * width;
  c.set((from & ~uint64_t{0xffffffff}) | static_cast<uint32_t>(offset));
}

/// The bytes of the thread's own array; null after a finding.
std::byte* in_array(const Context& c, Word pointer, uint64_t bytes) {
  const Threads* threads = of_threads(c).threads;
  KeptValues& kept = *of_threads(c).kept;
  const uint64_t number = pointer >> kNumberAt & 0x1fffffff;
  const int64_t offset = static_cast<int32_t>(pointer);
  if (threads == nullptr || number >= kept.arrays.size()) {
    c.fault(Fault::bad_operand, "an array of threads is accessed outside of threads");
    return nullptr;
  }
  KeptValues::Array& array = kept.arrays[number];
  if (offset < 0 || static_cast<uint64_t>(offset) + bytes > array.bytes) {
    c.fault(Fault::out_of_bounds, "access out of bounds: bytes " + std::to_string(offset) + ".." +
                                      std::to_string(offset + static_cast<int64_t>(bytes) - 1) +
                                      " of an array of " + std::to_string(array.bytes) + " bytes");
    return nullptr;
  }
  if (array.data.empty()) array.data.resize(array.bytes * threads->count());
  return array.data.data() + array.bytes * threads->linear() + static_cast<uint64_t>(offset);
}

Space array_space(const Type& pointer) { return pointer.text == "!llvm.ptr<6>" ? Space::ub : Space::gm; }

std::byte* bytes_at(const Context& c, unsigned slot, uint64_t bytes, AccessMode how) {
  const Word pointer = c.word(slot);
  if (is_array(pointer)) return in_array(c, pointer, bytes);
  return c.memory->access(array_space(c.type(slot)), pointer, bytes, how);
}

void load(Context& c) {
  const Type& to = c.result_type();
  std::memset(&c.result<Word>(), 0, words_of(to) * sizeof(Word));
  const std::byte* from = bytes_at(c, 0, bytes_of(to), AccessMode::read);
  if (from == nullptr) return;
  std::memcpy(&c.result<Word>(), from, bytes_of(to));
  if (to.kind == TypeKind::scalar && is_integer(to.elem)) c.set(int_word(to.elem, c.result<Word>()));
}
void store(Context& c) {
  std::byte* to = bytes_at(c, 1, bytes_of(c.type(0)), AccessMode::write);
  if (to != nullptr) std::memcpy(to, &c.as<Word>(0), bytes_of(c.type(0)));
}

constexpr Semantics kSimtLocalArraysSemantics[] = {
    {"llvm.alloca", alloca_of},
    {"llvm.getelementptr", step_of},
    {"llvm.load", load},
    {"llvm.store", store},
};

}  // namespace

std::span<const Semantics> thread_memory() { return kSimtLocalArraysSemantics; }

}  // namespace pto::exec
