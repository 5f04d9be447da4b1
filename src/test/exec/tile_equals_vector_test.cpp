// Every A5 tile instruction that vector instructions make beside those instructions, bit by bit on edge
// values. The sequences are those of the public A5 tile library and of the assembler's templates.
// Over 500 lines: one table of sequences and the machine that plays them.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "exec/vector/vector_fixture.hpp"
#include "isa/rows/families.hpp"

namespace pto::exec::test {
namespace {

using Bits = std::vector<uint64_t>;

constexpr Elem kFloats[] = {Elem::f16, Elem::bf16, Elem::f32};
constexpr Elem kHalfAndSingle[] = {Elem::f16, Elem::f32};
constexpr Elem kIntegers[] = {Elem::i8, Elem::i16, Elem::i32, Elem::ui8, Elem::ui16, Elem::ui32};

/// The names of the tile instructions that a test has compared.
std::set<std::string, std::less<>>& compared() {
  static std::set<std::string, std::less<>> names;
  return names;
}

uint64_t low(Elem elem, uint64_t bits) { return bits & (~uint64_t{0} >> (64 - 8 * byte_width(elem))); }

/// Zeros, infinities, NaNs of both kinds and signs, denormals, limits, and numbers whose sums and products
/// round.
Bits edges(Elem elem) {
  switch (elem) {
    case Elem::f16:
      return {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01,
              0x0001, 0x83ff, 0x0400, 0x7bff, 0xfbff, 0x3555, 0x4248, 0x6801, 0xc87f};
    case Elem::bf16:
      return {0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81,
              0x0001, 0x807f, 0x0080, 0x7f7f, 0xff7f, 0x3eab, 0x4049, 0x4e81, 0xc10f};
    case Elem::f32:
      return {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
              0x7fc00000, 0xffc12345, 0x7f800001, 0x00000001, 0x807fffff, 0x00800000,
              0x7f7fffff, 0xff7fffff, 0x3eaaaaab, 0x40490fdb, 0x4b800001, 0xc2c80001};
    default: {
      const uint64_t width = 8 * byte_width(elem);
      const uint64_t top = uint64_t{1} << (width - 1);
      Bits list{0,         1,         2,   3,       5,   7,       width - 1,    width,
                width + 1, 2 * width, 100, top - 1, top, top + 1, ~uint64_t{0}, ~uint64_t{1},
                77,        64};
      for (uint64_t& value : list) value = low(elem, value);
      return list;
    }
  }
}

/// Numbers of mixed sizes, the same ones each time.
uint64_t scattered(Elem elem, uint64_t seed) {
  uint64_t x = seed * 0x9e3779b97f4a7c15 + 0x1234567;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9;
  x ^= x >> 32;
  if (!is_float(elem)) return low(elem, x);
  const double size =
      std::ldexp(1.0 + static_cast<double>(x & 0xffff) / 65536, static_cast<int>(x >> 20 & 7) - 4);
  return num::from_f64(elem, (x >> 40 & 1) != 0 ? size : -size);
}

// ---- the vector side
class Lanes {
 public:
  Elem elem;
  explicit Lanes(Elem e) : elem(e) {}

  static unsigned count(Elem e) { return 256 / byte_width(e); }
  static Arg reg(Elem e, const Bits& values, uint64_t first, uint64_t n) {
    return MicroBench::vreg(e, [&](unsigned i) { return i < n ? values[first + i] : uint64_t{0}; });
  }
  static Arg first_lanes(Elem e, uint64_t n) {
    return MicroBench::mask(byte_width(e), [n](unsigned i) { return i < n; });
  }
  /// One instruction over whole vectors, register by register.
  Bits operator()(std::string_view name, const std::vector<Bits>& operands,
                  const std::vector<Arg>& scalars = {}) {
    Bits out;
    for (uint64_t first = 0; first < operands[0].size(); first += count(elem)) {
      const uint64_t n = std::min<uint64_t>(count(elem), operands[0].size() - first);
      std::vector<Slot> slots;
      for (const Bits& values : operands) slots.push_back({reg(elem, values, first, n)});
      for (const Arg& value : scalars) slots.push_back({value});
      slots.push_back({first_lanes(elem, n)});
      bench_.run(name, slots, {MicroBench::vreg_type(elem)});
      for (unsigned i = 0; i < n; ++i) out.push_back(bench_.lane(i));
    }
    return out;
  }
  /// A reduction of the first n elements of one register: its first lanes.
  std::pair<uint64_t, uint64_t> reduce(std::string_view name, const Bits& values, uint64_t first,
                                       uint64_t n) {
    bench_.run(name, {{reg(elem, values, first, n)}, {first_lanes(elem, n)}}, {MicroBench::vreg_type(elem)});
    return {bench_.lane(0), bench_.lane(1)};
  }
  /// A comparison: one truth per element.
  std::vector<bool> compare(const std::string& mode, const Bits& a, const Bits& b) {
    std::vector<bool> out;
    for (uint64_t first = 0; first < a.size(); first += count(elem)) {
      const uint64_t n = std::min<uint64_t>(count(elem), a.size() - first);
      bench_.run("pto.vcmp", {{reg(elem, a, first, n)}, {reg(elem, b, first, n)}, {first_lanes(elem, n)}},
                 {MicroBench::mask_type(byte_width(elem))}, {{"cmp_mode", mode}});
      for (unsigned i = 0; i < n; ++i) out.push_back(bench_.bit(i * byte_width(elem)));
    }
    return out;
  }
  std::pair<Bits, Bits> interleave(const Bits& a, const Bits& b) {
    bench_.run("pto.vintlv", {{reg(elem, a, 0, a.size())}, {reg(elem, b, 0, b.size())}},
               {MicroBench::vreg_type(elem), MicroBench::vreg_type(elem)});
    std::pair<Bits, Bits> out;
    for (unsigned i = 0; i < count(elem); ++i) {
      out.first.push_back(bench_.lane(i, 0));
      out.second.push_back(bench_.lane(i, 1));
    }
    return out;
  }
  /// vcvt (or vtrc) of every element alone.
  Bits convert(std::string_view name, Elem to, const Bits& values,
               const std::map<std::string, std::string>& attrs) {
    Bits out;
    for (const uint64_t value : values) {
      bench_.run(name, {{reg(elem, {value}, 0, 1)}, {first_lanes(elem, 1)}}, {MicroBench::vreg_type(to)},
                 attrs);
      out.push_back(bench_.lane(0));
    }
    return out;
  }

 private:
  MicroBench bench_;
};

// ---- the tile side
struct TileBench : Bench {
  TileBench() { machine.target = Target::a5; }
  Arg tile_of(Elem elem, uint64_t rows, uint64_t cols, const std::function<uint64_t(uint64_t, uint64_t)>& f) {
    const int64_t width = (static_cast<int64_t>(cols) + 31) / 32 * 32;
    const Arg tile = this->tile(
        elem, {static_cast<int64_t>(rows), width, static_cast<int64_t>(rows), static_cast<int64_t>(cols)});
    for (uint64_t r = 0; r < rows; ++r) {
      for (uint64_t c = 0; c < cols; ++c)
        put(tile, static_cast<int64_t>(r), static_cast<int64_t>(c), f(r, c));
    }
    return tile;
  }
  Arg tile_of(Elem elem, uint64_t rows, uint64_t cols) {
    return tile_of(elem, rows, cols, [](uint64_t, uint64_t) { return uint64_t{0x2a}; });
  }
  Arg column(Elem elem, const Bits& values) {
    const auto n = static_cast<int64_t>(values.size());
    const Arg tile = this->tile(elem, {(n + 31) / 32 * 32, 1, n, 1}, kDn);
    for (int64_t r = 0; r < n; ++r) put(tile, r, 0, values[static_cast<size_t>(r)]);
    return tile;
  }
  Bits all(const Arg& tile) {
    Bits out;
    for (int64_t r = 0; r < tile.type.valid[0]; ++r) {
      for (int64_t c = 0; c < tile.type.valid[1]; ++c) out.push_back(bits(tile, r, c));
    }
    return out;
  }
};

void expect(std::string_view name, Elem elem, const Bits& got, const Bits& want,
            const std::function<std::string(size_t)>& where = {}) {
  compared().emplace(name);
  REQUIRE(got.size() == want.size());
  unsigned shown = 0;
  for (size_t i = 0; i < got.size() && shown < 3; ++i) {
    if (got[i] == want[i]) continue;
    ++shown;
    INFO(name << " " << to_string(elem) << " element " << i << (where ? " " + where(i) : std::string())
              << std::hex << ": tile 0x" << got[i] << ", vector 0x" << want[i]);
    CHECK(got[i] == want[i]);
  }
}

/// All pairs of edge values as two square tiles, and as two vectors.
struct Pairs {
  Bits values, left, right;
  explicit Pairs(Elem elem) : values(edges(elem)) {
    for (const uint64_t a : values) {
      for (const uint64_t b : values) {
        left.push_back(a);
        right.push_back(b);
      }
    }
  }
  [[nodiscard]] uint64_t size() const { return values.size(); }
  [[nodiscard]] std::function<std::string(size_t)> where() const {
    return [this](size_t i) { return fmt_pair(left[i], right[i]); };
  }
  static std::string fmt_pair(uint64_t a, uint64_t b) {
    std::ostringstream text;
    text << std::hex << "of 0x" << a << ", 0x" << b;
    return text.str();
  }
};

void check_binary(std::string_view tile_name, std::string_view vector_name, Elem elem, bool has_tmp = false) {
  const Pairs pairs(elem);
  TileBench bench;
  const Arg a =
      bench.tile_of(elem, pairs.size(), pairs.size(), [&](uint64_t r, uint64_t) { return pairs.values[r]; });
  const Arg b =
      bench.tile_of(elem, pairs.size(), pairs.size(), [&](uint64_t, uint64_t c) { return pairs.values[c]; });
  const Arg d = bench.tile_of(elem, pairs.size(), pairs.size());
  bench.run(tile_name, has_tmp ? std::vector<Arg>{a, b, Bench::none(), d} : std::vector<Arg>{a, b, d});
  expect(tile_name, elem, bench.all(d), Lanes(elem)(vector_name, {pairs.left, pairs.right}), pairs.where());
}

/// The second source is a column, then a row.
void check_expanded(const std::string& suffix, std::string_view vector_name, Elem elem) {
  const Pairs pairs(elem);
  const uint64_t n = pairs.size();
  TileBench bench;
  const Arg a = bench.tile_of(elem, n, n, [&](uint64_t, uint64_t c) { return pairs.values[c]; });
  const Arg column = bench.column(elem, pairs.values);
  const Arg d = bench.tile_of(elem, n, n);
  bench.run("pto.trowexpand" + suffix, {a, column, Bench::none(), d});
  expect("pto.trowexpand" + suffix, elem, bench.all(d), Lanes(elem)(vector_name, {pairs.right, pairs.left}));
  const Arg b = bench.tile_of(elem, n, n, [&](uint64_t r, uint64_t) { return pairs.values[r]; });
  const Arg row = bench.tile_of(elem, 1, n, [&](uint64_t, uint64_t c) { return pairs.values[c]; });
  bench.run("pto.tcolexpand" + suffix, {b, row, d});
  expect("pto.tcolexpand" + suffix, elem, bench.all(d), Lanes(elem)(vector_name, {pairs.left, pairs.right}));
}

/// Every edge value as the scalar. A vector instruction without scalar form gets it in all lanes.
void check_scalar(std::string_view tile_name, std::string_view vector_name, Elem elem, bool has_scalar_form,
                  bool has_tmp = false, bool scalar_first = false) {
  const Bits values = edges(elem);
  for (const uint64_t scalar : values) {
    TileBench bench;
    const Arg a = bench.tile_of(elem, 1, values.size(), [&](uint64_t, uint64_t c) { return values[c]; });
    const Arg d = bench.tile_of(elem, 1, values.size());
    const Arg s =
        bench.scalar(elem, is_float(elem) ? scalar : static_cast<Word>(num::int_value(elem, scalar)));
    std::vector<Arg> operands = scalar_first ? std::vector<Arg>{s, a} : std::vector<Arg>{a, s};
    if (has_tmp) operands.push_back(Bench::none());
    operands.push_back(d);
    bench.run(tile_name, operands);
    const Bits spread(values.size(), scalar);
    const Bits want = has_scalar_form ? Lanes(elem)(vector_name, {values}, {s})
                      : scalar_first  ? Lanes(elem)(vector_name, {spread, values})
                                      : Lanes(elem)(vector_name, {values, spread});
    expect(tile_name, elem, bench.all(d), want, [&](size_t i) { return Pairs::fmt_pair(values[i], scalar); });
  }
}

void check_unary(std::string_view tile_name, std::string_view vector_name, Elem elem) {
  const Bits values = edges(elem);
  TileBench bench;
  const Arg a = bench.tile_of(elem, 1, values.size(), [&](uint64_t, uint64_t c) { return values[c]; });
  const Arg d = bench.tile_of(elem, 1, values.size());
  bench.run(tile_name, {a, d});
  expect(tile_name, elem, bench.all(d), Lanes(elem)(vector_name, {values}),
         [&](size_t i) { return Pairs::fmt_pair(values[i], 0); });
}

/// All triples of edge values: `want(a, b, old)`.
void check_fused(std::string_view tile_name, Elem elem,
                 const std::function<Bits(Lanes&, const Bits&, const Bits&, const Bits&)>& want) {
  const Pairs pairs(elem);
  for (const uint64_t old : pairs.values) {
    TileBench bench;
    const uint64_t n = pairs.size();
    const Arg a = bench.tile_of(elem, n, n, [&](uint64_t r, uint64_t) { return pairs.values[r]; });
    const Arg b = bench.tile_of(elem, n, n, [&](uint64_t, uint64_t c) { return pairs.values[c]; });
    const Arg d = bench.tile_of(elem, n, n, [&](uint64_t, uint64_t) { return old; });
    bench.run(tile_name, {a, b, d});
    Lanes lanes(elem);
    expect(tile_name, elem, bench.all(d), want(lanes, pairs.left, pairs.right, Bits(n * n, old)),
           pairs.where());
  }
}

/// Rows that show order, rounding, NaN and zeros: edge values shifted, numbers of mixed sizes, one NaN, zeros
/// of both signs.
std::vector<Bits> rows_of(Elem elem, uint64_t cols) {
  const Bits values = edges(elem);
  std::vector<Bits> rows;
  for (uint64_t r = 0; r < 4; ++r) {
    Bits row;
    for (uint64_t c = 0; c < cols; ++c) row.push_back(scattered(elem, r * 1000 + c));
    rows.push_back(row);
  }
  rows.push_back(rows[0]);
  rows.push_back(rows[1]);
  if (is_float(elem)) {
    rows[4][cols / 2] = values[6];
    rows[5][cols - 1] = values[7];
    rows[5][0] = values[4];
    Bits zeros(cols, values[1]);
    rows.push_back(zeros);
    zeros[cols / 3] = values[0];
    rows.push_back(zeros);
    rows.emplace_back(cols, values[5]);
    rows.emplace_back(cols, values[12]);
  }
  Bits mixed;
  for (uint64_t c = 0; c < cols; ++c) mixed.push_back(values[(c * 5 + c / 7) % values.size()]);
  rows.push_back(mixed);
  return rows;
}

using RowModel = std::function<uint64_t(Lanes&, const Bits&)>;

void check_rows(std::string_view tile_name, Elem elem, Elem result, const RowModel& model) {
  for (const uint64_t cols : {1, 2, 63, 64, 65, 128, 150, 300}) {
    const std::vector<Bits> rows = rows_of(elem, cols);
    TileBench bench;
    const Arg src =
        bench.tile_of(elem, rows.size(), cols, [&](uint64_t r, uint64_t c) { return rows[r][c]; });
    const Arg d = bench.column(result, Bits(rows.size(), 0x2a));
    bench.run(tile_name, {src, Bench::none(), d});
    Bits want;
    Lanes lanes(elem);
    for (const Bits& row : rows) want.push_back(low(result, model(lanes, row)));
    expect(tile_name, elem, bench.all(d), want,
           [&](size_t i) { return "row " + std::to_string(i) + " of " + std::to_string(cols); });
  }
}

/// Calls step(first, n) for every register of a row.
void each_register(Elem elem, const Bits& row, const std::function<void(uint64_t, uint64_t)>& step) {
  for (uint64_t first = 0; first < row.size(); first += Lanes::count(elem))
    step(first, std::min<uint64_t>(Lanes::count(elem), row.size() - first));
}

RowModel reduced_by(std::string reduction, std::string combination, uint64_t start) {
  return [=](Lanes& lanes, const Bits& row) {
    uint64_t total = start;
    each_register(lanes.elem, row, [&](uint64_t first, uint64_t n) {
      total = lanes(combination, {{total}, {lanes.reduce(reduction, row, first, n).first}})[0];
    });
    return total;
  };
}

uint64_t row_product(Lanes& lanes, const Bits& row) {
  const uint64_t one = is_float(lanes.elem) ? num::from_f64(lanes.elem, 1.0) : 1;
  const Bits ones(Lanes::count(lanes.elem), one);
  Bits total = ones;
  each_register(lanes.elem, row, [&](uint64_t first, uint64_t n) {
    const auto at = static_cast<std::ptrdiff_t>(first);
    const auto size = static_cast<std::ptrdiff_t>(n);
    const Bits product = lanes("pto.vmul", {Bits(total.begin(), total.begin() + size),
                                            Bits(row.begin() + at, row.begin() + at + size)});
    std::copy(product.begin(), product.end(), total.begin());
  });
  for (unsigned steps = lanes.elem == Elem::f32 || byte_width(lanes.elem) == 4 ? 6 : 7; steps > 0; --steps) {
    const auto [even, odd] = lanes.interleave(total, ones);
    total = lanes("pto.vmul", {even, odd});
  }
  return total[0];
}

RowModel arg_by(std::string reduction, std::string mode, uint64_t start) {
  return [=](Lanes& lanes, const Bits& row) {
    uint64_t best = start, where = 0;
    each_register(lanes.elem, row, [&](uint64_t first, uint64_t n) {
      const auto [value, index] = lanes.reduce(reduction, row, first, n);
      if (lanes.compare(mode, {best}, {value})[0]) {
        best = value;
        where = first + index;
      }
    });
    return where;
  };
}

using ColumnModel = std::function<Bits(Lanes&, const std::vector<Bits>&)>;

void check_columns(std::string_view tile_name, Elem elem, Elem result, bool has_tmp,
                   const ColumnModel& model) {
  for (const uint64_t cols : {1, 18, 70}) {
    const std::vector<Bits> rows = rows_of(elem, cols);
    TileBench bench;
    const Arg src =
        bench.tile_of(elem, rows.size(), cols, [&](uint64_t r, uint64_t c) { return rows[r][c]; });
    const Arg d = bench.tile_of(result, 1, cols);
    bench.run(tile_name, has_tmp ? std::vector<Arg>{src, Bench::none(), d} : std::vector<Arg>{src, d});
    Lanes lanes(elem);
    expect(tile_name, elem, bench.all(d), model(lanes, rows));
  }
}

ColumnModel folded_by(std::string name) {
  return [=](Lanes& lanes, const std::vector<Bits>& rows) {
    Bits total = rows[0];
    for (size_t r = 1; r < rows.size(); ++r) total = lanes(name, {total, rows[r]});
    return total;
  };
}

ColumnModel column_arg(std::string mode) {
  return [=](Lanes& lanes, const std::vector<Bits>& rows) {
    Bits best = rows[0], where(rows[0].size(), 0);
    for (size_t r = 1; r < rows.size(); ++r) {
      const std::vector<bool> better = lanes.compare(mode, rows[r], best);
      for (size_t c = 0; c < better.size(); ++c) {
        if (better[c]) {
          best[c] = rows[r][c];
          where[c] = r;
        }
      }
    }
    return where;
  };
}

uint64_t negative_infinity(Elem elem) { return num::from_f64(elem, -HUGE_VAL); }
uint64_t positive_infinity(Elem elem) { return num::from_f64(elem, HUGE_VAL); }

void check_two_sources() {
  for (const Elem elem : kFloats) {
    for (const auto& [tile, vector] : std::map<std::string, std::string>{{"add", "add"},
                                                                         {"sub", "sub"},
                                                                         {"mul", "mul"},
                                                                         {"max", "max"},
                                                                         {"min", "min"},
                                                                         {"div", "div"}}) {
      check_binary("pto.t" + tile, "pto.v" + vector, elem);
      check_expanded(tile, "pto.v" + vector, elem);
    }
    check_binary("pto.tpartadd", "pto.vadd", elem);
    check_binary("pto.tpartmul", "pto.vmul", elem);
    check_binary("pto.tpartmax", "pto.vmax", elem);
    check_binary("pto.tpartmin", "pto.vmin", elem);
    check_binary("pto.tprelu", "pto.vprelu", elem, true);
    check_binary("pto.tsubrelu", "pto.vsubrelu", elem);
  }
  for (const Elem elem : kIntegers) {
    for (const char* name : {"add", "sub", "mul", "max", "min", "and", "or", "shl", "shr"})
      check_binary(std::string("pto.t") + name, std::string("pto.v") + name, elem);
    check_binary("pto.txor", "pto.vxor", elem, true);
    for (const char* name : {"add", "sub", "mul", "max", "min"})
      check_expanded(name, std::string("pto.v") + name, elem);
    for (const char* name : {"add", "mul", "max", "min"})
      check_binary(std::string("pto.tpart") + name, std::string("pto.v") + name, elem);
  }
}

void check_scalars() {
  for (const Elem elem : kFloats) {
    check_scalar("pto.tadds", "pto.vadds", elem, true);
    check_scalar("pto.tsubs", "pto.vsub", elem, false);
    check_scalar("pto.tmuls", "pto.vmuls", elem, true);
    check_scalar("pto.tdivs", "pto.vdiv", elem, false);
    check_scalar("pto.tdivs", "pto.vdiv", elem, false, false, true);
    check_scalar("pto.tmaxs", "pto.vmaxs", elem, true);
    check_scalar("pto.tmins", "pto.vmins", elem, true);
    check_scalar("pto.tlrelu", "pto.vlrelu", elem, true);
  }
  for (const Elem elem : kIntegers) {
    for (const char* name : {"adds", "muls", "maxs", "mins", "ands", "ors", "shls", "shrs"})
      check_scalar(std::string("pto.t") + name, std::string("pto.v") + name, elem, true);
    check_scalar("pto.tsubs", "pto.vsub", elem, false);
    check_scalar("pto.txors", "pto.vxors", elem, true, true);
  }
}

void check_one_source() {
  const std::map<std::string, std::string> functions{{"exp", "exp"},     {"log", "ln"},    {"sqrt", "sqrt"},
                                                     {"rsqrt", "rsqrt"}, {"recip", "rec"}, {"abs", "abs"},
                                                     {"neg", "neg"},     {"relu", "relu"}, {"not", "not"}};
  for (const auto& [tile, vector] : functions) {
    if (tile != "not") {
      for (const Elem elem : kFloats) check_unary("pto.t" + tile, "pto.v" + vector, elem);
    }
    if (tile != "abs" && tile != "neg" && tile != "relu" && tile != "not") continue;
    for (const Elem elem : {Elem::i8, Elem::i16, Elem::i32})
      check_unary("pto.t" + tile, "pto.v" + vector, elem);
  }
}

void check_products_with_sums() {
  for (const Elem elem : kHalfAndSingle) {
    const auto product_then_sum = [elem](Lanes& lanes, const Bits& a, const Bits& b, const Bits& c) {
      if (elem == Elem::f16) return lanes("pto.vadd", {c, lanes("pto.vmul", {a, b})});
      return lanes("pto.vmula", {c, a, b});
    };
    check_fused("pto.tmuladddst", elem, product_then_sum);
    check_fused("pto.tfusedmuladd", elem, [&](Lanes& lanes, const Bits& a, const Bits& b, const Bits& old) {
      return product_then_sum(lanes, a, old, b);
    });
    check_fused("pto.tfusedmuladdrelu", elem,
                [&](Lanes& lanes, const Bits& a, const Bits& b, const Bits& old) {
                  return lanes("pto.vrelu", {product_then_sum(lanes, a, old, b)});
                });
    const Pairs pairs(elem);
    for (const uint64_t scalar : pairs.values) {
      TileBench bench;
      const Arg a = bench.tile_of(elem, pairs.size(), pairs.size(),
                                  [&](uint64_t r, uint64_t) { return pairs.values[r]; });
      const Arg d = bench.tile_of(elem, pairs.size(), pairs.size(),
                                  [&](uint64_t, uint64_t c) { return pairs.values[c]; });
      bench.run("pto.taxpy", {a, bench.scalar(elem, scalar), d});
      expect("pto.taxpy", elem, bench.all(d),
             Lanes(elem)("pto.vaxpy", {pairs.left, pairs.right}, {bench.scalar(elem, scalar)}),
             pairs.where());
    }
  }
}

/// exp of the rounded difference: f32 by vexpdif, f16 by vsub and vexp.
void check_exponential_differences() {
  for (const Elem elem : kHalfAndSingle) {
    const Pairs pairs(elem);
    const uint64_t n = pairs.size();
    Lanes lanes(elem);
    const auto model = [&](const Bits& a, const Bits& b) {
      return lanes("pto.vexp", {lanes("pto.vsub", {a, b})});
    };
    TileBench bench;
    const Arg a = bench.tile_of(elem, n, n, [&](uint64_t, uint64_t c) { return pairs.values[c]; });
    const Arg column = bench.column(elem, pairs.values);
    const Arg d = bench.tile_of(elem, n, n);
    bench.run("pto.trowexpandexpdif", {a, column, Bench::none(), d});
    expect("pto.trowexpandexpdif", elem, bench.all(d), model(pairs.right, pairs.left));
    const Arg b = bench.tile_of(elem, n, n, [&](uint64_t r, uint64_t) { return pairs.values[r]; });
    const Arg row = bench.tile_of(elem, 1, n, [&](uint64_t, uint64_t c) { return pairs.values[c]; });
    bench.run("pto.tcolexpandexpdif", {b, row, d});
    expect("pto.tcolexpandexpdif", elem, bench.all(d), model(pairs.left, pairs.right));
  }
}

void check_reductions() {
  for (const Elem elem : kFloats) {
    check_rows("pto.trowsum", elem, elem, reduced_by("pto.vcadd", "pto.vadd", 0));
    check_rows("pto.trowmax", elem, elem, reduced_by("pto.vcmax", "pto.vmax", negative_infinity(elem)));
    check_rows("pto.trowmin", elem, elem, reduced_by("pto.vcmin", "pto.vmin", positive_infinity(elem)));
    check_rows("pto.trowprod", elem, elem, row_product);
    check_rows("pto.trowargmax", elem, Elem::i32, arg_by("pto.vcmax", "lt", negative_infinity(elem)));
    check_rows("pto.trowargmin", elem, Elem::i32, arg_by("pto.vcmin", "gt", positive_infinity(elem)));
    check_columns("pto.tcolsum", elem, elem, true, folded_by("pto.vadd"));
    check_columns("pto.tcolprod", elem, elem, false, folded_by("pto.vmul"));
    check_columns("pto.tcolmax", elem, elem, false, folded_by("pto.vmax"));
    check_columns("pto.tcolmin", elem, elem, false, folded_by("pto.vmin"));
    check_columns("pto.tcolargmax", elem, Elem::i32, true, column_arg("gt"));
    check_columns("pto.tcolargmin", elem, Elem::i32, true, column_arg("lt"));
  }
  for (const Elem elem : {Elem::i16, Elem::i32}) {
    check_rows("pto.trowmax", elem, elem,
               reduced_by("pto.vcmax", "pto.vmax", uint64_t{1} << (8 * byte_width(elem) - 1)));
    check_rows("pto.trowprod", elem, elem, row_product);
    check_columns("pto.tcolsum", elem, elem, true, folded_by("pto.vadd"));
    check_columns("pto.tcolmax", elem, elem, false, folded_by("pto.vmax"));
  }
  check_rows("pto.trowsum", Elem::i32, Elem::i32, reduced_by("pto.vcadd", "pto.vadd", 0));
}

/// Neighbours added: vcpadd of every register, of whole pairs; the column behind them stays.
void check_pair_sums() {
  for (const Elem elem : kHalfAndSingle) {
    for (const uint64_t cols : {2, 63, 64, 150}) {
      const std::vector<Bits> rows = rows_of(elem, cols);
      TileBench bench;
      const Arg src =
          bench.tile_of(elem, rows.size(), cols, [&](uint64_t r, uint64_t c) { return rows[r][c]; });
      const Arg d = bench.tile_of(elem, rows.size(), (cols + 1) / 2);
      bench.run("pto.tpairreducesum", {src, d});
      Bits want;
      Lanes lanes(elem);
      for (const Bits& row : rows) {
        for (uint64_t first = 0; first + 1 < cols; first += 2)
          want.push_back(lanes.reduce("pto.vcpadd", row, first, 2).first);
        if (cols % 2 != 0) want.push_back(0x2a);
      }
      expect("pto.tpairreducesum", elem, bench.all(d), want);
    }
  }
}

void check_partial_extremes() {
  for (const Elem elem : kHalfAndSingle) {
    const Pairs pairs(elem);
    const uint64_t n = pairs.size();
    for (const bool greatest : {true, false}) {
      TileBench bench;
      const Arg a = bench.tile_of(elem, n, n, [&](uint64_t r, uint64_t) { return pairs.values[r]; });
      const Arg b = bench.tile_of(elem, n, n, [&](uint64_t, uint64_t c) { return pairs.values[c]; });
      const Arg ai = bench.tile_of(Elem::i32, n, n, [&](uint64_t, uint64_t) { return 1; });
      const Arg bi = bench.tile_of(Elem::i32, n, n, [&](uint64_t, uint64_t) { return 2; });
      const Arg d = bench.tile_of(elem, n, n);
      const Arg di = bench.tile_of(Elem::i32, n, n);
      const char* name = greatest ? "pto.tpartargmax" : "pto.tpartargmin";
      bench.run(name, {a, b, ai, bi, d, di});
      const std::vector<bool> second = Lanes(elem).compare(greatest ? "gt" : "lt", pairs.right, pairs.left);
      Bits value, index;
      for (size_t i = 0; i < second.size(); ++i) {
        value.push_back(second[i] ? pairs.right[i] : pairs.left[i]);
        index.push_back(second[i] ? 2 : 1);
      }
      expect(name, elem, bench.all(d), value, pairs.where());
      expect(name, elem, bench.all(di), index, pairs.where());
    }
  }
}

void check_conversions() {
  struct Pair {
    Elem from, to;
    const char* sat;
  };
  constexpr Pair kPairs[] = {{Elem::f32, Elem::f16, "SAT"},    {Elem::f32, Elem::bf16, "SAT"},
                             {Elem::bf16, Elem::f16, "SAT"},   {Elem::f16, Elem::f32, nullptr},
                             {Elem::bf16, Elem::f32, nullptr}, {Elem::f32, Elem::i32, "SAT"},
                             {Elem::f32, Elem::i64, "SAT"},    {Elem::bf16, Elem::i32, "SAT"}};
  constexpr std::pair<int64_t, const char*> kModes[] = {{1, "R"}, {2, "A"}, {3, "F"}, {4, "C"}, {5, "Z"}};
  for (const Pair& pair : kPairs) {
    Bits values = edges(pair.from);
    for (uint64_t i = 0; i < 64; ++i) values.push_back(scattered(pair.from, i));
    for (const auto& [number, rnd] : kModes) {
      const auto mode = number;  // clang 14 captures no part of a pair
      TileBench bench;
      const Arg a =
          bench.tile_of(pair.from, 1, values.size(), [&](uint64_t, uint64_t c) { return values[c]; });
      const Arg d = bench.tile_of(pair.to, 1, values.size());
      bench.run("pto.tcvt", {a, d}, {{0, mode}});
      std::map<std::string, std::string> attrs;
      if (pair.sat != nullptr) attrs = {{"rnd", rnd}, {"sat", pair.sat}};
      if (byte_width(pair.from) != byte_width(pair.to)) attrs["part"] = "EVEN";
      expect("pto.tcvt", pair.to, bench.all(d), Lanes(pair.from).convert("pto.vcvt", pair.to, values, attrs),
             [&](size_t i) { return Pairs::fmt_pair(values[i], static_cast<uint64_t>(mode)); });
      bench.run("pto.tcvt", {a, a}, {{0, mode}});
      if (pair.from != Elem::f32) continue;
      expect("pto.tcvt", Elem::f32, bench.all(a),
             Lanes(pair.from).convert("pto.vtrc", Elem::f32, values, {{"round_mode", rnd}}));
    }
  }
}

void check_comparisons() {
  constexpr const char* kModes[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (const Elem elem : {Elem::f16, Elem::f32, Elem::i32, Elem::ui16}) {
    const Pairs pairs(elem);
    const uint64_t n = pairs.size();
    for (int64_t mode = 0; mode < 6; ++mode) {
      const std::vector<bool> want = Lanes(elem).compare(kModes[mode], pairs.left, pairs.right);
      TileBench bench;
      const Arg a = bench.tile_of(elem, n, n, [&](uint64_t r, uint64_t) { return pairs.values[r]; });
      const Arg b = bench.tile_of(elem, n, n, [&](uint64_t, uint64_t c) { return pairs.values[c]; });
      const Arg mask = bench.tile_of(Elem::ui8, n, (n + 7) / 8);
      bench.run("pto.tcmp", {a, b, mask}, {{0, mode}});
      Bits got, bits;
      for (uint64_t i = 0; i < n * n; ++i) {
        got.push_back(bench.bits(mask, static_cast<int64_t>(i / n), static_cast<int64_t>(i % n / 8)) >>
                          (i % n % 8) &
                      1);
        bits.push_back(want[i] ? 1 : 0);
      }
      expect("pto.tcmp", elem, got, bits, pairs.where());
      for (uint64_t s = 0; s < n; ++s) {  // one row of data: rows and streams of mask bits are the same
        const Arg line = bench.tile_of(elem, 1, n, [&](uint64_t, uint64_t c) { return pairs.values[c]; });
        const Arg row = bench.tile_of(Elem::ui8, 1, (n + 7) / 8);
        bench.run(
            "pto.tcmps",
            {line,
             bench.scalar(elem, is_float(elem) ? pairs.values[s]
                                               : static_cast<Word>(num::int_value(elem, pairs.values[s]))),
             row},
            {{0, mode}});
        Bits line_got, line_want;
        for (uint64_t c = 0; c < n; ++c) {
          line_got.push_back(bench.bits(row, 0, static_cast<int64_t>(c / 8)) >> (c % 8) & 1);
          line_want.push_back(want[c * n + s] ? 1 : 0);
        }
        expect("pto.tcmps", elem, line_got, line_want);
      }
    }
  }
}

}  // namespace

TEST_CASE("tsort32 on A5 sorts as vbitsort does", "[tile][a5][N-sort-nan]") {
  for (const Elem elem : kHalfAndSingle) {
    Bits scores;
    for (uint64_t i = 0; i < 64; ++i)
      scores.push_back(i % 3 == 0 ? edges(elem)[i % edges(elem).size()] : scattered(elem, i));
    TileBench bench;
    const uint64_t per_record = 8 / byte_width(elem);
    const Arg src = bench.tile_of(elem, 1, 64, [&](uint64_t, uint64_t c) { return scores[c]; });
    const Arg index =
        bench.tile_of(Elem::ui32, 1, 64, [&](uint64_t, uint64_t c) { return (c * 37 + 11) % 64; });
    const Arg d = bench.tile_of(elem, 1, 64 * per_record);
    bench.run("pto.tsort32", {src, index, Bench::none(), d});
    MicroBench micro;
    for (uint64_t i = 0; i < 64; ++i) {
      std::memcpy(micro.memory.bytes(Space::ub, 1).data() + i * byte_width(elem), &scores[i],
                  byte_width(elem));
      micro.put<uint32_t>(Space::ub, 1024 + 4 * i, static_cast<uint32_t>((i * 37 + 11) % 64));
    }
    micro.run("pto.vbitsort", {{MicroBench::ptr(elem, Space::ub, 2048)},
                               {MicroBench::ptr(elem, Space::ub, 0)},
                               {MicroBench::ptr(Elem::ui32, Space::ub, 1024)},
                               {MicroBench::scalar(Elem::index, 2)}});
    Bits want;
    for (uint64_t i = 0; i < 64 * per_record; ++i) {
      uint64_t bits = 0;
      std::memcpy(&bits, micro.memory.bytes(Space::ub, 1).data() + 2048 + i * byte_width(elem),
                  byte_width(elem));
      want.push_back(bits);
    }
    expect("pto.tsort32", elem, bench.all(d), want);
  }
}

TEST_CASE("every A5 tile operation gives what its vector instructions give, or has none",
          "[tile][a5][N-lane-tiles][N-arith-nan][N-max-nan][N-relu-nan][N-lrelu-select]"
          "[N-shift-count][N-fma-round][N-axpy-round][N-expdif-round][N-abs-sign][N-sum-lanes]"
          "[N-sum-product][N-sum-start][N-extreme-nan][N-extreme-pieces][N-part-tie]"
          "[N-cvt-default-float]") {
  check_two_sources();
  check_scalars();
  check_one_source();
  check_products_with_sums();
  check_exponential_differences();
  check_reductions();
  check_partial_extremes();
  check_pair_sums();
  check_conversions();
  check_comparisons();
  const std::map<std::string_view, std::string_view> others{
      {"pto.trem", "several instructions; the result is the exact remainder"},
      {"pto.trems", "as trem"},
      {"pto.tfmod", "as trem"},
      {"pto.tfmods", "as trem"},
      {"pto.tpow", "several instructions; evaluated in f64"},
      {"pto.tpows", "as tpow"},
      {"pto.taddc", "no A5 sequence is public"},
      {"pto.tsubc", "no A5 sequence is public"},
      {"pto.taddsc", "no A5 sequence is public"},
      {"pto.tsubsc", "no A5 sequence is public"},
      {"pto.taddrelu", "not on A5"},
      {"pto.tadddeqrelu", "its own test"},
      {"pto.taddreluconv", "its own test"},
      {"pto.tsubreluconv", "its own test"},
      {"pto.texpands", "moves bits"},
      {"pto.trowexpand", "moves bits"},
      {"pto.tcolexpand", "moves bits"},
      {"pto.tsel", "moves bits"},
      {"pto.tsels", "moves bits"},
      {"pto.tquant", "several instructions"},
      {"pto.tquant.mx", "its own test"},
      {"pto.tdequant", "several instructions"},
      {"pto.tquant_dn", "several instructions"},
      {"pto.tquant_hif4", "several instructions"},
      {"pto.tci", "integers"},
      {"pto.ttri", "constants"},
      {"pto.trandom", "integers"},
  };
  for (const isa::Family& family : isa::families()) {
    if (family.name != "tile-elementwise" && family.name != "tile-scalar" &&
        family.name != "tile-select-convert" && family.name != "tile-reduce-expand")
      continue;
    for (const isa::Row& row : family.rows) {
      if (find(row.name) == nullptr || others.contains(row.name)) continue;
      INFO(row.name);
      CHECK(compared().contains(row.name));
    }
  }
  for (const auto& [name, why] : others) {
    INFO(name << " " << why);
    CHECK_FALSE(compared().contains(name));
  }
}

}  // namespace pto::exec::test
