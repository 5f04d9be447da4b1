// Communication between devices: known by name, not executed.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
constexpr Row kRows[] = {
    // name                            layer          operands  results  attrs  syntax   a2a3  a5  rules  pipe    cost           flags         doc
    {"pto.comm.build_async_session", Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: async-dma"},
    {"pto.comm.test_async_event",    Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: async-dma"},
    {"pto.comm.tget_async",          Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: async-dma"},
    {"pto.comm.tput_async",          Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: async-dma"},
    {"pto.comm.wait_async_event",    Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: async-dma"},
    {"pto.comm.tbroadcast",          Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: collective"},
    {"pto.comm.tgather",             Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: collective"},
    {"pto.comm.treduce",             Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: collective"},
    {"pto.comm.tscatter",            Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: collective"},
    {"pto.comm.tget",                Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: p2p"},
    {"pto.comm.tnotify",             Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: p2p"},
    {"pto.comm.tput",                Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: p2p"},
    {"pto.comm.ttest",               Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: p2p"},
    {"pto.comm.twait",               Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: p2p"},
    {"pto.build_async_session",      Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: async-dma"},
    {"pto.test_async_event",         Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: async-dma"},
    {"pto.tget_async",               Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: async-dma"},
    {"pto.tput_async",               Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: async-dma"},
    {"pto.wait_async_event",         Layer::system, "",       "",      "",    "@none", "",   "", "",    "MTE2", "system.comm", kNotExecuted, "communication: async-dma"},
};
// clang-format on

}  // namespace

std::span<const Row> comm_rows() { return kRows; }

}  // namespace pto::isa
