// Memrefs: windows of a buffer, elements of it, and copies on the scalar unit. A memref is a view
// with the run-time values of the dynamic parts of its type.
#include <cstring>
#include <string>
#include <vector>

#include "exec/address_math.hpp"
#include "exec/integer_ops.hpp"
#include "exec/scalar/descriptors.hpp"

namespace pto::exec {
namespace {

unsigned place(const Type& type, unsigned dimension) { return kMaxRank - type.rank + dimension; }

/// `steps` elements on.
uint64_t shifted(const Context& c, uint64_t addr, int64_t steps) {
  return moved(addr, steps, byte_width(c.type(0).elem));
}

void same(Context& c) { c.result<ViewDesc>() = ViewDesc(c.view(0)); }

void reinterpret_cast_of(Context& c) {
  if (c.type(0).text.find("offset") != std::string::npos)
    return c.fault(Fault::unsupported, "memref.reinterpret_cast of a window that does not begin its buffer");
  const std::vector<int64_t> offset = numbers(c, 0, 1);
  const std::vector<int64_t> sizes = numbers(c, 1, 2);
  const std::vector<int64_t> strides = numbers(c, 2, 3);
  const Type& type = c.result_type();
  ViewDesc built;
  fill_static_view(built, type, shifted(c, c.view(0).addr, offset.empty() ? 0 : offset.front()));
  for (unsigned i = 0; i < type.rank && i < sizes.size() && i < strides.size(); ++i) {
    built.shape[place(type, i)] = sizes[i];
    built.stride[place(type, i)] = strides[i];
  }
  c.result<ViewDesc>() = built;
}

/// Dimensions of size 1 that the result does not have are left out.
void memref_subview(Context& c) {
  const std::vector<int64_t> offsets = numbers(c, 0, 1);
  const std::vector<int64_t> sizes = numbers(c, 1, 2);
  const std::vector<int64_t> steps = numbers(c, 2, 3);
  const Type& from = c.type(0);
  const Type& to = c.result_type();
  const ViewDesc& source = c.view(0);
  ViewDesc built;
  uint64_t addr = source.addr;
  unsigned kept = 0, dropped = 0;
  fill_static_view(built, to, 0);
  for (unsigned i = 0; i < from.rank && i < offsets.size(); ++i) {
    const int64_t extent = source.shape[place(from, i)];
    const int64_t stride = source.stride[place(from, i)];
    const int64_t last = offsets[i] + (sizes[i] - 1) * steps[i];
    if (sizes[i] > 0 && (offsets[i] < 0 || last < 0 || last >= extent || offsets[i] >= extent))
      return c.fault(Fault::out_of_bounds, "a window of " + std::to_string(sizes[i]) + " from " +
                                               std::to_string(offsets[i]) + " in dimension " +
                                               std::to_string(i) + ", which has " + std::to_string(extent));
    addr = moved(addr, offsets[i] * stride, byte_width(from.elem));
    const bool drop =
        sizes[i] == 1 && dropped + to.rank < from.rank && (kept >= to.rank || to.dims[kept] != 1);
    if (drop) {
      ++dropped;
      continue;
    }
    if (kept >= to.rank) break;
    built.shape[place(to, kept)] = sizes[i];
    built.stride[place(to, kept)] = stride * steps[i];
    ++kept;
  }
  built.addr = addr;
  c.result<ViewDesc>() = built;
}

/// Open sizes in the order of the dimensions; rows lie one behind the other.
void view(Context& c) {
  const Type& type = c.result_type();
  ViewDesc built;
  fill_static_view(built, type, moved(c.view(0).addr, c.i64(1)));
  unsigned open = 0;
  for (unsigned i = 0; i < type.rank; ++i)
    if (type.dims[i] == kDynamic) built.shape[place(type, i)] = c.i64(2, open++);
  int64_t stride = 1;
  for (unsigned i = type.rank; i-- > 0; stride *= built.shape[place(type, i)])
    built.stride[place(type, i)] = stride;
  c.result<ViewDesc>() = built;
}

bool contiguous(const ViewDesc& desc) {
  int64_t stride = 1;
  for (int i = kMaxRank - 1; i >= 0; --i) {
    if (desc.shape[i] != 1 && desc.stride[i] != stride) return false;
    stride *= desc.shape[i];
  }
  return true;
}
/// Dimensions joined or split: the same elements in a row.
void reshape(Context& c) {
  const Type& type = c.result_type();
  for (unsigned i = 0; i < type.rank; ++i)
    if (type.dims[i] == kDynamic) return c.fault(Fault::unsupported, "a reshaped memref with open sizes");
  if (!contiguous(c.view(0))) return c.fault(Fault::unsupported, "a reshaped memref with gaps");
  fill_static_view(c.result<ViewDesc>(), type, c.view(0).addr);
}

void dim(Context& c) {
  const int64_t index = c.i64(1);
  const int64_t rank = c.type(0).rank;
  if (index < 0 || index >= rank)
    return c.fault(Fault::out_of_bounds,
                   "dimension " + std::to_string(index) + " of a memref of rank " + std::to_string(rank));
  c.set(static_cast<Word>(c.view(0).shape[place(c.type(0), static_cast<unsigned>(index))]));
}
void rank(Context& c) { c.set(c.type(0).rank); }
void address(Context& c) { c.set(c.view(0).addr); }
void assume_alignment(Context& c) {
  const int64_t alignment = c.attr(0);
  if (alignment > 0 && c.view(0).addr % static_cast<uint64_t>(alignment) != 0)
    c.fault(Fault::misaligned, "the buffer at " + std::to_string(c.view(0).addr) +
                                   " is said to be a multiple of " + std::to_string(alignment));
}

std::byte* element(Context& c, unsigned memref, unsigned indices, AccessMode how, int64_t lanes = 1) {
  const Type& type = c.type(memref);
  const ViewDesc& desc = c.view(memref);
  uint64_t addr = desc.addr;
  for (unsigned i = 0; i < c.count(indices); ++i) {
    const int64_t index = c.i64(indices, i);
    const int64_t extent = desc.shape[place(type, i)];
    const bool last = i + 1 == c.count(indices);
    if (last && lanes != 1 && desc.stride[place(type, i)] != 1) {
      c.fault(Fault::unsupported, "a vector of elements that are not neighbours");
      return nullptr;
    }
    if (index < 0 || index > extent - (last ? lanes : 1)) {
      c.fault(Fault::out_of_bounds, "index " + std::to_string(index) + " in dimension " + std::to_string(i) +
                                        ", which has " + std::to_string(extent));
      return nullptr;
    }
    addr = moved(addr, index * desc.stride[place(type, i)], byte_width(type.elem));
  }
  return c.memory->access(memory_space(type), addr, static_cast<uint64_t>(lanes) * byte_width(type.elem),
                          how);
}
void vector_load(Context& c) {
  const Type& type = c.result_type();
  const std::byte* from = element(c, 0, 1, AccessMode::read, type.dims[0]);
  const size_t bytes = static_cast<size_t>(type.dims[0]) * byte_width(type.elem);
  std::memset(&c.result<Word>(), 0, words_of(type) * sizeof(Word));
  if (from != nullptr) std::memcpy(&c.result<Word>(), from, bytes);
}
void vector_store(Context& c) {
  const Type& type = c.type(0);
  std::byte* to = element(c, 1, 2, AccessMode::write, type.dims[0]);
  if (to != nullptr)
    std::memcpy(to, &c.as<Word>(0), static_cast<size_t>(type.dims[0]) * byte_width(type.elem));
}
void load(Context& c) {
  const std::byte* from = element(c, 0, 1, AccessMode::read);
  Word word = 0;
  if (from != nullptr) std::memcpy(&word, from, byte_width(c.type(0).elem));
  c.set(is_integer(c.type(0).elem) ? int_word(c.type(0).elem, word) : word);
}
void store(Context& c) {
  std::byte* to = element(c, 1, 2, AccessMode::write);
  const Word word = c.word(0);
  if (to != nullptr) std::memcpy(to, &word, byte_width(c.type(1).elem));
}

/// Element by element, in order.
void copy(Context& c) {
  const ViewDesc& from = c.view(0);
  const ViewDesc& to = c.view(1);
  const uint32_t size = byte_width(c.type(0).elem);
  uint64_t all = 1;
  for (unsigned i = 0; i < kMaxRank; ++i) {
    if (from.shape[i] != to.shape[i] || from.shape[i] < 0)
      return c.fault(Fault::bad_operand, "the memrefs of a copy have different sizes");
    all *= static_cast<uint64_t>(from.shape[i]);
  }
  for (uint64_t n = 0; n < all; ++n) {
    uint64_t rest = n, source = from.addr, target = to.addr;
    for (int i = kMaxRank - 1; i >= 0; --i) {
      const auto at = static_cast<int64_t>(rest % static_cast<uint64_t>(from.shape[i]));
      rest /= static_cast<uint64_t>(from.shape[i]);
      source = moved(source, at * from.stride[i], size);
      target = moved(target, at * to.stride[i], size);
    }
    const std::byte* in = c.memory->access(memory_space(c.type(0)), source, size, AccessMode::read);
    std::byte* out =
        in == nullptr ? nullptr : c.memory->access(memory_space(c.type(1)), target, size, AccessMode::write);
    if (out == nullptr) return;
    std::memmove(out, in, size);
  }
}

/// What is on chip has become a tile before the run; GM belongs to the arguments.
void alloc(Context& c) {
  c.fault(Fault::unsupported,
          "a memref.alloc in GM, which no public source gives memory; pass a buffer as an argument");
}

constexpr Semantics kScalarMemrefSemantics[] = {
    {"memref.alloc", alloc},
    {"vector.load", vector_load},
    {"vector.store", vector_store},
    {"memref.cast", same},
    {"memref.memory_space_cast", same},
    {"memref.reinterpret_cast", reinterpret_cast_of},
    {"memref.subview", memref_subview},
    {"memref.view", view},
    {"memref.collapse_shape", reshape},
    {"memref.expand_shape", reshape},
    {"memref.dim", dim},
    {"memref.rank", rank},
    {"memref.load", load},
    {"memref.store", store},
    {"memref.copy", copy},
    {"memref.extract_aligned_pointer_as_index", address},
    {"memref.assume_alignment", assume_alignment},
};

}  // namespace

std::span<const Semantics> memrefs() { return kScalarMemrefSemantics; }

}  // namespace pto::exec
