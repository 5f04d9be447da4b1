// Conversions between layouts against a byte-wise evaluation of the instructions that they emit.
#include "lower/layout_conversion.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "lower/lowering_fixture.hpp"

namespace pto::lower {
namespace {

using test::StateBench;
using Bytes = std::array<uint8_t, kRegisterBytes>;

/// The contents of registers and constants, by value.
class Registers {
 public:
  explicit Registers(const Program& program) : program_(program) {}
  Bytes& operator[](ValueId value) { return bytes_[value]; }

  void run() {
    for (uint32_t op = 0; op < program_.ops.size(); ++op) run(OpView(program_, op));
  }

 private:
  void run(const OpView& op) {
    const RowId row = op.op().row;
    const auto is = [&](Lowering part) { return row == isa::instruction(part); };
    if (isa::opcode_class(op) == isa::OpcodeClass::constant) {
      number_[op.result(0)] = op.attr("value")->integer;
    } else if (is(Lowering::to_interleave) || is(Lowering::to_deinterleave)) {
      shuffle(op, is(Lowering::to_deinterleave));
    } else if (is(Lowering::to_pack)) {
      pack(op);
    } else if (is(Lowering::to_unpack)) {
      unpack(op);
    } else if (is(Lowering::to_or)) {
      const Bytes a = bytes_.at(op.operand(0)), b = bytes_.at(op.operand(1));
      for (unsigned i = 0; i < kRegisterBytes; ++i) bytes_[op.result(0)][i] = a[i] | b[i];
    } else if (op.mnemonic() == "pto.vbitcast") {
      bytes_[op.result(0)] = bytes_.at(op.operand(0));
    }
  }

  [[nodiscard]] unsigned width(ValueId value) const { return byte_width(program_.type_of(value).elem); }

  /// Elements of two registers by turns into two others, or back.
  void shuffle(const OpView& op, bool apart) {
    const unsigned size = width(op.operand(0)), n = kRegisterBytes / size;
    const Bytes sources[] = {bytes_.at(op.operand(0)), bytes_.at(op.operand(1))};
    for (unsigned i = 0; i < 2 * n; ++i) {
      const unsigned source = apart ? i : i / 2 + i % 2 * n, target = apart ? i / 2 + i % 2 * n : i;
      std::memcpy(&bytes_[op.result(target / n)][target % n * size], &sources[source / n][source % n * size],
                  size);
    }
  }
  void pack(const OpView& op) {
    const unsigned size = width(op.result(0)), n = kRegisterBytes / size / 2;
    const auto part = static_cast<size_t>(isa::schema(op.op().row).attr_index("part"));
    const isa::EnumDomain& parts = *isa::schema(op.op().row).attrs[part].domain;
    const bool higher = isa::case_name(parts, op.attr("part")->integer) == "HIGHER";
    const Bytes source = bytes_.at(op.operand(0));
    Bytes built{};
    for (unsigned i = 0; i < n; ++i)
      std::memcpy(&built[(i + (higher ? n : 0)) * size], &source[2 * i * size], size);
    bytes_[op.result(0)] = built;
  }
  void unpack(const OpView& op) {
    const unsigned size = width(op.operand(0)), n = kRegisterBytes / size / 2;
    const Bytes source = bytes_.at(op.operand(0));
    Bytes built{};
    for (unsigned i = 0; i < n; ++i)
      std::memcpy(&built[2 * i * size], &source[(i + number_.at(op.operand(1)) * n) * size], size);
    bytes_[op.result(0)] = built;
  }

  const Program& program_;
  std::map<ValueId, Bytes> bytes_;
  std::map<ValueId, int64_t> number_;
};

/// Bytes of a lane that tell it from the other lanes.
std::array<uint8_t, kWordBytes> bytes_of(unsigned lane) {
  return {static_cast<uint8_t>(lane), static_cast<uint8_t>(lane * 7 + 3), static_cast<uint8_t>(lane * 5 + 1),
          static_cast<uint8_t>(lane * 3 + 2)};
}

TEST_CASE("every lane is at its position of the other layout after a conversion", "[lower]") {
  size_t conversions = 0;
  for (const unsigned width : {1U, 2U, 4U}) {
    for (const unsigned lanes : {16U, 64U, 128U, 256U}) {
      const Shape shape{lanes, width};
      for (const unsigned from_streams : {1U, 2U, 4U}) {
        for (const unsigned to_streams : {1U, 2U, 4U}) {
          const Layout from{.streams = from_streams}, to{.streams = to_streams};
          if (!from.fits(shape) || !to.fits(shape)) continue;
          StateBench bench("");
          const Regs source = bench.registers(from.registers(shape), unsigned_elem(width));
          const Regs result = convert_layout(bench.state, source, shape, from, to);
          REQUIRE_FALSE(bench.state.refusal);
          REQUIRE(result.size() == to.registers(shape));
          Registers registers(bench.output);
          for (const ValueId reg : source) registers[reg].fill(0);
          for (unsigned lane = 0; lane < lanes; ++lane) {
            const Place place = from.place_of(shape, lane);
            std::memcpy(&registers[source[place.reg]][place.lane * width], bytes_of(lane).data(), width);
          }
          registers.run();
          INFO(lanes << " lanes of " << width << " bytes, " << from_streams << " to " << to_streams);
          for (unsigned lane = 0; lane < lanes; ++lane) {
            const Place place = to.place_of(shape, lane);
            const uint8_t* const found = &registers[result[place.reg]][place.lane * width];
            CHECK(std::equal(found, found + width, bytes_of(lane).begin()));
          }
          ++conversions;
        }
      }
    }
  }
  CHECK(conversions > 90);
}

TEST_CASE("the inverse of an interleaving costs nothing", "[lower]") {
  StateBench bench("");
  const Regs source = bench.registers(2, Elem::ui32);
  const RegPair apart = interleave_pair(bench.state, true, source[0], source[1]);
  const size_t ops = bench.output.ops.size();
  CHECK(interleave_pair(bench.state, false, apart[0], apart[1]) == RegPair{source[0], source[1]});
  CHECK(bench.output.ops.size() == ops);
}

TEST_CASE("a mask of blocks is not converted to lanes", "[lower]") {
  StateBench bench("");
  bench.output.values.push_back({bench.state.writer.mask_type(4), 0});
  const Regs masks(2, static_cast<ValueId>(bench.output.values.size() - 1));
  const Form from{{.streams = 2, .blocks = true}, 4}, to{{.streams = 2}, 4};
  convert_mask_layout(bench.state, masks, 128, from, to);
  REQUIRE(bench.state.refusal);
  CHECK(bench.state.refusal->why.ends_with("a mask would have to move between blocks or groups"));
}

}  // namespace
}  // namespace pto::lower
