// Test support: one tile instruction at a time over memories that are plain vectors, without program or
// engine.
#pragma once

#include <bit>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "exec/exec_context.hpp"
#include "exec/fault_sink.hpp"
#include "numeric/float_formats.hpp"
#include "testing/catch_main.hpp"

namespace pto::exec::test {

/// Memories of the three cores of a cluster and GM; records nothing, checks bounds.
class PlainMemory final : public Memory {
 public:
  PlainMemory() {
    for (auto& core : local_) core.resize(kSpaceCount);
  }
  std::byte* access(Space space, uint64_t addr, uint64_t bytes, AccessMode how) override {
    return access_rows(space, addr, 1, bytes, 0, how);
  }
  std::byte* access_rows(Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes, int64_t pitch,
                         AccessMode) override {
    return at(own, space, addr, rows, row_bytes, pitch);
  }
  std::byte* access_peer(int core, Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes,
                         int64_t pitch, AccessMode) override {
    return at(core, space, addr, rows, row_bytes, pitch);
  }
  std::vector<std::byte>& bytes(Space space, int core = 1) {
    auto& memory = local_[space == Space::gm ? 0 : core][static_cast<size_t>(space)];
    if (memory.empty()) memory.resize(kSize, std::byte{0xcd});
    return memory;
  }
  int own = 1;

 private:
  static constexpr size_t kSize = 1 << 20;
  std::byte* at(int core, Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes, int64_t pitch) {
    const uint64_t end = addr + (rows - 1) * static_cast<uint64_t>(pitch) + row_bytes;
    return end <= kSize ? bytes(space, core).data() + addr : nullptr;
  }
  std::vector<std::vector<std::byte>> local_[3];
};

/// A value to hand to an instruction.
struct Arg {
  Type type;
  std::vector<Word> words;
};

struct Shape {
  int64_t rows, cols, valid_rows, valid_cols;
  Shape(int64_t r, int64_t c) : Shape(r, c, r, c) {}
  Shape(int64_t r, int64_t c, int64_t vr, int64_t vc) : rows(r), cols(c), valid_rows(vr), valid_cols(vc) {}
};

struct Layout {
  BLayout b = BLayout::row_major;
  SLayout s = SLayout::none_box;
  uint16_t fractal = 512;
};
inline constexpr Layout kNd{}, kDn{BLayout::col_major}, kNz{BLayout::col_major, SLayout::row_major},
    kZn{BLayout::row_major, SLayout::col_major}, kZz{BLayout::row_major, SLayout::row_major},
    kNn{BLayout::col_major, SLayout::col_major}, kAccLayout{BLayout::col_major, SLayout::row_major, 1024};

/// Offset of (r, c) in elements, straight from the definition (pto-isa tile_offsets.hpp).
inline int64_t defined_offset(const Type& t, int64_t r, int64_t c) {
  const int64_t rows = t.space == Space::l0c ? (t.rows() + 15) / 16 * 16 : t.rows();
  const int64_t cols = t.cols();
  const bool b_row = t.blayout == BLayout::row_major;
  if (t.slayout == SLayout::none_box) return b_row ? r * cols + c : c * rows + r;
  const bool s_row = t.slayout == SLayout::row_major;
  if (s_row && rows == 1) return c;  // boxes are not higher than the tile
  const int64_t c0 = 32 / byte_width(t.elem);
  int64_t ir = s_row ? 16 : c0;
  int64_t ic = s_row ? c0 : 16;
  if (t.fractal == 1024) ir = ic = 16;
  if (t.fractal == 32) {
    ir = s_row ? 16 : 2;
    ic = s_row ? 2 : 16;
  }
  const int64_t box =
      b_row ? (r / ir) * cols * ir + (c / ic) * ir * ic : (c / ic) * rows * ic + (r / ir) * ir * ic;
  return box + (s_row ? (r % ir) * ic + c % ic : (c % ic) * ir + r % ir);
}

class Bench : public FaultSink {
 public:
  PlainMemory memory;
  ControlState control;
  Machine machine;
  std::vector<std::pair<Fault, std::string>> faults;
  std::vector<std::string> beyond;  ///< arguments of beyond_table()
  std::vector<Word> result;
  bool no_values = false;  ///< Context::no_values

  void fault(const Context&, Fault kind, std::string message) override {
    faults.emplace_back(kind, std::move(message));
  }
  void beyond_table(const Context&, std::string message, Fix) override {
    beyond.push_back(std::move(message));
  }

  Arg tile(Elem elem, Shape shape, Layout layout = kNd, Space space = Space::ub, uint8_t pad = 0) {
    Arg value;
    Type& t = value.type;
    t.kind = TypeKind::tile_buf;
    t.elem = elem;
    t.space = space;
    t.blayout = layout.b;
    t.slayout = layout.s;
    t.fractal = layout.fractal;
    t.pad = pad;
    t.rank = 2;
    t.dims[0] = shape.rows;
    t.dims[1] = shape.cols;
    t.valid = {shape.valid_rows, shape.valid_cols};
    TileDesc desc{};
    desc.addr = next_[space];
    desc.valid_rows = static_cast<uint32_t>(shape.valid_rows);
    desc.valid_cols = static_cast<uint32_t>(shape.valid_cols);
    desc.storage_rows = static_cast<uint32_t>(shape.rows);
    desc.storage_cols = static_cast<uint32_t>(shape.cols);
    next_[space] += (static_cast<uint64_t>(shape.rows * shape.cols) * byte_width(elem) + 1023) / 512 * 512;
    value.words.resize(sizeof desc / 8);
    std::memcpy(value.words.data(), &desc, sizeof desc);
    return value;
  }
  Arg scalar(Elem elem, Word bits) { return {scalar_type(elem), {bits}}; }
  Arg index(uint64_t v) { return scalar(Elem::index, v); }
  Arg f32(float v) { return scalar(Elem::f32, std::bit_cast<uint32_t>(v)); }
  Arg i32(int32_t v) { return scalar(Elem::i32, static_cast<Word>(int64_t{v})); }
  static Arg none() { return {}; }

  Arg view(Elem elem, std::vector<int64_t> shape, std::vector<int64_t> stride, uint64_t layout = 0) {
    Arg value;
    value.type.kind = TypeKind::partition_view;
    value.type.elem = elem;
    value.type.rank = static_cast<uint8_t>(shape.size());
    ViewDesc desc{};
    desc.addr = next_[Space::gm];
    desc.layout = layout;
    const size_t lead = 5 - shape.size();
    int64_t span = 1;
    for (size_t i = 0; i < 5; ++i) {
      desc.shape[i] = i < lead ? 1 : shape[i - lead];
      desc.stride[i] = i < lead ? 0 : stride[i - lead];
      span += (desc.shape[i] - 1) * desc.stride[i];
    }
    next_[Space::gm] += (static_cast<uint64_t>(span) * byte_width(elem) + 1023) / 512 * 512;
    value.words.resize(sizeof desc / 8);
    std::memcpy(value.words.data(), &desc, sizeof desc);
    return value;
  }

  static TileDesc desc(const Arg& v) {
    TileDesc d;
    std::memcpy(&d, v.words.data(), sizeof d);
    return d;
  }
  std::byte* element(const Arg& v, int64_t r, int64_t c, int core = 1) {
    return memory.bytes(v.type.space, core).data() + desc(v).addr +
           static_cast<uint64_t>(defined_offset(v.type, r, c)) * byte_width(v.type.elem);
  }
  std::byte* gm(const Arg& view, int64_t offset) {
    ViewDesc d;
    std::memcpy(&d, view.words.data(), sizeof d);
    return memory.bytes(Space::gm).data() + d.addr + offset * byte_width(view.type.elem);
  }
  uint64_t bits(const Arg& v, int64_t r, int64_t c, int core = 1) {
    uint64_t b = 0;
    std::memcpy(&b, element(v, r, c, core), byte_width(v.type.elem));
    return b;
  }
  void put(const Arg& v, int64_t r, int64_t c, uint64_t b, int core = 1) {
    std::memcpy(element(v, r, c, core), &b, byte_width(v.type.elem));
  }
  double get(const Arg& v, int64_t r, int64_t c, int core = 1) {
    return num::to_f64(v.type.elem, bits(v, r, c, core));
  }
  /// Fills the whole storage with f(row, col), encoded.
  void fill(const Arg& v, const std::function<double(int64_t, int64_t)>& f, int core = 1) {
    for (int64_t r = 0; r < v.type.rows(); ++r) {
      for (int64_t c = 0; c < v.type.cols(); ++c) put(v, r, c, num::from_f64(v.type.elem, f(r, c)), core);
    }
  }

  /// Runs an instruction; operands in slot order, none() for absent ones. Attributes: {index, value}; all
  /// others unset.
  /// `form`: of the rows of this name.
  void run(std::string_view name, std::vector<Arg> operands, std::map<unsigned, int64_t> attrs = {},
           const Arg* result_value = nullptr, unsigned form = 0) {
    REQUIRE((isa::find_row(name) + form)->name == name);
    const ExecFn fn = find(name);
    REQUIRE(fn != nullptr);
    std::vector<Word> frame;
    std::vector<uint32_t> begin{0};
    std::vector<ValueRef> values, results;
    const auto place = [&](const Arg& v) {
      ValueRef ref{static_cast<uint32_t>(frame.size()), &v.type};
      frame.insert(frame.end(), v.words.begin(), v.words.end());
      return ref;
    };
    for (const Arg& v : operands) {
      if (v.type.kind != TypeKind::none) values.push_back(place(v));
      begin.push_back(static_cast<uint32_t>(values.size()));
    }
    for (unsigned i = 0; i < 8; ++i) begin.push_back(begin.back());  // optional operands not given
    if (result_value) results.push_back(place(*result_value));
    std::vector<AttrValue> attr_values(8);
    std::vector<uint8_t> attr_set(8, 0);
    for (const auto& [i, value] : attrs) {
      attr_values[i].kind = AttrValue::Kind::integer;
      attr_values[i].integer = value;
      attr_set[i] = 1;
    }
    Inst inst;
    inst.schema = &isa::schema(isa::id_of(isa::find_row(name)[form]));
    inst.slot_begin = begin;
    inst.values = values;
    inst.results = results;
    inst.attrs = attr_values;
    inst.attr_set = attr_set;
    Context context;
    context.inst = &inst;
    context.frame = frame.data();
    context.memory = &memory;
    context.control = &control;
    context.machine = &machine;
    context.faults = this;
    context.no_values = no_values;
    fn(context);
    result.clear();
    for (const ValueRef& ref : results) result.push_back(frame[ref.offset]);
  }

  /// pto.tmrgsort's second form: all lists are in the first slot.
  void run_lists(std::string_view name, const std::vector<Arg>& lists, const Arg& dst, int64_t exhausted) {
    std::vector<Word> frame;
    std::vector<ValueRef> values;
    const auto place = [&](const Arg& v) {
      values.push_back({static_cast<uint32_t>(frame.size()), &v.type});
      frame.insert(frame.end(), v.words.begin(), v.words.end());
    };
    for (const Arg& list : lists) place(list);
    place(dst);
    const auto n = static_cast<uint32_t>(lists.size());
    const std::vector<uint32_t> begin{0, n, n, n + 1, n + 1, n + 1};
    std::vector<AttrValue> attrs(1);
    attrs[0].integer = exhausted;
    const std::vector<uint8_t> set{1};
    Inst inst;
    inst.slot_begin = begin;
    inst.values = values;
    inst.attrs = attrs;
    inst.attr_set = set;
    Context context;
    context.inst = &inst;
    context.frame = frame.data();
    context.memory = &memory;
    context.control = &control;
    context.machine = &machine;
    context.faults = this;
    find(name)(context);
  }

 private:
  std::map<Space, uint64_t> next_;
};

inline bool same_value(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

}  // namespace pto::exec::test
