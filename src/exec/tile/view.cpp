#include "exec/tile/view.hpp"

#include <algorithm>
#include <vector>

#include "exec/address_math.hpp"
#include "support/saturating.hpp"

namespace pto::exec {
namespace {

struct Dim {
  int64_t extent, stride;
};

/// The window's dimensions without those of one element, larger strides first, neighbours merged.
std::vector<Dim> merged(std::vector<Dim> dims) {
  std::erase_if(dims, [](const Dim& dim) { return dim.extent == 1; });
  std::stable_sort(dims.begin(), dims.end(),
                   [](const Dim& a, const Dim& b) { return magnitude(a.stride) > magnitude(b.stride); });
  std::vector<Dim> result;
  for (const Dim& dim : dims) {
    if (!result.empty() && result.back().stride == dim.extent * dim.stride)
      result.back() = {result.back().extent * dim.extent, dim.stride};
    else
      result.push_back(dim);
  }
  return result;
}

}  // namespace

void WindowMap::Digits::add(const ViewDesc& view, int dim) {
  extent[static_cast<size_t>(n)] = view.shape[dim];
  stride[static_cast<size_t>(n)] = view.stride[dim];
  ++n;
}

uint64_t WindowMap::Digits::count() const {
  uint64_t total = 1;
  bool empty = false;
  for (int i = 0; i < n; ++i) {
    const auto here = static_cast<uint64_t>(std::max<int64_t>(0, extent[static_cast<size_t>(i)]));
    empty = empty || here == 0;
    total = sat_mul(total, here);
  }
  return empty ? 0 : total;
}

int64_t WindowMap::Digits::offset(uint64_t index) const {
  int64_t total = 0;
  for (int i = n - 1; i > 0; --i) {
    const auto radix = static_cast<uint64_t>(std::max<int64_t>(1, extent[static_cast<size_t>(i)]));
    total += static_cast<int64_t>(index % radix) * stride[static_cast<size_t>(i)];
    index /= radix;
  }
  return total + static_cast<int64_t>(index) * stride[0];
}

IndexDigits WindowMap::Digits::first(uint64_t count) const {
  IndexDigits digits;
  for (int i = n - 1; i > 0 && count > 1; --i) {
    const auto radix = static_cast<uint64_t>(std::max<int64_t>(1, extent[static_cast<size_t>(i)]));
    if (radix == 1) continue;
    const uint64_t here = std::min(radix, count);
    if (count % here != 0) return {};
    digits.add(here, stride[static_cast<size_t>(i)]);
    count /= here;
  }
  if (count > 1 || digits.n == 0) digits.add(count, stride[0]);
  return digits;
}

int64_t WindowMap::Digits::reach(uint64_t count) const {
  int64_t total = 0;
  for (int i = n - 1; i >= 0 && count > 1; --i) {
    const auto radix = static_cast<uint64_t>(std::max<int64_t>(1, extent[static_cast<size_t>(i)]));
    const uint64_t steps = (i == 0 ? count : std::min(count, radix)) - 1;
    total = sat_add(total, sat_mul(static_cast<int64_t>(std::min<uint64_t>(steps, kMaxMagnitude)),
                                   magnitude(stride[static_cast<size_t>(i)])));
    count = count / radix + (count % radix != 0 ? 1 : 0);
  }
  return total;
}

WindowMap::WindowMap(const ViewDesc& view) {
  for (int dim = 0; dim < 5; ++dim) {
    bool is_row = dim <= 3;
    if (view.layout == kLayoutDn) is_row = dim == 3;
    if (view.layout == kLayoutNz) is_row = dim == 2 || dim == 3;
    if (view.layout == kLayoutMxA) is_row = dim != 2 && dim != 4;
    if (view.layout == kLayoutMxB) is_row = dim == 2 || dim == 4;
    (is_row ? rows_ : cols_).add(view, dim);
  }
}

bool meets_itself(const ViewDesc& view, uint64_t rows, uint64_t cols) {
  std::vector<Dim> dims;
  for (int i = 0; i < 5; ++i) {
    if (view.shape[i] > 1) dims.push_back({view.shape[i], magnitude(view.stride[i])});
  }
  std::ranges::sort(dims, {}, &Dim::stride);
  int64_t reach = 0;
  const bool apart = std::ranges::all_of(dims, [&](const Dim& dim) {
    const bool beyond = dim.stride > reach;
    reach = sat_add(reach, sat_mul(dim.extent - 1, dim.stride));
    return beyond;
  });
  constexpr uint64_t kMax = uint64_t{1} << 22;  // such windows are rare; a larger one is not looked at
  if (apart || cols == 0 || rows > kMax / cols) return false;
  const WindowMap map(view);
  if (map.reach(rows, cols) >= WindowMap::kMaxMagnitude) return false;
  std::vector<int64_t> places;
  places.reserve(rows * cols);
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t col = 0; col < cols; ++col) places.push_back(map.offset(row, col));
  }
  std::ranges::sort(places);
  return std::ranges::adjacent_find(places) != places.end();
}

Window::Window(Context& context, const ViewDesc& view, AccessMode how, uint64_t rows, uint64_t cols,
               uint32_t size)
    : map_(view), size_(size) {
  if (rows == 0 || cols == 0) return;
  if (!grant(context, view, how, rows, cols)) base_ = nullptr;
}

/// Takes one granted block; all blocks must lie in one piece of host memory.
bool Window::accept(Context& context, std::byte* memory, int64_t offset) {
  if (memory == nullptr) return false;
  if (base_ == nullptr) base_ = memory - offset * static_cast<int64_t>(size_);
  if (memory - base_ == offset * static_cast<int64_t>(size_)) return true;
  context.fault(Fault::out_of_bounds, "the window spans more than one GM allocation");
  return false;
}

/// Asks for the window block by block: the two innermost dimensions at a time.
bool Window::grant(Context& context, const ViewDesc& view, AccessMode how, uint64_t rows, uint64_t cols) {
  // From here on nothing overflows. What is as far away as this is in no memory.
  if (map_.reach(rows, cols) > WindowMap::kMaxMagnitude / static_cast<int64_t>(size_)) {
    context.memory->access(Space::gm, kNowhere, size_, how);
    return false;
  }
  std::vector<Dim> dims;
  if (rows == map_.rows() && cols == map_.cols()) {
    for (int i = 0; i < 5; ++i) dims.push_back({view.shape[i], view.stride[i]});
  } else {
    // Part of a window: row by row, or run by run where a row is not one run.
    const uint64_t runs = map_.run() >= cols ? 1 : (cols + map_.run() - 1) / map_.run();
    for (uint64_t row = 0; row < rows; ++row) {
      for (uint64_t run = 0; run < runs; ++run) {
        const uint64_t col = run * map_.run();
        const uint64_t n = std::min(cols - col, map_.run());
        const uint64_t address = moved(view.addr, map_.offset(row, col), size_);
        std::byte* memory =
            map_.step() == 1
                ? context.memory->access_rows(Space::gm, address, 1, n * size_, 0, how)
                : context.memory->access_rows(Space::gm, address, n, size_, map_.step() * size_, how);
        if (!accept(context, memory, map_.offset(row, col))) return false;
      }
    }
    return true;
  }
  dims = merged(std::move(dims));
  Dim run{1, 1}, lines{1, 0};
  if (!dims.empty() && dims.back().stride == 1) {
    run = dims.back();
    dims.pop_back();
  }
  if (!dims.empty()) {
    lines = dims.back();
    dims.pop_back();
  }
  int64_t blocks = 1;
  for (const Dim& dim : dims) blocks *= dim.extent;
  for (int64_t block = 0; block < blocks; ++block) {
    int64_t offset = 0, index = block;
    for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim) {
      offset += index % dim->extent * dim->stride;
      index /= dim->extent;
    }
    std::byte* memory = context.memory->access_rows(
        Space::gm, moved(view.addr, offset, size_), static_cast<uint64_t>(lines.extent),
        static_cast<uint64_t>(run.extent) * size_, lines.stride * static_cast<int64_t>(size_), how);
    if (!accept(context, memory, offset)) return false;
  }
  return true;
}

}  // namespace pto::exec
