#include "run/rerun_comparison.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>

#include "sim/memory/device_memory.hpp"

namespace pto::sim {
namespace {

/// Whether there is a buffer of which every word (four bytes) that a run changed came out otherwise in
/// another one.
bool nothing_stays(const std::vector<Argument>& before, const std::vector<Argument>& one,
                   const std::vector<Argument>& other) {
  constexpr size_t kWord = 4;
  for (size_t i = 0; i < one.size(); ++i) {
    const std::span<const std::byte> old = before[i].data();
    const std::span<const std::byte> first = one[i].data();
    const std::span<const std::byte> second = other[i].data();
    const size_t size = std::min({old.size(), first.size(), second.size()});
    bool changed = false, stays = false;
    for (size_t at = 0; at < size && !stays; at += kWord) {
      const size_t bytes = std::min(kWord, size - at);
      const auto word = [&](std::span<const std::byte> data) { return data.subspan(at, bytes); };
      if (std::ranges::equal(word(old), word(first))) continue;
      changed = true;
      stays = std::ranges::equal(word(first), word(second));
    }
    if (changed && !stays) return true;
  }
  return false;
}

uint64_t bytes_of(const std::vector<Argument>& arguments) {
  uint64_t bytes = 0;
  for (const Argument& each : arguments) bytes += each.data().size();
  return bytes;
}

}  // namespace

bool share_memory(const std::vector<Argument>& arguments) {
  std::vector<std::span<const std::byte>> all;
  for (const Argument& each : arguments)
    if (!each.home.empty()) all.emplace_back(each.home);
  std::ranges::sort(all, std::less<>(), [](const auto& bytes) { return bytes.data(); });
  return std::ranges::adjacent_find(all, [](const auto& one, const auto& other) {
           return std::less<>()(other.data(), one.data() + one.size());
         }) != all.end();
}

std::optional<std::vector<Argument>> kept(const std::vector<Argument>& arguments, uint64_t most) {
  if (bytes_of(arguments) > most) return std::nullopt;
  std::vector<Argument> copies = arguments;
  for (Argument& each : copies) {
    if (each.home.data() != nullptr) each.bytes.assign(each.home.begin(), each.home.end());
    each.home = {};
    each.pages.reset();
  }
  return copies;
}

ArgumentsBefore::ArgumentsBefore(const std::vector<Argument>& arguments)
    : arguments_(arguments), keeps_(bytes_of(arguments) <= kMaxRetained), copies_(arguments.size()) {}

/// The caller may have handed one memory over as several arguments.
void ArgumentsBefore::will_write(uint32_t argument) {
  if (!keeps_) return;
  const std::span<const std::byte> changes = arguments_[argument].data();
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const std::span<const std::byte> bytes = arguments_[i].data();
    const bool shared = std::less()(bytes.data(), changes.data() + changes.size()) &&
                        std::less()(changes.data(), bytes.data() + bytes.size());
    if (shared && !copies_[i]) copies_[i].emplace(bytes.begin(), bytes.end());
  }
}

std::optional<std::vector<Argument>> ArgumentsBefore::all() const {
  if (!keeps_) return std::nullopt;
  std::vector<Argument> before;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& now = arguments_[i];
    const std::span<const std::byte> bytes =
        copies_[i] ? std::span<const std::byte>(*copies_[i]) : now.data();
    before.push_back({.name = now.name,
                      .is_buffer = now.is_buffer,
                      .bytes = {bytes.begin(), bytes.end()},
                      .initialised = now.initialised,
                      .scalar = now.scalar,
                      .room = now.room});
  }
  return before;
}

void move_outputs(std::vector<Argument>& from, std::vector<Argument>& to) {
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i].home.data() != nullptr)
      std::ranges::copy(from[i].bytes, to[i].home.begin());
    else
      to[i].bytes = std::move(from[i].bytes);
  }
}

OutputDifference difference(const std::vector<Argument>& one, const std::vector<Argument>& other,
                            uint32_t fill) {
  OutputDifference out;
  for (size_t i = 0; i < one.size(); ++i) {
    const std::span<const std::byte> first = one[i].data();
    const std::span<const std::byte> second = other[i].data();
    for (size_t at = 0; at < first.size(); ++at) {
      if (first[at] == second[at]) continue;
      constexpr std::byte kQuiet{0x40};
      const auto here = static_cast<std::byte>(fill >> 8 * (at % 2));
      const auto varied = static_cast<std::byte>(Fill::kVaried >> 8 * (at % 2));
      const std::byte other_bits = (second[at] ^ here) & ~varied;
      const bool moved =
          other_bits == std::byte{0} || (other_bits == kQuiet && (here & kQuiet) == std::byte{0});
      if (moved && !out.output.empty()) continue;
      out = {one[i].name, !moved};
      if (!moved) return out;
    }
  }
  return out;
}

void FillComparison::add(const std::vector<Argument>& before, const std::vector<Argument>& one,
                         const std::vector<Argument>& other, uint32_t fill) {
  OutputDifference here = difference(one, other, fill);
  const bool nothing_else = here.computed && nothing_stays(before, one, other);
  add(std::move(here), nothing_else);
}

void FillComparison::add(OutputDifference found, bool nothing_else) {
  nothing_else_ = nothing_else_ || nothing_else;
  if (found_.output.empty() || (found.computed && !found_.computed)) found_ = std::move(found);
}

}  // namespace pto::sim
