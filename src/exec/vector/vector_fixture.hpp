// Test support: one micro instruction at a time on plain memories, its operands built from C++ values.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>

#include "exec/tile/tile_fixture.hpp"

namespace pto::exec::test {

/// The values of an operand slot; none is an absent optional. A number is an i64.
struct Slot {
  Slot() = default;
  Slot(int64_t number) : values{{scalar_type(Elem::i64), {static_cast<Word>(number)}}} {}
  Slot(Arg value) : values{std::move(value)} {}
  Slot(std::vector<Arg> all) : values(std::move(all)) {}
  std::vector<Arg> values;
};

class MicroBench : public FaultSink {
 public:
  PlainMemory memory;
  ControlState control;
  Machine machine;
  std::vector<std::string> faults;

  MicroBench() {
    machine.target = Target::a5;
    machine.tf32_supported = true;
    machine.bytes.fill(4096);
  }
  void fault(const Context&, Fault, std::string message) override { faults.push_back(std::move(message)); }

  // ---- values
  inline static const Slot kAbsent;
  static Arg scalar(Elem elem, uint64_t bits) { return {scalar_type(elem), {bits}}; }
  static Arg i64(int64_t v) { return scalar(Elem::i64, static_cast<Word>(v)); }
  static Arg f32(float v) { return scalar(Elem::f32, std::bit_cast<uint32_t>(v)); }
  static Arg ptr(Elem elem, Space space, uint64_t address) {
    Type type;
    type.kind = TypeKind::ptr;
    type.elem = elem;
    type.space = space;
    return {type, {address}};
  }
  static Type vreg_type(Elem elem) {
    Type type;
    type.kind = TypeKind::vreg;
    type.elem = elem;
    type.rank = 1;
    type.dims[0] = 256 / byte_width(elem);
    return type;
  }
  static Type mask_type(unsigned width) {
    Type type;
    type.kind = TypeKind::mask;
    type.elem = width == 1 ? Elem::i8 : width == 2 ? Elem::i16 : Elem::i32;
    return type;
  }
  static Type align_type() {
    Type type;
    type.kind = TypeKind::align;
    return type;
  }
  /// A register whose lane i has the bits f(i).
  static Arg vreg(Elem elem, const std::function<uint64_t(unsigned)>& f) {
    const unsigned width = byte_width(elem);
    std::vector<Word> words(32);
    for (unsigned i = 0; i < 256 / width; ++i) {
      const uint64_t bits = f(i);
      std::memcpy(reinterpret_cast<std::byte*>(words.data()) + i * width, &bits, width);
    }
    return {vreg_type(elem), words};
  }
  static Arg vreg_f32(const std::function<float(unsigned)>& f) {
    return vreg(Elem::f32, [&](unsigned i) { return std::bit_cast<uint32_t>(f(i)); });
  }
  /// A predicate for lanes of `width` bytes.
  static Arg mask(unsigned width, const std::function<bool(unsigned)>& f) {
    std::vector<Word> words(4);
    for (unsigned i = 0; i < 256 / width; ++i) {
      if (f(i)) words[i * width / 64] |= uint64_t{1} << (i * width % 64);
    }
    return {mask_type(width), words};
  }
  static Arg all(unsigned width) {
    return mask(width, [](unsigned) { return true; });
  }

  /// Runs an instruction. `slots`: the operands in order. `attrs`: by name, enumerants by their name, others
  /// as numbers.
  void run(std::string_view name, std::vector<Slot> slots, std::vector<Type> results = {},
           const std::map<std::string, std::string>& attrs = {}) {
    const isa::Row* row = isa::find_row(name);
    REQUIRE(row != nullptr);
    const isa::Schema& schema = isa::schema(isa::id_of(*row));
    slots.resize(schema.operands.size());
    std::deque<Type> types;
    std::vector<ValueRef> values, outputs;
    std::vector<uint32_t> begin;
    frame_.clear();
    const auto place = [&](const Type& type, const std::vector<Word>& words) {
      types.push_back(type);
      const auto offset = static_cast<uint32_t>(frame_.size());
      frame_.insert(frame_.end(), words.begin(), words.end());
      return ValueRef{offset, &types.back()};
    };
    for (const Slot& slot : slots) {
      begin.push_back(static_cast<uint32_t>(values.size()));
      for (const Arg& arg : slot.values) values.push_back(place(arg.type, arg.words));
    }
    begin.push_back(static_cast<uint32_t>(values.size()));
    for (const Type& type : results)
      outputs.push_back(place(type, std::vector<Word>(words_of(type), 0x5a5a5a5a5a5a5a5a)));
    Program program;
    std::vector<AttrValue> attr_values(schema.attrs.size());
    std::vector<uint8_t> attr_set(schema.attrs.size());
    for (size_t i = 0; i < schema.attrs.size(); ++i) {
      attr_values[i].integer = schema.attrs[i].default_int;
      const auto given = attrs.find(std::string(schema.attrs[i].name));
      if (given == attrs.end()) continue;
      attr_set[i] = 1;
      attr_values[i].integer = attr_number(schema.attrs[i], given->second);
    }
    Inst inst;
    inst.fn = find(name);
    REQUIRE(inst.fn != nullptr);
    inst.schema = &schema;
    inst.slot_begin = begin;
    inst.values = values;
    inst.results = outputs;
    inst.attrs = attr_values;
    inst.attr_set = attr_set;
    Context context;
    context.inst = &inst;
    context.frame = frame_.data();
    context.memory = &memory;
    context.control = &control;
    context.machine = &machine;
    context.program = &program;
    context.faults = this;
    inst.fn(context);
    outputs_.clear();
    for (const ValueRef& output : outputs)
      outputs_.push_back(
          {*output.type,
           {frame_.begin() + output.offset, frame_.begin() + output.offset + words_of(*output.type)}});
  }
  /// A result as a value, to be passed on.
  [[nodiscard]] Arg result(size_t i = 0) const { return outputs_.at(i); }
  [[nodiscard]] uint64_t word(size_t i = 0) const { return outputs_.at(i).words.at(0); }
  [[nodiscard]] uint64_t lane(unsigned lane, size_t i = 0) const {
    const unsigned width = byte_width(outputs_.at(i).type.elem);
    uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const std::byte*>(outputs_[i].words.data()) + lane * width, width);
    return bits;
  }
  [[nodiscard]] float lane_f32(unsigned l, size_t i = 0) const {
    return std::bit_cast<float>(static_cast<uint32_t>(lane(l, i)));
  }
  [[nodiscard]] bool bit(unsigned byte, size_t i = 0) const {
    return (outputs_.at(i).words.at(byte / 64) >> (byte % 64) & 1) != 0;
  }

  // ---- memory
  template <typename T>
  void put(Space space, uint64_t address, T value, int core = 1) {
    std::memcpy(memory.bytes(space, core).data() + address, &value, sizeof value);
  }
  template <typename T>
  T get(Space space, uint64_t address, int core = 1) {
    T value;
    std::memcpy(&value, memory.bytes(space, core).data() + address, sizeof value);
    return value;
  }

 private:
  static int64_t attr_number(const isa::AttrSpec& spec, const std::string& text) {
    if (spec.domain == nullptr)
      return text == "true" ? 1 : text == "false" || text.empty() ? 0 : std::stoll(text);
    for (const isa::EnumCase& entry : spec.domain->cases) {
      if (entry.name == text) return entry.value;
    }
    FAIL("no enumerant " << text);
    return 0;
  }
  std::vector<Word> frame_;
  std::vector<Arg> outputs_;
};

}  // namespace pto::exec::test
