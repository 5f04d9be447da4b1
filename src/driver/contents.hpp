// Numbers in GM that the scalar unit loads and that decide about order: which places of which buffers they
// come from, and what is put there.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "pto/simulator.hpp"

namespace pto::driver {

/// Where in a buffer argument a number lies.
struct Place {
  uint32_t argument = 0;
  uint64_t offset = 0;
  uint32_t bytes = 0;
  auto operator<=>(const Place&) const = default;
};

struct Content {
  Place place;
  int64_t number = 0;
  bool operator==(const Content&) const = default;
};
/// Numbers of places, in the order in which a run comes to read them.
using Contents = std::vector<Content>;

/// Puts the numbers into the arguments; what has none is 0. False when a place is too far away.
bool put_contents(const Contents& contents, std::vector<Argument>& arguments);

/// Sees where deciding loads look, and whether the kernel itself writes there.
class ContentReads final : public Observer {
 public:
  /// `loads`: the operations whose results decide.
  explicit ContentReads(const std::set<uint32_t>& loads) : loads_(loads) {}

  void on_argument(uint32_t index, std::string_view name, uint64_t addr, uint64_t bytes,
                   bool initialised) override;
  void on_footprint(const FootprintEvent& event) override { note(event); }
  /// The number of the place, where a deciding load reads one.
  std::optional<size_t> note(const FootprintEvent& event);
  [[nodiscard]] std::optional<uint32_t> argument_at(uint64_t addr) const;
  [[nodiscard]] uint64_t begin_of(uint32_t argument) const { return buffers_.at(argument).addr; }

  /// What was read, in order, each place once.
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  /// Which operations read from which argument.
  [[nodiscard]] const std::map<uint32_t, std::set<uint32_t>>& readers() const { return readers_; }
  /// An operation that loads what the kernel may have written, or bytes of another number.
  [[nodiscard]] std::optional<uint32_t> not_free() const;

 private:
  struct Buffer {
    uint64_t addr = 0, bytes = 0;
  };
  struct Interval {
    uint64_t begin = 0, end = 0;
  };

  const std::set<uint32_t>& loads_;
  std::map<uint32_t, Buffer> buffers_;
  std::vector<Place> places_;
  struct Reader {
    uint32_t op = 0;
    size_t number = 0;
  };
  std::map<Place, Reader> read_by_;
  std::map<uint32_t, std::set<uint32_t>> readers_;
  std::map<uint32_t, std::vector<Interval>> written_;  ///< per argument
};

}  // namespace pto::driver
