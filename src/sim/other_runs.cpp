#include "sim/other_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "sim/memory.hpp"

namespace pto::sim {
namespace {

/// Whether there is a buffer of which every word (four bytes) that a run changed came out otherwise in
/// another one.
bool nothing_stays(const std::vector<Argument>& before, const std::vector<Argument>& one,
                   const std::vector<Argument>& other) {
  constexpr size_t kWord = 4;
  for (size_t i = 0; i < one.size(); ++i) {
    const std::span<const std::byte> old = before[i].data(), first = one[i].data(), second = other[i].data();
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

}  // namespace

std::optional<std::vector<Argument>> kept(const std::vector<Argument>& arguments, uint64_t most) {
  uint64_t bytes = 0;
  for (const Argument& each : arguments) bytes += each.data().size();
  if (bytes > most) return std::nullopt;
  std::vector<Argument> copies = arguments;
  for (Argument& each : copies) {
    if (each.home.data() != nullptr) each.bytes.assign(each.home.begin(), each.home.end());
    each.home = {};
    each.pages.reset();
  }
  return copies;
}

void hand_over(std::vector<Argument>& from, std::vector<Argument>& to) {
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i].home.data() != nullptr)
      std::ranges::copy(from[i].bytes, to[i].home.begin());
    else
      to[i].bytes = std::move(from[i].bytes);
  }
}

Difference difference(const std::vector<Argument>& one, const std::vector<Argument>& other, uint32_t fill) {
  Difference out;
  for (size_t i = 0; i < one.size(); ++i) {
    const std::span<const std::byte> first = one[i].data(), second = other[i].data();
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

void OtherFills::add(const std::vector<Argument>& before, const std::vector<Argument>& one,
                     const std::vector<Argument>& other, uint32_t fill) {
  Difference here = difference(one, other, fill);
  const bool nothing_else = here.computed && nothing_stays(before, one, other);
  add(std::move(here), nothing_else);
}

void OtherFills::add(Difference found, bool nothing_else) {
  nothing_else_ = nothing_else_ || nothing_else;
  if (found_.output.empty() || (found.computed && !found_.computed)) found_ = std::move(found);
}

}  // namespace pto::sim
