// Bytes -> Program. The file is not trusted: every value is checked before it is used, counts are bounded
// by the remaining bytes, and an accepted program has the structure that the binder would have produced.
// Over 500 lines: one class reads the sections in their order; every check needs what the earlier sections
// gave.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "object/byte_stream.hpp"
#include "object/sections.hpp"
#include "pto/object.hpp"
#include "support/rounding.hpp"

namespace pto {
namespace object {
namespace {

using Kind = AttrValue::Kind;

bool is_value_name(std::string_view name) {
  for (const char c : name) {
    const bool word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '_' || c == '.' || c == '$' || c == '-';
    if (!word) return false;
  }
  return true;
}

class Reader {
 public:
  Reader(std::span<const std::byte> bytes, const ReadOptions& options) : bytes_(bytes), options_(options) {}

  Result<Program> run() {
    if (read_header() && read_strings() && read_types() && read_instructions() && read_code() &&
        read_functions() && read_lines() && read_source())
      read_origins();
    if (!message_.empty()) return Error{message_, kind_};
    return std::move(program_);
  }

 private:
  struct SectionBytes {
    bool present = false;
    uint64_t offset = 0;
    std::span<const std::byte> bytes;
  };

  bool fail(std::string_view part, uint64_t offset, std::string_view reason) {
    if (message_.empty()) message_ = fmt::format("damaged object: {} at offset {}: {}", part, offset, reason);
    return false;
  }
  bool fail(Section section, const ByteReader& in) {
    return fail(to_string(section), in.error_offset(), in.reason());
  }
  /// Ends a section: it must have been read without failure and to its end.
  bool finish(Section section, ByteReader& in) {
    if (in.ok() && !in.at_end()) in.fail(fmt::format("{} bytes too many", in.left()));
    return in.ok() || fail(section, in);
  }
  [[nodiscard]] ByteReader open(Section kind) const {
    const SectionBytes& section = sections_[static_cast<size_t>(kind)];
    return ByteReader(section.bytes, section.offset);
  }

  // ---- header and section table
  bool read_header() {
    if (!is_object(bytes_)) return fail("header", 0, "not a PTO object (the magic number is missing)");
    if (bytes_.size() < kHeaderBytes) return fail("header", bytes_.size(), "the file ends inside the header");
    ByteReader in(bytes_);
    in.text(kMagic.size());
    const uint16_t major = in.u16();
    const uint16_t minor = in.u16();
    if (major != kMajor) {
      message_ =
          fmt::format("object format {}.{} is not supported, this tool reads {}.x: assemble the source again",
                      major, minor, kMajor);
      return false;
    }
    const uint32_t n = in.u32();
    const uint64_t size = in.u64();
    table_hash_ = in.u64();
    const uint8_t target = in.u8();
    const uint8_t stated = in.u8();
    const uint16_t reserved = in.u16();
    const uint64_t reserved2 = in.u64();
    in.u32();
    if (size != bytes_.size())
      return fail("header", 16,
                  fmt::format("the file has {} bytes, the header says {}", bytes_.size(), size));
    if (n > kLastSection)
      return fail("header", 12, fmt::format("{} sections, at most {} are known", n, kLastSection));
    const size_t table_end = kHeaderBytes + n * kSectionEntryBytes;
    if (table_end > bytes_.size())
      return fail("section table", kHeaderBytes, "it runs over the end of the file");
    if (!check_header_sum(table_end)) return false;
    if (target > static_cast<uint8_t>(Target::cpu))
      return fail("header", 32, fmt::format("target {} is unknown", target));
    if (stated > 1 || reserved != 0 || reserved2 != 0) return fail("header", 33, "a reserved field is not 0");
    program_.target = static_cast<Target>(target);
    program_.target_stated = stated != 0;
    return read_section_table(in, n, table_end);
  }

  bool check_header_sum(size_t table_end) {
    if (!options_.checksums) return true;
    std::vector<std::byte> copy(bytes_.begin(), bytes_.begin() + static_cast<ptrdiff_t>(table_end));
    ByteReader field(bytes_.subspan(kHeaderChecksumAt, 4));
    const uint32_t expected = field.u32();
    for (size_t i = 0; i < 4; ++i) copy[kHeaderChecksumAt + i] = std::byte{0};
    const uint32_t got = crc32(copy);
    return got == expected || fail("header", kHeaderChecksumAt,
                                   fmt::format("checksum {:#010x} does not match {:#010x}", got, expected));
  }

  bool read_section_table(ByteReader& in, uint32_t n, size_t end) {
    uint32_t last = 0;
    for (uint32_t i = 0; i < n; ++i) {
      const uint64_t at = in.offset();
      const uint32_t kind = in.u32();
      const uint32_t sum = in.u32();
      const uint64_t offset = in.u64();
      const uint64_t size = in.u64();
      if (kind <= last || kind > kLastSection)
        return fail("section table", at, fmt::format("section kind {} is unknown or out of order", kind));
      const size_t begin = round_up(end, kSectionAlignment);
      if (offset != begin)
        return fail("section table", at + 8,
                    fmt::format("section {} begins at {} instead of {}", kind, offset, begin));
      if (begin > bytes_.size() || size > bytes_.size() - begin)
        return fail("section table", at + 16, fmt::format("section {} runs over the end of the file", kind));
      for (; end < begin; ++end)
        if (bytes_[end] != std::byte{0}) return fail("padding", end, "not 0");
      const std::span<const std::byte> part = bytes_.subspan(begin, size);
      const auto section = static_cast<Section>(kind);
      if (options_.checksums && crc32(part) != sum)
        return fail(
            to_string(section), begin,
            fmt::format("checksum {:#010x} does not match {:#010x} ({} bytes)", crc32(part), sum, size));
      sections_[kind] = {true, begin, part};
      end = begin + size;
      last = kind;
    }
    if (end != bytes_.size()) return fail("section table", kHeaderBytes, "bytes after the last section");
    for (uint32_t kind = 1; kind < static_cast<uint32_t>(Section::lines); ++kind)
      if (!sections_[kind].present)
        return fail("section table", kHeaderBytes,
                    fmt::format("section {} is missing", to_string(static_cast<Section>(kind))));
    return true;
  }

  // ---- tables
  bool read_strings() {
    ByteReader in = open(Section::strings);
    const uint32_t n = in.count(2);
    for (uint32_t i = 1; i <= n && in.ok(); ++i) {
      const uint64_t at = in.offset();
      const std::string_view text = in.text(in.count(1));
      if (in.ok() && program_.strings.intern(text) != i) in.fail("an empty or repeated string", at);
    }
    return finish(Section::strings, in);
  }

  StrId string(ByteReader& in) {
    const uint64_t at = in.offset();
    const uint32_t id = in.varint32();
    if (in.ok() && id >= program_.strings.size())
      in.fail(fmt::format("string {} of {}", id, program_.strings.size()), at);
    return in.ok() ? id : 0;
  }
  TypeId type(ByteReader& in) {
    const uint64_t at = in.offset();
    const uint32_t id = in.varint32();
    if (in.ok() && id >= program_.types.size())
      in.fail(fmt::format("type {} of {}", id, program_.types.size()), at);
    return in.ok() ? id : 0;
  }
  template <typename Enum>
  Enum enumerant(ByteReader& in, Enum last, std::string_view what) {
    const uint8_t value = in.u8();
    if (value > static_cast<uint8_t>(last))
      in.fail(fmt::format("{} {} is unknown", what, value), in.offset() - 1);
    return in.ok() ? static_cast<Enum>(value) : Enum{};
  }

  bool read_types() {
    ByteReader in = open(Section::types);
    const uint32_t n = in.count(18);
    for (uint32_t i = 1; i <= n && in.ok(); ++i) {
      const uint64_t at = in.offset();
      const Type one = read_type(in);
      if (in.ok() && program_.types.intern(one) != i) in.fail("an empty or repeated type", at);
    }
    return finish(Section::types, in);
  }

  Type read_type(ByteReader& in) {
    Type t;
    const uint64_t at = in.offset();
    t.kind = enumerant(in, kLastTypeKind, "type kind");
    t.elem = enumerant(in, kLastElem, "element format");
    t.space = enumerant(in, Space::fb, "memory space");
    t.blayout = enumerant(in, BLayout::col_major, "block layout");
    t.slayout = enumerant(in, SLayout::col_major, "inner layout");
    t.pad = in.u8();
    t.compact = in.u8();
    t.vec_lanes = in.u8();
    t.rank = in.u8();
    t.fractal = static_cast<uint16_t>(in.varint(0xffff));
    for (int64_t& dim : t.dims) dim = dimension(in);
    for (int64_t& dim : t.valid) dim = dimension(in);
    t.text = program_.strings[string(in)];
    if (t.rank > kMaxRank) in.fail(fmt::format("rank {} is over {}", t.rank, kMaxRank), at);
    if (t.pad > 3 || t.compact > 2) in.fail("pad or compact mode is unknown", at);
    if (in.ok() && !shape_fits(t))
      in.fail(fmt::format("not a type a program can have: {}", to_string(t)), at);
    return t;
  }

  int64_t dimension(ByteReader& in) {
    const uint64_t at = in.offset();
    const int64_t dim = in.zigzag();
    if (dim < 0 && dim != kDynamic) in.fail(fmt::format("a size of {}", dim), at);
    return dim;
  }

  /// What the users of a type take for granted.
  static bool shape_fits(const Type& t) {
    const auto has_elem = t.elem != Elem::none;
    switch (t.kind) {
      case TypeKind::none:
        return false;
      case TypeKind::scalar:
        return has_elem;
      case TypeKind::tile_buf:
        return has_elem && t.rank == 2 && t.space != Space::none &&
               (t.fractal == 32 || t.fractal == 512 || t.fractal == 1024);
      case TypeKind::vreg:
      case TypeKind::vector:
        return has_elem && t.rank == 1 && t.dims[0] > 0;
      case TypeKind::vmi_vreg:
        return has_elem && t.rank == 1 && t.dims[0] > 0;
      case TypeKind::vmi_mask:
        return t.rank == 1 && t.dims[0] > 0 &&
               (t.elem == Elem::i1 || t.elem == Elem::i8 || t.elem == Elem::i16 || t.elem == Elem::i32);
      case TypeKind::multi_tile:
        return has_elem && t.rank == 2 && t.space != Space::none && t.dims[2] >= 2 && t.dims[2] <= 16 &&
               (t.fractal == 32 || t.fractal == 512 || t.fractal == 1024);
      case TypeKind::structure:
        return !t.text.empty();
      case TypeKind::mask:
        return t.elem == Elem::i8 || t.elem == Elem::i16 || t.elem == Elem::i32;
      case TypeKind::opaque:
        return !t.text.empty();
      default:
        return true;
    }
  }

  bool read_instructions() {
    ByteReader in = open(Section::instructions);
    const uint32_t n = in.count(10);
    for (uint32_t i = 0; i < n && in.ok(); ++i) {
      const uint64_t at = in.offset();
      const std::string_view name = program_.strings[string(in)];
      const uint32_t form = in.varint32();
      const uint64_t wanted = in.u64();
      if (in.ok() && !add_instruction(name, form, wanted, at)) return false;
    }
    return finish(Section::instructions, in);
  }

  bool add_instruction(std::string_view name, uint32_t form, uint64_t wanted, uint64_t at) {
    const isa::Row* row = isa::find_row(name);
    const size_t id = row == nullptr ? 0 : isa::id_of(*row) + size_t{form};
    if (row == nullptr || id >= isa::rows().size() || isa::rows()[id].name != name) {
      message_ = fmt::format(
          "instruction {} (form {}) at offset {} is not in this tool's table ({}): use the tool that wrote "
          "the file",
          name, form, at, table_versions());
      kind_ = Error::Kind::unsupported;
      return false;
    }
    if (signature(isa::schema(static_cast<RowId>(id))) != wanted) {
      message_ = fmt::format(
          "instruction {} at offset {} has other operands or attributes in this tool's table ({}): assemble "
          "the "
          "source again",
          name, at, table_versions());
      return false;
    }
    rows_.push_back(static_cast<RowId>(id));
    return true;
  }
  [[nodiscard]] std::string table_versions() const {
    return fmt::format("written with table {:016x}, this tool has {:016x}", table_hash_, isa::table_hash());
  }

  // ---- code
  bool read_code() {
    ByteReader in = open(Section::code);
    constants_ = open(Section::constants);
    const uint32_t n = in.count(4);
    if (n == 0) in.fail("no operations");
    for (uint32_t i = 0; i < n && in.ok(); ++i) {
      open_regions(in, n);
      if (in.ok()) read_op(in);
    }
    if (in.ok()) open_regions(in, n);
    if (in.ok() && !open_.empty()) in.fail("the operations end inside a region");
    if (in.ok() && program_.end_of(0) != n) in.fail("the first operation does not hold all others");
    return finish(Section::code, in) && finish(Section::constants, constants_);
  }

  /// Closes the regions that end here, and opens the next ones down to the one that holds the next operation.
  void open_regions(ByteReader& in, uint32_t n_ops) {
    const auto here = static_cast<uint32_t>(program_.ops.size());
    while (!open_.empty() && in.ok()) {
      Open& top = open_.back();
      const Op op = program_.ops[top.op];
      if (top.next > 0) {
        if (here < program_.regions[op.regions + top.next - 1].end) return;
        visible_.resize(top.scope);
      }
      if (top.next == op.n_regions) {
        open_.pop_back();
        show_results(op);
        continue;
      }
      Region& region = program_.regions[op.regions + top.next++];
      top.scope = visible_.size();
      region.first_arg = static_cast<uint32_t>(program_.values.size());
      region.n_args = define(in);
      const uint32_t length = in.count(4);
      const uint32_t limit = open_.size() > 1 ? enclosing_end() : n_ops;
      if (in.ok() && length > limit - here) in.fail("a region is longer than the one around it");
      region.begin = here;
      region.end = here + length;
    }
  }
  void show_results(const Op& op) {
    for (uint32_t i = 0; i < op.n_results; ++i) visible_.push_back(op.first_result + i);
  }
  [[nodiscard]] uint32_t enclosing_end() const {
    const Open& outer = open_[open_.size() - 2];
    return program_.regions[program_.ops[outer.op].regions + outer.next - 1].end;
  }

  void read_op(ByteReader& in) {
    const uint64_t at = in.offset();
    const uint32_t index = in.varint32();
    if (in.ok() && index >= rows_.size())
      in.fail(fmt::format("instruction {} of {}", index, rows_.size()), at);
    if (!in.ok()) return;
    Op op;
    op.row = rows_[index];
    const isa::Schema& schema = isa::schema(op.row);
    read_operands(in, op, schema);
    read_attrs(in, op, schema);
    op.first_result = static_cast<uint32_t>(program_.values.size());
    const size_t scope = visible_.size();
    op.n_results = static_cast<uint16_t>(define(in, 0xffff));
    visible_.resize(std::min(scope, visible_.size()));  // not inside its own regions
    check_results(in, op, schema, at);
    op.n_regions = static_cast<uint8_t>(in.varint(0xff));
    const isa::Regions allowed = schema.row->regions;
    if (in.ok() && (op.n_regions < allowed.least || op.n_regions > allowed.most))
      in.fail(fmt::format("{} with {} regions", schema.row->name, op.n_regions), at);
    if (in.ok() && op.n_regions > in.left()) in.fail("more regions than bytes");
    if (!in.ok()) return;
    op.regions = static_cast<uint32_t>(program_.regions.size());
    program_.regions.resize(program_.regions.size() + op.n_regions);
    if (op.n_regions > 0)
      open_.push_back({static_cast<uint32_t>(program_.ops.size()), 0, visible_.size()});
    else
      show_results(op);
    program_.ops.push_back(op);
  }

  void read_operands(ByteReader& in, Op& op, const isa::Schema& schema) {
    op.operands = static_cast<uint32_t>(program_.operands.size());
    for (const isa::OperandSpec& spec : schema.operands) {
      uint32_t count = 1;
      if (spec.arity == isa::Arity::variadic) program_.operands.push_back(count = in.count(1));
      const bool may_miss = spec.arity != isa::Arity::variadic;  // the verifier says what is needed
      for (uint32_t i = 0; i < count && in.ok(); ++i) read_use(in, may_miss, spec);
    }
    const size_t words = program_.operands.size() - op.operands;
    if (in.ok() && words > 0xffff) in.fail("too many operands");
    op.n_operand_words = static_cast<uint16_t>(words);
  }

  void read_use(ByteReader& in, bool may_miss, const isa::OperandSpec& spec) {
    const uint64_t at = in.offset();
    const uint64_t back = in.varint();
    if (!in.ok()) return;
    if (back == 0) {
      if (!may_miss) return in.fail(fmt::format("operand {} is missing", spec.name), at);
      return program_.operands.push_back(kNoValue);
    }
    if (back > program_.values.size()) return in.fail("an operand refers to a value before the first", at);
    const auto id = static_cast<ValueId>(program_.values.size() - back);
    if (!std::binary_search(visible_.begin(), visible_.end(), id))
      return in.fail(fmt::format("value {} is not visible here", id), at);
    program_.operands.push_back(id);
  }

  uint32_t define(ByteReader& in, uint32_t limit = ~0u) {
    const uint32_t n = in.count(2);
    if (n > limit) in.fail(fmt::format("{} results", n));
    for (uint32_t i = 0; i < n && in.ok(); ++i) {
      const uint64_t at = in.offset();
      const TypeId of = type(in);
      const StrId name = string(in);
      if (!in.ok()) return 0;
      if (of == kNoType) {
        in.fail("a value without type", at);
        return 0;
      }
      if (!is_value_name(program_.strings[name])) {
        in.fail("a value's name has other characters than names have", at);
        return 0;
      }
      visible_.push_back(static_cast<ValueId>(program_.values.size()));
      program_.values.push_back({of, name});
    }
    return in.ok() ? n : 0;
  }

  void check_results(ByteReader& in, const Op& op, const isa::Schema& schema, uint64_t at) const {
    size_t least = 0, most = 0;
    for (const isa::OperandSpec& spec : schema.results) {
      least += spec.arity == isa::Arity::one;
      most += spec.arity == isa::Arity::variadic ? 0x10000 : 1;
    }
    if (in.ok() && (op.n_results < least || op.n_results > most))
      in.fail(fmt::format("{} with {} results", schema.row->name, op.n_results), at);
  }

  void read_attrs(ByteReader& in, Op& op, const isa::Schema& schema) {
    const auto n = static_cast<uint8_t>(in.varint(0xff));
    op.attrs = static_cast<uint32_t>(program_.attrs.size());
    op.n_attrs = n;
    for (uint8_t i = 0; i < n && in.ok(); ++i) program_.attrs.push_back(read_attr(in, schema));
  }

  Attr read_attr(ByteReader& in, const isa::Schema& schema) {
    Attr attr;
    const uint64_t at = in.offset();
    const uint64_t spec = in.varint(schema.attrs.size());
    if (spec == 0)
      attr.name = string(in);
    else
      attr.spec = static_cast<uint16_t>(spec - 1);
    const uint8_t head = in.u8();
    AttrValue& value = attr.value;
    if ((head & kKindMask) > static_cast<uint8_t>(Kind::raw) || (head & ~(kKindMask | kHasType | kHasText)))
      in.fail(fmt::format("attribute kind {:#x} is unknown", head), at);
    if (!in.ok()) return attr;
    value.kind = static_cast<Kind>(head & kKindMask);
    if (head & kHasType) value.type = type(in);
    if (head & kHasText) value.text = string(in);
    if (((head & kHasType) && value.type == 0) || ((head & kHasText) && value.text == 0))
      in.fail("an empty type or text is left out", at);
    read_attr_value(in, value);
    check_enumerant(in, attr, schema, at);
    return attr;
  }

  void read_attr_value(ByteReader& in, AttrValue& value) {
    if (value.kind == Kind::boolean) {
      value.integer = in.u8();
      if (value.integer > 1) in.fail("a boolean is 0 or 1", in.offset() - 1);
    }
    if (value.kind == Kind::integer || value.kind == Kind::enumerant) value.integer = in.zigzag();
    if (value.kind == Kind::floating) value.floating = std::bit_cast<double>(constant(in));
    if (value.kind != Kind::int_array) return;
    value.array = {static_cast<uint32_t>(program_.ints.size()), in.varint32()};
    const uint32_t n = value.array.count;
    if (in.ok() && n > constants_.left() / 8)
      in.fail(fmt::format("an array of {} is longer than the constants left", n));
    for (uint32_t i = 0; i < n && in.ok(); ++i) program_.ints.push_back(static_cast<int64_t>(constant(in)));
  }
  uint64_t constant(ByteReader& in) {
    const uint64_t value = constants_.u64();
    if (!constants_.ok()) in.fail("the constants end before this one");
    return value;
  }

  static void check_enumerant(ByteReader& in, const Attr& attr, const isa::Schema& schema, uint64_t at) {
    if (!in.ok() || attr.spec == kUnknownAttr || attr.value.kind != Kind::enumerant) return;
    const isa::AttrSpec& spec = schema.attrs[attr.spec];
    if (spec.domain == nullptr) return;
    for (const isa::EnumCase& item : spec.domain->cases)
      if (item.value == attr.value.integer) return;
    in.fail(fmt::format("{} has no value {}", spec.name, attr.value.integer), at);
  }

  // ---- the rest
  /// The functions section is an index for other readers; it must say what the code says.
  bool read_functions() {
    ByteReader in = open(Section::functions);
    const std::vector<FunctionInfo> all = functions(program_);
    const uint64_t at = in.offset();
    if (in.count(3) != all.size()) in.fail(fmt::format("the code has {} functions", all.size()), at);
    for (const FunctionInfo& function : all) {
      const uint64_t entry = in.offset();
      const StrId name = string(in);
      const uint32_t op = in.varint32();
      const uint8_t flags = in.u8();
      if (!in.ok()) break;
      if (program_.strings[name] != function.name || op != function.op || flags != function_flags(function))
        in.fail(fmt::format("function @{} is described differently in the code", function.name), entry);
    }
    return finish(Section::functions, in);
  }

  bool read_lines() {
    if (!sections_[static_cast<size_t>(Section::lines)].present) return true;
    ByteReader in = open(Section::lines);
    program_.source_name = program_.strings[string(in)];
    int64_t line = 0;
    for (Op& op : program_.ops) {
      const uint64_t at = in.offset();
      const int64_t step = in.zigzag();
      const bool fits = step >= -line && step <= int64_t{0xffffffff} - line;
      if (in.ok() && !fits) in.fail("a line number outside 0..2^32-1", at);
      if (!in.ok()) break;
      line += step;
      op.where = {static_cast<uint32_t>(line), in.varint32()};
    }
    return finish(Section::lines, in);
  }

  /// Positions rise, so that each stands once.
  bool read_origins() {
    if (!sections_[static_cast<size_t>(Section::origins)].present) return true;
    ByteReader in = open(Section::origins);
    Location last;
    const uint64_t count = in.varint(in.left());
    if (in.ok() && count == 0) in.fail("an empty list is left out", in.offset());
    for (uint64_t i = 0; i < count && in.ok(); ++i) {
      const uint64_t at = in.offset();
      Origin origin;
      const uint64_t line = uint64_t{last.line} + in.varint32();
      const uint64_t col = in.varint32();
      const uint64_t full_col = line == last.line ? uint64_t{last.col} + col : col;
      origin.where = {static_cast<uint32_t>(line), static_cast<uint32_t>(full_col)};
      origin.file = string(in);
      origin.at.line = in.varint32();
      origin.at.col = in.varint32();
      const bool rises = line != last.line || col > 0;
      if (in.ok() &&
          (!rises || line == 0 || line > 0xffffffff || full_col > 0xffffffff || origin.at.line == 0))
        in.fail("positions rise and are lines of a file", at);
      if (in.ok()) program_.origins.push_back(origin);
      last = origin.where;
    }
    return finish(Section::origins, in);
  }

  bool read_source() {
    const SectionBytes& section = sections_[static_cast<size_t>(Section::source)];
    if (!section.present) return true;
    ByteReader in = open(Section::source);
    program_.source_text = in.text(in.left());
    return true;
  }

  struct Open {
    uint32_t op = 0, next = 0;
    size_t scope = 0;
  };

  std::span<const std::byte> bytes_;
  ReadOptions options_;
  std::array<SectionBytes, kLastSection + 1> sections_;
  ByteReader constants_{{}};
  std::vector<RowId> rows_;
  std::vector<Open> open_;        ///< operations whose regions are being read
  std::vector<ValueId> visible_;  ///< values in scope, ascending
  uint64_t table_hash_ = 0;
  std::string message_;
  Error::Kind kind_ = Error::Kind::input;
  Program program_;
};

}  // namespace

Result<Program> read(std::span<const std::byte> bytes, const ReadOptions& options) {
  return Reader(bytes, options).run();
}

}  // namespace object

Result<Program> read_object(std::span<const std::byte> bytes) { return object::read(bytes, {}); }

bool is_object(std::span<const std::byte> bytes) {
  if (bytes.size() < object::kMagic.size()) return false;
  for (size_t i = 0; i < object::kMagic.size(); ++i)
    if (static_cast<uint8_t>(bytes[i]) != object::kMagic[i]) return false;
  return true;
}

}  // namespace pto
