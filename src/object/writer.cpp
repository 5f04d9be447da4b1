// Program -> bytes. Strings, types, instructions and values are numbered by first use in the operation
// stream, so that equal programs give equal bytes whatever order they were built in.
#include <algorithm>
#include <bit>
#include <stdexcept>

#include "object/byte_stream.hpp"
#include "object/sections.hpp"
#include "pto/object.hpp"
#include "support/rounding.hpp"

namespace pto {
namespace object {
namespace {

constexpr uint32_t kUnseen = ~0u;

/// Dense numbers for ids in order of first use.
class Numbering {
 public:
  explicit Numbering(size_t size) : number_(size, kUnseen) {}
  uint32_t operator()(uint32_t id) {
    if (number_.at(id) == kUnseen) {
      number_[id] = static_cast<uint32_t>(order_.size());
      order_.push_back(id);
    }
    return number_[id];
  }
  [[nodiscard]] const std::vector<uint32_t>& order() const { return order_; }

 private:
  std::vector<uint32_t> number_, order_;
};

class Writer {
 public:
  Writer(const Program& program, const WriteOptions& options)
      : program_(program),
        options_(options),
        string_number_(program.strings.size(), kUnseen),
        types_(program.types.size()),
        rows_(isa::rows().size()),
        value_number_(program.values.size(), kUnseen) {
    types_(kNoType);  // "no type" is 0 in every object, as "" is
  }

  std::vector<std::byte> run() {
    write_code();
    write_instructions();
    write_functions();
    write_types();
    if (options_.lines) write_lines();
    if (options_.lines) write_origins();
    write_strings();
    if (options_.source) section(Section::source).text(program_.source_text);
    return assemble();
  }

 private:
  struct Open {
    uint32_t op, next;  ///< an operation whose regions are being written, and the next of them
  };

  ByteWriter& section(Section kind) { return sections_[static_cast<size_t>(kind) - 1]; }

  uint32_t string(StrId id) {
    if (string_number_.at(id) == kUnseen) string_number_[id] = strings_.intern(program_.strings[id]);
    return string_number_[id];
  }

  /// Without recursion: programs may be nested deeply.
  void write_code() {
    code_.varint(program_.ops.size());
    std::vector<Open> open;
    for (uint32_t i = 0; i < program_.ops.size(); ++i) {
      enter_regions(open, i);
      write_op(program_.ops[i]);
      if (program_.ops[i].n_regions > 0) open.push_back({i, 0});
    }
    enter_regions(open, static_cast<uint32_t>(program_.ops.size()));
  }

  /// Closes the regions that end before operation `here` and writes the heads of those that begin there.
  void enter_regions(std::vector<Open>& open, uint32_t here) {
    while (!open.empty()) {
      Open& top = open.back();
      const std::span<const Region> regions = program_.regions_of(program_.ops[top.op]);
      if (top.next > 0 && here < regions[top.next - 1].end) return;
      if (top.next == regions.size()) {
        open.pop_back();
        continue;
      }
      const Region& region = regions[top.next++];
      define(region.first_arg, region.n_args);
      code_.varint(region.end - region.begin);
    }
  }

  void write_op(const Op& op) {
    code_.varint(rows_(op.row));
    write_operands(op);
    code_.varint(op.n_attrs);
    for (const Attr& attr : program_.attrs_of(op)) write_attr(attr);
    define(op.first_result, op.n_results);
    code_.varint(op.n_regions);
  }

  void write_operands(const Op& op) {
    const ValueId* word = program_.operands.data() + op.operands;
    const ValueId* end = word + op.n_operand_words;
    for (const isa::OperandSpec& spec : isa::schema(op.row).operands) {
      if (word == end) throw std::logic_error("write_object: fewer operand words than slots");
      uint32_t count = 1;
      if (spec.arity == isa::Arity::variadic) code_.varint(count = *word++);
      if (count > static_cast<size_t>(end - word))
        throw std::logic_error("write_object: fewer operands than counted");
      for (uint32_t i = 0; i < count; ++i) use(*word++);
    }
    if (word != end) throw std::logic_error("write_object: more operand words than slots");
  }

  /// Distance back from the next value to be defined; 0 when absent.
  void use(ValueId value) {
    if (value == kNoValue) return code_.varint(0);
    if (value_number_.at(value) == kUnseen)
      throw std::logic_error("write_object: a value is used before its definition");
    code_.varint(next_value_ - value_number_[value]);
  }

  void define(uint32_t first, uint32_t count) {
    code_.varint(count);
    for (uint32_t i = first; i < first + count; ++i) {
      value_number_[i] = next_value_++;
      code_.varint(types_(program_.values[i].type));
      code_.varint(string(program_.values[i].name));
    }
  }

  void write_attr(const Attr& attr) {
    const AttrValue& value = attr.value;
    code_.varint(attr.spec == kUnknownAttr ? 0 : attr.spec + 1u);
    if (attr.spec == kUnknownAttr) code_.varint(string(attr.name));
    code_.u8(static_cast<uint8_t>(static_cast<int>(value.kind) | (value.type ? kHasType : 0) |
                                  (value.text ? kHasText : 0)));
    if (value.type) code_.varint(types_(value.type));
    if (value.text) code_.varint(string(value.text));
    if (value.kind == AttrValue::Kind::boolean) code_.u8(value.integer != 0);
    if (value.kind == AttrValue::Kind::integer || value.kind == AttrValue::Kind::enumerant)
      code_.zigzag(value.integer);
    if (value.kind == AttrValue::Kind::floating)
      section(Section::constants).u64(std::bit_cast<uint64_t>(value.floating));
    if (value.kind != AttrValue::Kind::int_array) return;
    code_.varint(value.array.count);
    for (uint32_t i = 0; i < value.array.count; ++i)
      section(Section::constants).u64(static_cast<uint64_t>(program_.ints.at(value.array.first + i)));
  }

  void write_instructions() {
    ByteWriter& out = section(Section::instructions);
    out.varint(rows_.order().size());
    for (const uint32_t id : rows_.order()) {
      const auto row = static_cast<RowId>(id);
      out.varint(strings_.intern(isa::row(row).name));
      out.varint(form_of(row));
      out.u64(signature(isa::schema(row)));
    }
  }

  void write_functions() {
    const std::vector<FunctionInfo> all = functions(program_);
    ByteWriter& out = section(Section::functions);
    out.varint(all.size());
    for (const FunctionInfo& function : all) {
      out.varint(strings_.intern(function.name));
      out.varint(function.op);
      out.u8(function_flags(function));
    }
  }

  void write_types() {
    ByteWriter& out = section(Section::types);
    const size_t n = types_.order().size();
    out.varint(n - 1);
    for (size_t i = 1; i < n; ++i) write_type(out, program_.types[types_.order()[i]]);
  }

  void write_type(ByteWriter& out, const Type& type) {
    for (const auto value :
         {static_cast<uint8_t>(type.kind), static_cast<uint8_t>(type.elem), static_cast<uint8_t>(type.space),
          static_cast<uint8_t>(type.blayout), static_cast<uint8_t>(type.slayout), type.pad, type.compact,
          type.vec_lanes, type.rank})
      out.u8(value);
    out.varint(type.fractal);
    for (const int64_t dim : type.dims) out.zigzag(dim);
    for (const int64_t dim : type.valid) out.zigzag(dim);
    out.varint(strings_.intern(type.text));
  }

  void write_lines() {
    bool any = !program_.source_name.empty();
    for (const Op& op : program_.ops) any = any || op.where.line != 0;
    if (!any) return;
    ByteWriter& out = section(Section::lines);
    out.varint(strings_.intern(program_.source_name));
    int64_t last = 0;
    for (const Op& op : program_.ops) {
      out.zigzag(op.where.line - last);
      out.varint(op.where.col);
      last = op.where.line;
    }
  }

  /// Those of operations that are there.
  void write_origins() {
    if (program_.origins.empty()) return;
    std::vector<bool> used(program_.origins.size());
    for (const Op& op : program_.ops) {
      if (const Origin* origin = program_.origin_of(op.where))
        used[static_cast<size_t>(origin - program_.origins.data())] = true;
    }
    const auto count = static_cast<uint64_t>(std::ranges::count(used, true));
    if (count == 0) return;
    ByteWriter& out = section(Section::origins);
    out.varint(count);
    Location last;
    for (size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) continue;
      const Origin& origin = program_.origins[i];
      out.varint(origin.where.line - last.line);
      out.varint(origin.where.line == last.line ? origin.where.col - last.col : origin.where.col);
      out.varint(string(origin.file));
      out.varint(origin.at.line);
      out.varint(origin.at.col);
      last = origin.where;
    }
  }

  void write_strings() {
    ByteWriter& out = section(Section::strings);
    out.varint(strings_.size() - 1);
    for (StrId id = 1; id < strings_.size(); ++id) {
      out.varint(strings_[id].size());
      out.text(strings_[id]);
    }
  }

  /// Lines and source are left out when empty; the others are always there.
  [[nodiscard]] bool present(size_t index) const {
    return index + 1 < static_cast<size_t>(Section::lines) || sections_[index].size() > 0;
  }

  std::vector<std::byte> assemble() {
    uint32_t n = 0;
    for (size_t i = 0; i < kLastSection; ++i) n += present(i);
    const size_t table_end = kHeaderBytes + n * kSectionEntryBytes;
    ByteWriter table;
    std::vector<uint64_t> starts(kLastSection, 0);
    uint64_t end = table_end;
    for (uint32_t i = 0; i < kLastSection; ++i) {
      if (!present(i)) continue;
      starts[i] = table_end + round_up(end - table_end, kSectionAlignment);
      end = starts[i] + sections_[i].size();
      table.u32(i + 1);
      table.u32(crc32(sections_[i].view()));
      table.u64(starts[i]);
      table.u64(sections_[i].size());
    }
    ByteWriter out = header(n, end);
    out.reserve(end);
    out.append(table);
    out.patch_u32(kHeaderChecksumAt, crc32(out.view()));
    for (uint32_t i = 0; i < kLastSection; ++i) {
      if (!present(i)) continue;
      while (out.size() < starts[i]) out.u8(0);
      out.append(sections_[i]);
      sections_[i] = {};
    }
    return out.take_bytes();
  }

  /// The checksum covers header and section table, its own field taken as 0.
  ByteWriter header(uint32_t n_sections, uint64_t file_bytes) const {
    ByteWriter out;
    for (const uint8_t byte : kMagic) out.u8(byte);
    out.u16(kMajor);
    out.u16(kMinor);
    out.u32(n_sections);
    out.u64(file_bytes);
    out.u64(isa::table_hash());
    out.u8(static_cast<uint8_t>(program_.target));
    out.u8(program_.target_stated);
    out.u16(0);
    out.u64(0);
    out.u32(0);  // the checksum's place
    return out;
  }

  const Program& program_;
  WriteOptions options_;
  StringTable strings_;
  std::vector<uint32_t> string_number_;
  Numbering types_, rows_;
  std::vector<uint32_t> value_number_;
  uint32_t next_value_ = 0;
  std::array<ByteWriter, kLastSection> sections_;
  ByteWriter& code_ = section(Section::code);
};

}  // namespace
}  // namespace object

std::vector<std::byte> write_object(const Program& program, const WriteOptions& options) {
  return object::Writer(program, options).run();
}

}  // namespace pto
