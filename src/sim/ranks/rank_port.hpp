// The connection of one device to the others: addresses of their GM, sent and received messages.
// Every interaction between devices is a message that takes at least the latency of a link.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "exec/exec_context.hpp"
#include "pto/ranks.hpp"
#include "sim/memory/host_pages.hpp"
#include "sim/ranks/rank_messages.hpp"
#include "sim/ranks/signal_words.hpp"
#include "timing/rank_links.hpp"

namespace pto::sim {

class GlobalMemory;

/// GM of a rank begins here; an argument lies at the same offset in every rank.
inline constexpr uint64_t kRankStride = uint64_t{1} << 40;
constexpr uint64_t base_of_rank(uint32_t rank) { return (uint64_t{1} << 44) + rank * kRankStride; }

/// Rows of bytes in GM.
struct Rows {
  uint64_t addr = 0, rows = 1, row_bytes = 0;
  int64_t pitch = 0;
  bool operator==(const Rows&) const = default;
  [[nodiscard]] uint64_t bytes() const { return rows * row_bytes; }
};

/// A message from one device to another.
struct Message {
  enum class Kind : uint8_t {
    write,  ///< `bytes` come to `where`
    add,    ///< elements are added to the values there
    notify_set,
    notify_add,
    read,  ///< requests the values there; they are returned at `reply`
    reply,
  } kind = Kind::write;
  Elem elem = Elem::none;
  bool through = false;                 ///< it has gone through the last link, which others use as well
  uint32_t from = 0, to = 0;            ///< ranks
  uint32_t next = 0;                    ///< the rank at the end of the link on which it is
  uint64_t time = 0, serial = 0;        ///< when it is there; its number among those of its sender
  uint64_t sent = 0;                    ///< when it left
  uint32_t core = 0, lane = 0, pc = 0;  ///< of the device that sent it; of a reply: that asked
  Rows where;
  uint64_t delay = 0;  ///< additional cycles of the reply
  std::vector<std::byte> bytes;
  ClockStamp stamp = nullptr;

  [[nodiscard]] bool before(const Message& other) const;
};
std::string packed(const std::vector<Message>& messages);
std::vector<Message> unpacked(std::string_view text);

/// How long things take between two of `ranks` devices.
class Links {
 public:
  Links(const timing::Topology& topology, uint32_t ranks) : topology_(topology), ranks_(ranks) {}
  /// The first link on the way from one to the other, who is at its end, and how many links there are.
  struct Way {
    uint32_t link = 0, next = 0, links = 1;
  };
  [[nodiscard]] Way way(uint32_t from, uint32_t to) const;
  /// Whether all that comes to a device comes over one link.
  [[nodiscard]] bool one_way_in() const { return topology_.shape == timing::Topology::Shape::hub; }
  [[nodiscard]] uint64_t cycles(uint64_t bytes) const;
  [[nodiscard]] uint64_t least_latency() const;
  [[nodiscard]] uint32_t ranks() const { return ranks_; }

 private:
  timing::Topology topology_;
  uint32_t ranks_;
};

class RankEndpoint {
 public:
  /// `arguments`: their roles, by position.
  RankEndpoint(uint32_t rank, const Links& links, GlobalMemory& gm, std::vector<RankArgument> arguments)
      : rank_(rank), links_(links), gm_(gm), arguments_(std::move(arguments)) {}

  [[nodiscard]] uint32_t rank() const { return rank_; }
  [[nodiscard]] uint32_t ranks() const { return links_.ranks(); }
  [[nodiscard]] RankArgument argument(size_t position) const {
    return position < arguments_.size() ? arguments_[position] : RankArgument{};
  }
  std::vector<MessageObserver*> observers;
  OrderOracle* order = nullptr;

  // ---- the instruction that runs
  void begin(uint32_t core, unsigned lane, uint32_t pc, uint64_t now);
  /// 0: its writes are sent. Otherwise it has to run again at that time, when the requested bytes
  /// are here.
  uint64_t end();
  /// The rank whose GM holds an address, if it is another one.
  [[nodiscard]] std::optional<uint32_t> elsewhere(uint64_t addr) const;
  /// The same place in this device's GM.
  [[nodiscard]] uint64_t here(uint64_t addr) const;
  /// Null: the bytes were requested, or no request is possible (outside begin and end).
  std::byte* access(uint32_t peer, const Rows& rows, exec::AccessMode how);
  [[nodiscard]] bool runs() const { return running_; }
  void will_add(Elem elem) { adds_ = elem; }
  /// Reads go through a tile in this number of parts, one after the other.
  void will_take(uint64_t parts) { parts_ = std::max<uint64_t>(parts, 1); }
  [[nodiscard]] bool adds() const { return adds_ != Elem::none; }
  void notify(uint64_t addr, int32_t value, bool set);
  /// Of this device's own word, which lies at `word`.
  void notify_here(uint64_t addr, std::byte* word, int32_t value, bool set);
  void looked(std::vector<uint64_t> words, isa::CmpPredicate how, int32_t wanted, bool passed, bool waits);

  // ---- messages
  [[nodiscard]] uint64_t next_arrival() const { return inbox_.empty() ? ~uint64_t{0} : inbox_.begin()->time; }
  void put(Message message) { inbox_.insert(std::move(message)); }
  /// Carries out those that come at `now`. Whether memory changed, or bytes came that were asked for.
  bool deliver(uint64_t now);
  std::vector<Message> take_outgoing() { return std::exchange(outgoing_, {}); }

  SignalLog& signals() { return signals_; }
  [[nodiscard]] const SignalLog& signals() const { return signals_; }
  [[nodiscard]] const RankTraffic& traffic() const { return traffic_; }

 private:
  struct Earlier {
    bool operator()(const Message& a, const Message& b) const { return a.before(b); }
  };
  using Agent = std::pair<uint32_t, unsigned>;
  struct Fetch {
    Rows rows;
    std::vector<std::byte> bytes;
    bool here = false;
  };
  struct Written {
    uint32_t peer;
    Rows rows;
    Elem adds;  ///< none: written over
    std::byte* at;
  };
  Message& send(Message::Kind kind, uint32_t to, const Rows& where, uint64_t bytes);
  std::byte* read(uint32_t peer, const Rows& rows, std::byte* at);
  /// Memory of the host that represents an argument of a peer, while an instruction writes there.
  std::byte* mirror(uint32_t peer, uint64_t addr);
  bool carry_out(const Message& message);
  void pass_on(Message message);
  void depart(Message& message, uint64_t from);
  /// Until the link into this device has room for it; nothing: it is here.
  std::optional<Message> held_up(Message& message);
  void report_message(const Message& message) const;
  [[nodiscard]] ClockStamp stamp(bool write) const;

  uint32_t rank_;
  const Links& links_;
  GlobalMemory& gm_;
  std::vector<RankArgument> arguments_;
  bool running_ = false;
  Agent agent_{};
  uint32_t pc_ = 0;
  uint64_t now_ = 0, again_ = 0, serial_ = 0, parts_ = 1;
  Elem adds_ = Elem::none;
  std::vector<Written> written_;
  std::map<Agent, std::vector<Fetch>> fetches_;
  std::map<std::pair<uint32_t, size_t>, HostPages> mirrors_;
  std::map<uint32_t, uint64_t> out_busy_;   ///< by link
  uint64_t in_busy_ = 0;                    ///< of the one link into this device
  std::map<uint32_t, uint64_t> put_until_;  ///< by core: when all that it has put is where it belongs
  std::set<Message, Earlier> inbox_;
  std::vector<Message> outgoing_;
  SignalLog signals_;
  RankTraffic traffic_;
};

}  // namespace pto::sim
