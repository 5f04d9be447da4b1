// Little-endian bytes in and out, independent of the host. The reader checks every access and keeps the first
// failure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pto::object {

class ByteWriter {
 public:
  void u8(uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void u16(uint16_t value) { fixed(value, 2); }
  void u32(uint32_t value) { fixed(value, 4); }
  void u64(uint64_t value) { fixed(value, 8); }
  /// LEB128: seven bits per byte, lowest first; the shortest form.
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) u8(static_cast<uint8_t>(value | 0x80));
    u8(static_cast<uint8_t>(value));
  }
  /// Signed values with small magnitudes stay short: 0, -1, 1, -2, .. become 0, 1, 2, 3, ..
  void zigzag(int64_t value) {
    varint((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }
  void text(std::string_view value) {
    const auto* data = reinterpret_cast<const std::byte*>(value.data());
    bytes_.insert(bytes_.end(), data, data + value.size());
  }
  void append(const ByteWriter& other) {
    bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
  }
  void patch_u32(size_t at, uint32_t value) {
    for (size_t i = 0; i < 4; ++i) bytes_[at + i] = static_cast<std::byte>(value >> (8 * i));
  }
  void reserve(uint64_t bytes) { bytes_.reserve(static_cast<size_t>(bytes)); }
  [[nodiscard]] size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::span<const std::byte> view() const { return bytes_; }
  std::vector<std::byte> take_bytes() { return std::move(bytes_); }

 private:
  void fixed(uint64_t value, int n) {
    for (int i = 0; i < n; ++i) u8(static_cast<uint8_t>(value >> (8 * i)));
  }
  std::vector<std::byte> bytes_;
};

/// Reads a part of a file. After the first failure every read gives 0 and `ok()` is false.
class ByteReader {
 public:
  /// `base`: where the span begins in the file, for messages.
  explicit ByteReader(std::span<const std::byte> bytes, uint64_t base = 0) : bytes_(bytes), base_(base) {}

  [[nodiscard]] bool ok() const { return reason_.empty(); }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] size_t left() const { return bytes_.size() - at_; }
  [[nodiscard]] uint64_t offset() const { return base_ + at_; }
  [[nodiscard]] uint64_t error_offset() const { return error_offset_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }

  /// Records the first failure at the current position, or at `offset`.
  void fail(std::string reason) { fail(std::move(reason), offset()); }
  void fail(std::string reason, uint64_t offset) {
    if (!ok()) return;
    reason_ = std::move(reason);
    error_offset_ = offset;
    at_ = bytes_.size();
  }

  uint8_t u8() {
    if (at_ == bytes_.size()) {
      fail("the data ends here");
      return uint8_t{0};
    }
    return static_cast<uint8_t>(bytes_[at_++]);
  }
  uint16_t u16() { return static_cast<uint16_t>(fixed(2)); }
  uint32_t u32() { return static_cast<uint32_t>(fixed(4)); }
  uint64_t u64() { return fixed(8); }

  /// A LEB128 number in its shortest form, at most `limit`.
  uint64_t varint(uint64_t limit = ~uint64_t{0}) {
    if (at_ < bytes_.size() && static_cast<uint8_t>(bytes_[at_]) < 0x80) {
      const uint64_t value = static_cast<uint8_t>(bytes_[at_]);
      if (value > limit) return out_of_range(value, limit, offset());
      ++at_;
      return value;
    }
    return long_varint(limit);
  }
  uint32_t varint32(uint32_t limit = ~uint32_t{0}) { return static_cast<uint32_t>(varint(limit)); }
  int64_t zigzag() {
    const uint64_t value = varint();
    return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
  }
  /// A count of things that take at least `min_bytes` bytes each, so that no allocation outgrows the input.
  uint32_t count(size_t min_bytes) {
    const uint64_t begin = offset();
    const uint32_t n = varint32();
    if (ok() && n > left() / min_bytes)
      fail("a count of " + std::to_string(n) + " is more than the remaining bytes can hold", begin);
    return ok() ? n : 0;
  }
  std::string_view text(size_t n) {
    if (n > left()) {
      fail("a string of " + std::to_string(n) + " bytes runs over the end");
      return std::string_view{};
    }
    const std::string_view value(reinterpret_cast<const char*>(bytes_.data()) + at_, n);
    at_ += n;
    return value;
  }

 private:
  uint64_t out_of_range(uint64_t value, uint64_t limit, uint64_t at) {
    fail("the value " + std::to_string(value) + " is over its limit " + std::to_string(limit), at);
    return 0;
  }
  uint64_t long_varint(uint64_t limit) {
    const uint64_t begin = offset();
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = u8();
      if (!ok()) return 0;
      if ((shift == 63 && byte > 1) || (shift > 0 && byte == 0)) {
        fail("an integer that is not in its shortest form", begin);
        return 0;
      }
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value > limit ? out_of_range(value, limit, begin) : value;
    }
    fail("an integer of more than ten bytes", begin);
    return 0;
  }
  uint64_t fixed(size_t n) {
    if (n > left()) {
      fail("the data ends here");
      return 0;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < n; ++i) value |= static_cast<uint64_t>(bytes_[at_ + i]) << (8 * i);
    at_ += n;
    return value;
  }

  std::span<const std::byte> bytes_;
  uint64_t base_ = 0, error_offset_ = 0;
  size_t at_ = 0;
  std::string reason_;
};

}  // namespace pto::object
