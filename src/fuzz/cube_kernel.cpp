// Structured kernels of products: on the cube core alone, or through a queue to a vector core.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <set>
#include <string_view>

#include "fuzz/kernel_generator.hpp"

namespace pto::fuzz {
namespace {

/// Products of f16 matrices of small whole numbers, which are exact: on the cube core alone, or handed
/// through a queue to a vector core that adds to them.
class CubeKernel {
 public:
  explicit CubeKernel(Choices& choices) : c_(choices) {
    m_ = 16 * static_cast<int64_t>(1 + c_.below(2));
    n_ = 16 * static_cast<int64_t>(1 + c_.below(2));
    chunks_ = static_cast<int64_t>(1 + c_.below(4));
    turns_ = static_cast<int64_t>(1 + c_.below(4));
    queue_ = c_.chance(110);
    skip_ = static_cast<int64_t>(c_.below(3));
    target_ = queue_ || c_.chance(128) ? "a5" : "a2a3";
    adds_ = 1 + c_.below(3);
  }

  GeneratedKernel make() {
    GeneratedKernel built;
    built.floats = true;
    built.text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n{}}}\n", target_,
                             queue_ ? cube(true) + vector() : cube(false));
    Argument a, b, o;
    a.name = "a";
    a.bytes = halves(m_ * turns_, kInner * chunks_, a_);
    b.name = "b";
    b.bytes = halves(kInner * chunks_, n_, b_);
    o.name = "o";
    o.bytes.resize(static_cast<size_t>(m_ * turns_ * n_) * 4);
    built.arguments = {a, b, o};
    built.wanted = product();
    built.steps = static_cast<uint64_t>(turns_ * chunks_);
    return built;
  }

 private:
  static constexpr int64_t kInner = 16;

  [[nodiscard]] std::string matrix(std::string_view space, int64_t rows, int64_t columns) const {
    constexpr std::string_view kZn = ", blayout=row_major, slayout=col_major",
                               kNz = ", blayout=col_major, slayout=row_major";
    const bool right = space == "right";
    const bool a2a3_left = space == "left" && target_ == "a2a3";
    return fmt::format("!pto.tile_buf<{}, {}x{}x{}{}>", space, rows, columns, space == "acc" ? "f32" : "f16",
                       right            ? std::string(kZn)
                       : a2a3_left      ? std::string(", blayout=row_major, slayout=row_major")
                       : space == "acc" ? std::string(kNz) + ", fractal=1024"
                                        : std::string(kNz));
  }

  /// Numbers from -3 to 3.
  std::vector<std::byte> halves(int64_t rows, int64_t columns, std::vector<int>& numbers) {
    constexpr std::array<uint16_t, 7> kHalves = {0xc200, 0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000, 0x4200};
    std::vector<std::byte> bytes(static_cast<size_t>(rows * columns) * 2);
    const size_t seed = c_.below(7);
    for (size_t i = 0; i < static_cast<size_t>(rows * columns); ++i) {
      const size_t which = (i * 5 + i / 11 + seed) % kHalves.size();
      numbers.push_back(static_cast<int>(which) - 3);
      std::memcpy(bytes.data() + 2 * i, &kHalves[which], 2);
    }
    return bytes;
  }

  /// Of each iteration: a part of the rows of A times B, in chunks of the inner dimension.
  [[nodiscard]] std::string cube(bool pushes) const {
    const std::string a_part = fmt::format("!pto.partition_tensor_view<{}x{}xf16>", m_, kInner);
    const std::string b_part = fmt::format("!pto.partition_tensor_view<{}x{}xf16>", kInner, n_);
    const std::string o_part = fmt::format("!pto.partition_tensor_view<{}x{}xf32>", m_, n_);
    const std::string ma = matrix("mat", m_, kInner);
    const std::string mb = matrix("mat", kInner, n_);
    const std::string left = matrix("left", m_, kInner);
    const std::string right = matrix("right", kInner, n_);
    const std::string acc = matrix("acc", m_, n_);
    std::string text = fmt::format(
        "func.func @k{}(%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %o: !pto.ptr<f32>) attributes {{{}}} {{\n",
        pushes ? "_aic" : "", pushes ? "pto.kernel_kind = #pto.kernel_kind<cube>" : "pto.entry");
    std::set<int64_t> numbers = {0, 1, kInner, m_, n_, chunks_, turns_, kInner * chunks_, m_ * turns_};
    for (const int64_t number : numbers)
      text += fmt::format("%c{} = arith.constant {} : index\n", number, number);
    if (pushes)
      text += fmt::format(
          "%zero = arith.constant 0 : i32\n%q = pto.import_reserved_buffer {{name = \"q\", peer_func = "
          "@k_aiv}} -> i32\n"
          "pto.aic_initialize_pipe {{dir_mask = 1, slot_size = {}}} (c2v_consumer_buf = %q : i32, "
          "v2c_consumer_buf = %zero : i32)\n",
          m_ * n_ * 4);
    text += fmt::format(
        "%va = pto.make_tensor_view %a, shape = [%c{}, %c{}], strides = [%c{}, %c1] : "
        "!pto.tensor_view<?x?xf16>\n"
        "%vb = pto.make_tensor_view %b, shape = [%c{}, %c{}], strides = [%c{}, %c1] : "
        "!pto.tensor_view<?x?xf16>\n"
        "%vo = pto.make_tensor_view %o, shape = [%c{}, %c{}], strides = [%c{}, %c1] : "
        "!pto.tensor_view<?x?xf32>\n",
        m_ * turns_, kInner * chunks_, kInner * chunks_, kInner * chunks_, n_, n_, m_ * turns_, n_, n_);
    text += fmt::format(
        "%ma = pto.alloc_tile : {}\n%mb = pto.alloc_tile : {}\n%l = pto.alloc_tile : {}\n"
        "%r = pto.alloc_tile : {}\n%s = pto.alloc_tile : {}\n",
        ma, mb, left, right, acc);
    text += fmt::format(
        "scf.for %t = %c0 to %c{} step %c1 {{\n%row = arith.muli %t, %c{} : index\n"
        "scf.for %i = %c0 to %c{} step %c1 {{\n%at = arith.muli %i, %c{} : index\n"
        "%pa = pto.partition_view %va, offsets = [%row, %at], sizes = [%c{}, %c{}] : "
        "!pto.tensor_view<?x?xf16> -> {}\n"
        "%pb = pto.partition_view %vb, offsets = [%at, %c0], sizes = [%c{}, %c{}] : "
        "!pto.tensor_view<?x?xf16> -> {}\n"
        "pto.tload ins(%pa : {}) outs(%ma : {})\npto.tload ins(%pb : {}) outs(%mb : {})\n"
        "pto.tmov ins(%ma : {}) outs(%l : {})\npto.tmov ins(%mb : {}) outs(%r : {})\n"
        "%first = arith.cmpi eq, %i, %c0 : index\n"
        "scf.if %first {{\npto.tmatmul ins(%l, %r : {}, {}) outs(%s : {})\n}} else {{\n"
        "pto.tmatmul.acc ins(%s, %l, %r : {}, {}, {}) outs(%s : {})\n}}\n}}\n",
        turns_, m_, chunks_, kInner, m_, kInner, a_part, kInner, n_, b_part, a_part, ma, b_part, mb, ma, left,
        mb, right, left, right, acc, acc, left, right, acc);
    text += pushes ? fmt::format("pto.tpush_to_aiv(%s : {}) {{split = 0}}\n", acc)
                   : fmt::format(
                         "%po = pto.partition_view %vo, offsets = [%row, %c0], sizes = [%c{}, %c{}] : "
                         "!pto.tensor_view<?x?xf32> -> {}\npto.tstore ins(%s : {}) outs(%po : {})\n",
                         m_, n_, o_part, acc, o_part);
    return text + "}\nreturn\n}\n";
  }

  /// Takes each product, adds it to itself, and stores it, but for every so many-th one.
  [[nodiscard]] std::string vector() const {
    const std::string tile = fmt::format("!pto.tile_buf<vec, {}x{}xf32>", m_, n_);
    const std::string part = fmt::format("!pto.partition_tensor_view<{}x{}xf32>", m_, n_);
    std::string text =
        "func.func @k_aiv(%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %o: !pto.ptr<f32>) attributes "
        "{pto.kernel_kind = #pto.kernel_kind<vector>} {\n%zero = arith.constant 0 : i32\n";
    std::set<int64_t> numbers = {0, 1, m_, n_, turns_, m_ * turns_, skip_};
    for (const int64_t number : numbers)
      text += fmt::format("%c{} = arith.constant {} : index\n", number, number);
    text += fmt::format(
        "%q = pto.reserve_buffer {{name = \"q\", size = {}, location = #pto.address_space<vec>, auto = "
        "true}} -> i32\n"
        "pto.aiv_initialize_pipe {{dir_mask = 1, slot_size = {}}} (c2v_consumer_buf = %q : i32, "
        "v2c_consumer_buf = "
        "%zero : i32)\n"
        "%vo = pto.make_tensor_view %o, shape = [%c{}, %c{}], strides = [%c{}, %c1] : "
        "!pto.tensor_view<?x?xf32>\n"
        "%sum = pto.alloc_tile : {}\nscf.for %t = %c0 to %c{} step %c1 {{\n",
        m_ * n_ * 4 * 8, m_ * n_ * 4, m_ * turns_, n_, n_, tile, turns_);
    text += fmt::format(
        "%got = pto.tpop_from_aic {{split = 0}} -> {}\n"
        "pto.tadd ins(%got, %got : {}, {}) outs(%sum : {})\npto.tfree_from_aic {{split = 0}}\n",
        tile, tile, tile, tile);
    for (size_t i = 1; i < adds_; ++i)
      text += fmt::format("pto.tadd ins(%sum, %sum : {}, {}) outs(%sum : {})\n", tile, tile, tile);
    text += fmt::format(
        "%kept = arith.cmpi ne, %t, %c{} : index\nscf.if %kept {{\n%row = arith.muli %t, %c{} : index\n"
        "%po = pto.partition_view %vo, offsets = [%row, %c0], sizes = [%c{}, %c{}] : "
        "!pto.tensor_view<?x?xf32> -> {}\npto.tstore ins(%sum : {}) outs(%po : {})\n}}\n}}\nreturn\n}}\n",
        skip_, m_, m_, n_, part, tile, part);
    return text;
  }

  [[nodiscard]] std::vector<std::byte> product() const {
    const int64_t inner = kInner * chunks_;
    std::vector<std::byte> bytes(static_cast<size_t>(m_ * turns_ * n_) * 4);
    for (int64_t row = 0; row < m_ * turns_; ++row) {
      for (int64_t column = 0; column < n_; ++column) {
        int sum = 0;
        for (int64_t k = 0; k < inner; ++k)
          sum += a_[static_cast<size_t>(row * inner + k)] * b_[static_cast<size_t>(k * n_ + column)];
        if (queue_) sum = row / m_ == skip_ ? 0 : sum << adds_;
        const auto real = static_cast<float>(sum);
        std::memcpy(bytes.data() + 4 * static_cast<size_t>(row * n_ + column), &real, 4);
      }
    }
    return bytes;
  }

  Choices& c_;
  int64_t m_ = 16, n_ = 16, chunks_ = 1, turns_ = 1, skip_ = 0;
  bool queue_ = false;
  std::string_view target_;
  size_t adds_ = 1;
  std::vector<int> a_, b_;
};

}  // namespace

GeneratedKernel generate_cube_kernel(Choices& choices) { return CubeKernel(choices).make(); }

}  // namespace pto::fuzz
