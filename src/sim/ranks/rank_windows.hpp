// Several devices that run side by side: a conservative parallel discrete-event simulation.
//
// Each rank is a device with an event loop of its own (sim/engine/scheduler.hpp), on a thread of
// this process or in another process (MPI). Ranks see each other by messages only. A message that
// leaves at time t arrives at t + L or later, where L is the least latency of a link: L is the
// lookahead of the simulation. When the earliest event of all ranks is at time T (the lower bound
// on time stamps, LBTS), no message that is still to be sent arrives before T + L. So all ranks may
// carry out their events of the window [T, T + L) at the same time, without rollback and without
// null messages. Between two windows they exchange what they sent.
//
// An example (asm-tests/ranks/put.pto): each of two ranks puts a row into the memory of the other
// one, notifies it, waits for the other's notification, and adds. L is 1000 cycles, and both ranks
// do the same at the same times:
//
//     time  event                                         message
//        0  S: tput row -> peer                           leaves at    0, arrives at 1024 (256 bytes)
//      194  S: tnotify word of peer += 1                  leaves at  194, arrives at 1195
//     1195  S: twait word >= 1
//     2196  MTE2: tload, tload; V: tadd; MTE3: tstore, complete at 2561
//
//     window          begins with          events of both ranks in the window
//     [   0, 1000)    S at 0               tput, tnotify
//         exchange: a row and a word for each rank
//     [1024, 2024)    arrival of the row   the row is written at 1024, the word at 1195; twait passes at
//                                          1195, as messages come before all other events of their time
//         exchange: nothing
//     [2196, 3196)    MTE2 at 2196         tload, tload, tadd, tstore
//         exchange: nothing
//     no rank has an event: the run ends
//
// How to read it. The row that leaves at 0 cannot arrive before 1000, so both ranks run to 1000
// without the other. Windows are not contiguous: each begins at the earliest event of all ranks, so
// ranks that wait cost no windows. A scalar unit that polls a word which nothing on its own device
// can change sleeps until a message arrives, and goes on at the time of its next poll. A window
// needs two collective operations: the minimum (RankTransport::least) and the messages
// (RankTransport::exchange). The result does not depend on the number of threads or processes:
// messages of one time are ordered by sender and serial number (Message::before).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pto/ranks.hpp"
#include "sim/engine/device_run.hpp"
#include "sim/ranks/rank_port.hpp"
#include "sim/ranks/rank_team.hpp"

namespace pto::sim {

class RankWindows {
 public:
  /// A rank of this process.
  struct Member {
    DeviceRun* run = nullptr;
    RankEndpoint* port = nullptr;
  };
  /// `links` are those of all ranks, `threads` run the ranks of this process.
  RankWindows(std::vector<Member> members, const Links& links, RankTransport& transport, unsigned threads)
      : members_(std::move(members)), links_(links), transport_(transport), team_(threads) {}

  /// Windows until no rank has an event, or until the earliest one is behind `limit`. The end of
  /// the last window; 0 when there was none.
  uint64_t run(uint64_t limit = ~uint64_t{0});

 private:
  [[nodiscard]] uint64_t earliest() const;
  void advance(uint64_t end);
  void exchange();
  void deliver(std::vector<Message> messages);

  std::vector<Member> members_;
  const Links& links_;
  RankTransport& transport_;
  RankThreadPool team_;
};

}  // namespace pto::sim
