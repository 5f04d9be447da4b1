#include "sim/ranks/rank_port.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>

#include "exec/atomic_update.hpp"
#include "sim/memory/device_memory.hpp"

namespace pto::sim {

// ---- messages

/// By arrival; what arrives at one time, by sender and in its order.
bool Message::before(const Message& other) const {
  return std::tie(time, from, serial) < std::tie(other.time, other.from, other.serial);
}

namespace {

template <typename T>
void put(std::string& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <typename T>
bool take(std::string_view& text, T& value) {
  if (text.size() < sizeof value) return false;
  std::memcpy(&value, text.data(), sizeof value);
  text.remove_prefix(sizeof value);
  return true;
}

/// Calls visit(row of the memory, row of the message).
template <typename Visit>
void for_rows(const Rows& rows, std::byte* first, std::byte* compact, Visit&& visit) {
  for (uint64_t r = 0; r < rows.rows; ++r)
    visit(first + static_cast<int64_t>(r) * rows.pitch, compact + r * rows.row_bytes);
}

/// What added to it gives any element as it is: -0 of floats, else 0.
void fill_neutral(Elem elem, std::byte* at, uint64_t bytes) {
  const uint32_t width = byte_width(elem);
  for (uint64_t i = 0; i + width <= bytes; i += width) {
    std::memset(at + i, 0, width);
    if (is_float(elem)) at[i + width - 1] = std::byte{0x80};
  }
}

}  // namespace

std::string packed(const std::vector<Message>& messages) {
  std::string out;
  for (const Message& m : messages) {
    put(out, m.kind);
    put(out, m.elem);
    put(out, m.through);
    put(out, m.from);
    put(out, m.to);
    put(out, m.next);
    put(out, m.time);
    put(out, m.serial);
    put(out, m.sent);
    put(out, m.core);
    put(out, m.lane);
    put(out, m.pc);
    put(out, m.where);
    put(out, m.delay);
    put(out, m.bytes.size());
    out.append(reinterpret_cast<const char*>(m.bytes.data()), m.bytes.size());
    put(out, m.stamp == nullptr ? size_t{0} : m.stamp->size());
    if (m.stamp != nullptr) out += *m.stamp;
  }
  return out;
}

std::vector<Message> unpacked(std::string_view text) {
  std::vector<Message> messages;
  while (!text.empty()) {
    Message m;
    size_t bytes = 0;
    const bool whole = take(text, m.kind) && take(text, m.elem) && take(text, m.through) &&
                       take(text, m.from) && take(text, m.to) && take(text, m.next) && take(text, m.time) &&
                       take(text, m.serial) && take(text, m.sent) && take(text, m.core) &&
                       take(text, m.lane) && take(text, m.pc) && take(text, m.where) && take(text, m.delay) &&
                       take(text, bytes) && bytes <= text.size();
    if (!whole) break;
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    m.bytes.assign(first, first + bytes);
    text.remove_prefix(bytes);
    size_t stamp = 0;
    if (!take(text, stamp) || stamp > text.size()) break;
    if (stamp != 0) m.stamp = std::make_shared<const std::string>(text.substr(0, stamp));
    text.remove_prefix(stamp);
    messages.push_back(std::move(m));
  }
  return messages;
}

// ---- links

uint64_t Links::least_latency() const { return static_cast<uint64_t>(std::ceil(topology_.latency)); }

uint64_t Links::cycles(uint64_t bytes) const {
  return static_cast<uint64_t>(std::ceil(static_cast<double>(bytes) / topology_.bandwidth));
}

Links::Way Links::way(uint32_t from, uint32_t to) const {
  if (topology_.shape == timing::Topology::Shape::hub) return {0, to, 1};
  if (topology_.shape == timing::Topology::Shape::full_mesh) return {to, to, 1};
  const uint32_t up = (to + ranks_ - from) % ranks_, down = ranks_ - up;
  return up <= down ? Way{0, (from + 1) % ranks_, up} : Way{1, (from + ranks_ - 1) % ranks_, down};
}

// ---- what an instruction does

void RankEndpoint::begin(uint32_t core, unsigned lane, uint32_t pc, uint64_t now) {
  running_ = true;
  agent_ = {core, lane};
  pc_ = pc;
  now_ = now;
  again_ = 0;
  adds_ = Elem::none;
  parts_ = 1;
}

uint64_t RankEndpoint::end() {
  running_ = false;
  if (again_ == 0) {
    for (const Written& each : written_) {
      Message& message = send(each.adds == Elem::none ? Message::Kind::write : Message::Kind::add, each.peer,
                              each.rows, each.rows.bytes());
      message.elem = each.adds;
      message.stamp = stamp(true);
      message.bytes.resize(each.rows.bytes());
      for_rows(each.rows, each.at, message.bytes.data(),
               [&](const std::byte* from, std::byte* to) { std::memcpy(to, from, each.rows.row_bytes); });
      traffic_.sent_bytes += message.bytes.size();
    }
    fetches_.erase(agent_);
  }
  written_.clear();
  return again_;
}

std::optional<uint32_t> RankEndpoint::elsewhere(uint64_t addr) const {
  if (addr < base_of_rank(0) || addr >= base_of_rank(ranks())) return std::nullopt;
  const auto rank = static_cast<uint32_t>((addr - base_of_rank(0)) / kRankStride);
  return rank == rank_ ? std::nullopt : std::optional(rank);
}

uint64_t RankEndpoint::here(uint64_t addr) const {
  return base_of_rank(rank_) + (addr - base_of_rank(0)) % kRankStride;
}

std::byte* RankEndpoint::mirror(uint32_t peer, uint64_t addr) {
  const std::span<const GlobalMemory::Allocation> all = gm_.allocations();
  for (size_t i = 0; i < all.size(); ++i) {
    if (addr < all[i].addr || addr - all[i].addr > all[i].bytes) continue;
    HostPages& pages = mirrors_[{peer, i}];
    if (!pages) pages = zeroed_pages(std::max<uint64_t>(all[i].bytes, 1));
    return pages.get() + (addr - all[i].addr);
  }
  return nullptr;
}

std::byte* RankEndpoint::access(uint32_t peer, const Rows& rows, exec::AccessMode how) {
  std::byte* at = mirror(peer, here(rows.addr));
  if (at == nullptr || how == exec::AccessMode::read) return at == nullptr ? nullptr : read(peer, rows, at);
  const Elem adds = how == exec::AccessMode::update ? adds_ : Elem::none;
  if (adds != Elem::none) {
    for_rows(rows, at, nullptr, [&](std::byte* row, std::byte*) { fill_neutral(adds, row, rows.row_bytes); });
  }
  written_.push_back({peer, rows, adds, at});
  return at;
}

std::byte* RankEndpoint::read(uint32_t peer, const Rows& rows, std::byte* at) {
  std::vector<Fetch>& fetches = fetches_[agent_];
  const auto found = std::ranges::find(fetches, rows, &Fetch::rows);
  if (found != fetches.end() && found->here) {
    for_rows(rows, at, found->bytes.data(),
             [&](std::byte* to, const std::byte* from) { std::memcpy(to, from, rows.row_bytes); });
    return at;
  }
  if (found == fetches.end()) {
    fetches.push_back({rows, {}, false});
    Message& message = send(Message::Kind::read, peer, rows, 0);
    message.stamp = stamp(false);
    const uint64_t links = links_.way(rank_, peer).links * links_.least_latency();
    message.delay = (parts_ - 1) * 2 * links;
    again_ = std::max(again_, message.sent + 2 * links + links_.cycles(rows.bytes()) + message.delay);
  } else {
    constexpr uint64_t kLooks = 64;  // others are on the way: it looks again
    again_ = std::max(again_, now_ + kLooks);
  }
  return nullptr;
}

void RankEndpoint::notify(uint64_t addr, int32_t value, bool set) {
  const std::optional<uint32_t> peer = elsewhere(addr);
  if (!peer) return;
  Message& message = send(set ? Message::Kind::notify_set : Message::Kind::notify_add, *peer,
                          {addr, 1, sizeof value, 0}, sizeof value);
  message.bytes.resize(sizeof value);
  std::memcpy(message.bytes.data(), &value, sizeof value);
  if (order != nullptr) message.stamp = order->of_notify(agent_.first, pc_);
  ++traffic_.notifies;
}

void RankEndpoint::notify_here(uint64_t addr, std::byte* word, int32_t value, bool set) {
  Notification by{rank_, agent_.first, pc_, now_, now_, set, value};
  if (order != nullptr) by.stamp = order->of_notify(agent_.first, pc_);
  signals_.write(addr, word, std::move(by));
}

void RankEndpoint::looked(std::vector<uint64_t> words, isa::CmpPredicate how, int32_t wanted, bool passed,
                          bool waits) {
  Awaited wait{agent_.first, pc_, now_, now_, std::move(words), how, wanted};
  if (!passed) {
    if (waits) signals_.waits(wait);
    return;
  }
  if (!observers.empty()) {
    const WaitReleased awoken{wait.core, wait.pc, wait.time, wait.how, wait.wanted, signals_.seen(wait)};
    for (MessageObserver* observer : observers) observer->on_wait_released(awoken);
  }
  if (!waits) return;
  if (order != nullptr) wait.stamp = order->of_wait(wait.core);
  signals_.passed(wait);
}

ClockStamp RankEndpoint::stamp(bool write) const {
  return order == nullptr ? nullptr : order->of_access(agent_.first, agent_.second, pc_, write);
}

Message& RankEndpoint::send(Message::Kind kind, uint32_t to, const Rows& where, uint64_t bytes) {
  Message& message = outgoing_.emplace_back();
  message.kind = kind;
  message.from = rank_;
  message.to = to;
  message.serial = serial_++;
  message.sent = now_;
  message.core = agent_.first;
  message.lane = agent_.second;
  message.pc = pc_;
  message.where = where;
  uint64_t from = now_;
  const uint64_t later = (links_.way(rank_, to).links - 1) * links_.least_latency();
  // A notify comes nowhere before all that its core has put is where it belongs.
  const bool notifies = kind == Message::Kind::notify_set || kind == Message::Kind::notify_add;
  if (const uint64_t until = put_until_[message.core],
      takes = later + links_.least_latency() + links_.cycles(bytes);
      notifies && until > from + takes)
    from = until - takes;
  depart(message, from);
  if (bytes != 0 && !notifies) {
    uint64_t& until = put_until_[message.core];
    until = std::max(until, message.time + later);
  }
  return message;
}

/// On its way once what left before it over the same link is.
void RankEndpoint::depart(Message& message, uint64_t from) {
  const Links::Way way = links_.way(rank_, message.to);
  const bool asks = message.kind == Message::Kind::read;
  uint64_t& busy = out_busy_[way.link];
  busy = std::max(busy, from) + (asks ? 0 : links_.cycles(message.where.bytes()));
  message.next = way.next;
  message.through = false;
  message.time = busy + links_.least_latency();
}

// ---- what comes

bool RankEndpoint::deliver(uint64_t now) {
  bool any = false;
  while (!inbox_.empty() && inbox_.begin()->time <= now) {
    Message message = std::move(inbox_.extract(inbox_.begin()).value());
    if (message.to != rank_) {
      pass_on(std::move(message));
      continue;
    }
    if (std::optional<Message> held = held_up(message)) {
      inbox_.insert(std::move(*held));
      continue;
    }
    if (!carry_out(message)) continue;
    any = any || message.kind != Message::Kind::read;
    report_message(message);
  }
  return any;
}

/// Its bytes follow each other through this device: the last ones leave when they have come, or when the link
/// has moved them behind those of others.
void RankEndpoint::pass_on(Message message) {
  const uint64_t bytes = message.kind == Message::Kind::read ? 0 : message.where.bytes();
  const uint64_t come = message.time;
  depart(message, come - std::min(come, links_.cycles(bytes)));
  outgoing_.push_back(std::move(message));
}

std::optional<Message> RankEndpoint::held_up(Message& message) {
  if (!links_.one_way_in() || message.through) return std::nullopt;
  const uint64_t takes = message.kind == Message::Kind::read ? 0 : links_.cycles(message.where.bytes());
  const uint64_t come = message.time;
  message.through = true;
  message.time = in_busy_ = std::max(in_busy_ + takes, come);
  if (message.time == come) return std::nullopt;
  return std::move(message);
}

void RankEndpoint::report_message(const Message& message) const {
  using Kind = MessageEvent::Kind;
  constexpr Kind kKinds[] = {Kind::write, Kind::add, Kind::notify, Kind::notify, Kind::asked, Kind::got};
  const MessageEvent arrival{kKinds[static_cast<size_t>(message.kind)],
                             message.from,
                             message.core,
                             message.lane,
                             message.pc,
                             message.time,
                             message.sent,
                             links_.cycles(message.where.bytes()),
                             message.where.addr,
                             message.where.rows,
                             message.where.row_bytes,
                             message.where.pitch,
                             message.stamp};
  for (MessageObserver* observer : observers) observer->on_message(arrival);
}

/// Whether it could be.
bool RankEndpoint::carry_out(const Message& message) {
  if (message.kind == Message::Kind::reply) {
    std::vector<Fetch>& fetches = fetches_[{message.core, message.lane}];
    const auto found = std::ranges::find(fetches, message.where, &Fetch::rows);
    if (found == fetches.end()) return false;
    found->bytes = message.bytes;
    found->here = true;
    traffic_.got_bytes += message.bytes.size();
    return true;
  }
  const Rows& rows = message.where;
  const uint64_t span = rows.rows * rows.row_bytes == 0
                            ? 0
                            : (rows.rows - 1) * static_cast<uint64_t>(std::abs(rows.pitch)) + rows.row_bytes;
  const uint64_t below = rows.pitch < 0 ? (rows.rows - 1) * static_cast<uint64_t>(-rows.pitch) : uint64_t{0};
  std::byte* const low =
      gm_.find(rows.addr - below, span,
               message.kind == Message::Kind::read ? exec::AccessMode::read : exec::AccessMode::write);
  if (low == nullptr) return false;  // its sender was notified
  std::byte* const first = low + below;
  if (message.kind == Message::Kind::read) {
    Message reply = message;
    reply.kind = Message::Kind::reply;
    reply.from = rank_;
    reply.to = message.from;
    reply.serial = serial_++;
    reply.sent = message.time;
    reply.bytes.resize(rows.bytes());
    for_rows(rows, first, reply.bytes.data(),
             [&](const std::byte* from, std::byte* to) { std::memcpy(to, from, rows.row_bytes); });
    depart(reply, message.time);
    reply.time += message.delay;
    outgoing_.push_back(std::move(reply));
    return true;
  }
  std::vector<std::byte> bytes = message.bytes;
  if (message.kind == Message::Kind::notify_set || message.kind == Message::Kind::notify_add) {
    Notification by{message.from, message.core, message.pc, message.sent, message.time};
    by.set = message.kind == Message::Kind::notify_set;
    std::memcpy(&by.value, bytes.data(), sizeof by.value);
    by.stamp = message.stamp;
    signals_.write(rows.addr, first, by);
    return true;
  }
  for_rows(rows, first, bytes.data(), [&](std::byte* to, const std::byte* from) {
    if (message.kind == Message::Kind::write) {
      std::memcpy(to, from, rows.row_bytes);
      return;
    }
    const uint32_t width = byte_width(message.elem);
    for (uint64_t i = 0; i + width <= rows.row_bytes; i += width)
      exec::atomic_update(message.elem, exec::AtomicOp::add, to + i, from + i);
  });
  return true;
}

}  // namespace pto::sim
