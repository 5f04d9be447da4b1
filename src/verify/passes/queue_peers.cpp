// Both ends of every queue: complete pairs of one shape, hardware flags, splitting (E0489 to E0491).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "verify/passes/queue_ends.hpp"

namespace pto::legality {
namespace {

using Part = Anchor::Part;

class Peers {
 public:
  explicit Peers(Queues& queues) : q_(queues), check_(queues.check) {}

  void run() {
    for (const QueueEnd& e : q_.ends) {
      if (!e.buffered && !e.global_only && !e.flag_base && !check_.failed(e.op) && !made_by_error(e.local))
        no_buffer(e);
    }
    for (const auto& [first, members] : q_.groups) {
      if (sound(members)) check_splitting(members);
    }
    const size_t before = check_.errors();
    for (const auto& [first, members] : q_.groups) {
      if (sound(members)) check_pair(members);
    }
    if (check_.errors() == before) check_flags();
  }

 private:
  const QueueEnd& end(size_t i) const { return q_.ends[i]; }
  /// No end has an error of its own.
  bool sound(const std::vector<size_t>& members) const {
    return std::ranges::none_of(members, [&](size_t i) { return check_.failed(end(i).op); });
  }

  bool made_by_error(ValueId address) const {
    return address != kNoValue && check_.definition(address) != ~0u &&
           check_.failed(check_.definition(address));
  }
  void no_buffer(const QueueEnd& e) {
    const OpView op = q_.view(e.op);
    const int slot = slot_of(
        op, e.frontend ? (e.directions == 2 ? "v2c_consumer_buf" : "c2v_consumer_buf") : "local_addr");
    const unsigned flat = slot < 0 || e.local == kNoValue ? 0 : flat_index(op, static_cast<unsigned>(slot));
    Diagnostic& built = check_.fail(
        E0489, op, e.local == kNoValue ? Part::op : Part::operand, flat,
        fmt::format("the address of {} comes from no reserved buffer, so its other end is unknown",
                    q_.name(e)),
        e.frontend
            ? "use the result of pto.reserve_buffer or pto.import_reserved_buffer"
            : "use the result of pto.reserve_buffer or pto.import_reserved_buffer, or write flag_base");
    check_.note_definition(built, e.local);
  }

  // ---- pairs

  static std::string shape(const QueueEnd& e) {
    std::string text = fmt::format("dir_mask {}, slot_size {}, {} slots", e.directions, e.slot_size, e.slots);
    if (e.local_slots) text += fmt::format(", {} on chip", *e.local_slots);
    return text + (e.global_only ? ", in GM" : "");
  }
  static bool same_shape(const QueueEnd& a, const QueueEnd& b) {
    return a.directions == b.directions && a.slot_size == b.slot_size && a.slots == b.slots &&
           a.local_slots == b.local_slots && a.global_only == b.global_only;
  }

  void check_pair(const std::vector<size_t>& members) {
    const QueueEnd& first = end(members.front());
    const OpView op = q_.view(first.op);
    if (!first.global_only && !first.buffered) return;  // ordered by its own flag_base
    if (!first.global_only && members.size() == 1 && first.flag_base) return alone(first);
    if (!first.global_only && (members.size() != 2 || end(members[1]).function == first.function))
      return incomplete(members);
    for (const size_t i : members) {
      if (same_shape(first, end(i))) continue;
      Diagnostic& built = check_.fail(E0489, q_.view(end(i).op),
                                      fmt::format("both ends of a queue differ: {} here, {} at the other end",
                                                  shape(end(i)), shape(first)),
                                      "give both ends the same values");
      add_note(built, op, "the other end is here");
      return;
    }
    const auto stated = std::ranges::find_if(members, [&](size_t i) { return end(i).flag_base.has_value(); });
    for (const size_t i : members) {
      if (stated == members.end() || !end(i).flag_base || *end(i).flag_base == *end(*stated).flag_base)
        continue;
      const OpView other = q_.view(end(i).op);
      Diagnostic& built = check_.fail(E0490, other, Part::attribute, attribute_of(other, "flag_base"),
                                      fmt::format("flag_base is {} here and {} at the other end of the queue",
                                                  *end(i).flag_base, *end(*stated).flag_base),
                                      "use the same value");
      add_note(built, q_.view(end(*stated).op), "the other end is here");
      return;
    }
  }

  /// With its flags stated, the other end may be in another program.
  void alone(const QueueEnd& e) {
    Diagnostic& built = check_.warn(
        W0464, q_.view(e.op), fmt::format("{} has its other end in no function of this program", q_.name(e)),
        "set it up in the peer function");
    note_buffer(built, e);
  }

  /// The buffer that connects an end to others, for messages.
  std::string buffer_name(const QueueEnd& e) const {
    for (const ValueId address : {e.local, e.peer_local}) {
      if (const std::optional<BufferKey> key = q_.buffer_of(address, *e.function))
        return fmt::format("\"{}\"", key->second);
    }
    return "its buffer";
  }

  void incomplete(const std::vector<size_t>& members) {
    const QueueEnd& first = end(members.front());
    const OpView op = q_.view(first.op);
    std::set<const Function*> in;
    for (const size_t i : members) in.insert(end(i).function);
    const std::string message =
        members.size() == 1 ? fmt::format("the queue over buffer {} has one end only, in @{}",
                                          buffer_name(first), first.function->info.name)
        : in.size() == 1    ? fmt::format("{} queue ends over buffer {} are in @{} alone", members.size(),
                                          buffer_name(first), first.function->info.name)
                            : fmt::format("{} queue ends hang together over buffer {}; a queue has two",
                                          members.size(), buffer_name(first));
    Diagnostic& built = check_.fail(
        E0489, op, message,
        members.size() == 1
            ? "set up the other end in the peer function with the same dir_mask, slot_size and buffer"
            : "use one buffer per queue, and the same dir_mask on both sides");
    for (size_t i = 1; i < members.size(); ++i)
      add_note(built, q_.view(end(members[i]).op), "another end is here");
    if (members.size() == 1) note_buffer(built, first);
  }
  /// Where the buffer is reserved and imported: the function that lacks its end.
  void note_buffer(Diagnostic& built, const QueueEnd& e) {
    const std::optional<BufferKey> key = q_.buffer_of(e.local, *e.function);
    if (!key) return;
    for (const uint32_t op : q_.imports) {
      const Function* user = q_.functions.enclosing_function(op);
      if (user != e.function && q_.buffer_of(q_.view(op).result(0), *user) == key)
        add_note(built, q_.view(op), fmt::format("@{} imports the buffer here", user->info.name));
    }
    if (const uint32_t reserve = q_.reserve_in(key->first, key->second);
        reserve != ~0u && key->first != e.function->info.op)
      add_note(built, q_.view(reserve), "it is reserved here");
  }

  // ---- flags: two per direction, from an even one, not shared within a function

  void check_flags() {
    std::set<size_t> counted;
    for (const auto& [group, members] : q_.groups) {
      if (sound(members) && (end(group).global_only || end(group).buffered)) counted.insert(group);
    }
    for (const auto& [group, flags] : q_.flags(counted)) {
      const QueueEnd& first = end(group);
      const OpView op = q_.view(first.op);
      if (flags.taken_by != ~0u) {
        Diagnostic& built =
            check_.fail(E0490, op,
                        fmt::format("flags {} to {} of {} are taken in @{}", flags.base,
                                    flags.base + flags.width - 1, q_.name(first), first.function->info.name),
                        "choose another flag_base, or leave it out");
        add_note(built, q_.view(flags.taken_by),
                 fmt::format("this queue has flags {} to {}", flags.taken_base,
                             flags.taken_base + flags.taken_width - 1));
      } else if (!flags.fits()) {
        constexpr int64_t kFlags = QueueFlags::kCount;
        check_.fail(E0490, op,
                    fmt::format("{} needs flags {} to {}; the queues of a function share {} flags",
                                q_.name(first), flags.base, flags.base + flags.width - 1, kFlags),
                    fmt::format("use fewer queues: {} one-way or {} two-way ones", kFlags / 2, kFlags / 4));
      }
    }
  }

  // ---- splitting: all users of a queue send whole tiles, or all send halves

  /// The first use of each kind.
  struct Splits {
    uint32_t whole = ~0u, halves = ~0u;
  };

  void check_splitting(const std::vector<size_t>& members) {
    Splits seen;
    const QueueEnd* stated = nullptr;
    for (const size_t i : members) {
      for (const uint32_t user : end(i).users) {
        uint32_t& first = q_.view(user).attr_int("split") == 0 ? seen.whole : seen.halves;
        if (first == ~0u) first = user;
      }
      if (!end(i).nosplit) continue;
      if (stated != nullptr && *stated->nosplit != *end(i).nosplit) return contradiction(*stated, end(i));
      stated = &end(i);
    }
    if (seen.whole != ~0u && seen.halves != ~0u) return mixed(seen);
    if (stated == nullptr) return;
    const uint32_t against = *stated->nosplit ? seen.halves : seen.whole;
    if (against == ~0u) return;
    const OpView op = q_.view(stated->op);
    Diagnostic& built =
        check_.fail(E0491, op, Part::attribute, attribute_of(op, "nosplit"),
                    fmt::format("nosplit = {}, but {} has split = {}", *stated->nosplit,
                                q_.view(against).mnemonic(), q_.view(against).attr_int("split")),
                    "make both agree, or leave nosplit out");
    add_note(built, q_.view(against), "it is used here");
  }
  void contradiction(const QueueEnd& a, const QueueEnd& b) {
    const OpView op = q_.view(b.op);
    Diagnostic& built = check_.fail(
        E0491, op, Part::attribute, attribute_of(op, "nosplit"),
        fmt::format("nosplit is {} here and {} at the other end of the queue", *b.nosplit, *a.nosplit),
        "make both agree");
    add_note(built, q_.view(a.op), "the other end is here");
  }
  void mixed(const Splits& seen) {
    const OpView whole = q_.view(seen.whole);
    const OpView halves = q_.view(seen.halves);
    const OpView& later = seen.whole > seen.halves ? whole : halves;
    const OpView& earlier = seen.whole > seen.halves ? halves : whole;
    Diagnostic& built =
        check_.fail(E0491, later, Part::attribute, attribute_of(later, "split"),
                    fmt::format("split = {} here, but {} of the same queue has split = {}",
                                later.attr_int("split"), earlier.mnemonic(), earlier.attr_int("split")),
                    "a queue carries whole tiles (split = 0) or parts (1 to 4), not both");
    add_note(built, earlier, "the other use is here");
  }

  Queues& q_;
  Checker& check_;
};

constexpr Rule kQueuePeersRules[] = {
    {.id = W0464,
     .title = "one end only",
     .cause = "A queue with a stated flag_base has its other end in no function of this program.",
     .example = "pto.initialize_l2l_pipe {.., flag_base = 2} in one function",
     .fix = "Set up the other end."},
    {.id = E0489,
     .title = "ends of a queue",
     .cause = "A queue has two ends in two functions, over one buffer that one side reserves and the other "
              "imports, with the same dir_mask, slot_size and slots.",
     .example = "pto.initialize_l2l_pipe in the cube function only",
     .fix = "Set up the other end with the same values."},
    {.id = E0491,
     .title = "splitting",
     .cause = "All uses of a queue on both sides send whole tiles (split = 0), or all send halves; "
              "nosplit, where written, says the same.",
     .example = "split = 1 at the push, split = 0 at the pop",
     .fix = "Make both sides agree."},
};

}  // namespace

RuleFamily queue_peer_rules() { return {.rules = kQueuePeersRules, .checks = {}}; }

void check_queue_peers(Queues& queues) { Peers(queues).run(); }

}  // namespace pto::legality
