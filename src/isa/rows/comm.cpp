// Communication between devices: known by name, not executed.
// Columns: see src/isa/row.hpp. One row per line.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

// clang-format off
// What all rows here share; the table holds the rest.
constexpr Row row_of(std::string_view name, std::string_view operands, std::string_view cost, std::string_view doc) {
  return {name, Layer::system, operands, "", "", "@none", "", "", "", "MTE2", cost, kNotExecuted, doc};
}

constexpr Row kRows[] = {
    //     name                            operands  cost           doc
    row_of("pto.comm.build_async_session", "",       "system.comm", "communication: async-dma"),
    row_of("pto.comm.test_async_event",    "",       "system.comm", "communication: async-dma"),
    row_of("pto.comm.tget_async",          "",       "system.comm", "communication: async-dma"),
    row_of("pto.comm.tput_async",          "",       "system.comm", "communication: async-dma"),
    row_of("pto.comm.wait_async_event",    "",       "system.comm", "communication: async-dma"),
    row_of("pto.comm.tbroadcast",          "",       "system.comm", "communication: collective"),
    row_of("pto.comm.tgather",             "",       "system.comm", "communication: collective"),
    row_of("pto.comm.treduce",             "",       "system.comm", "communication: collective"),
    row_of("pto.comm.tscatter",            "",       "system.comm", "communication: collective"),
    row_of("pto.comm.tget",                "",       "system.comm", "communication: p2p"),
    row_of("pto.comm.tnotify",             "",       "system.comm", "communication: p2p"),
    row_of("pto.comm.tput",                "",       "system.comm", "communication: p2p"),
    row_of("pto.comm.ttest",               "",       "system.comm", "communication: p2p"),
    row_of("pto.comm.twait",               "",       "system.comm", "communication: p2p"),
    row_of("pto.build_async_session",      "",       "system.comm", "communication: async-dma"),
    row_of("pto.test_async_event",         "",       "system.comm", "communication: async-dma"),
    row_of("pto.tget_async",               "",       "system.comm", "communication: async-dma"),
    row_of("pto.tput_async",               "",       "system.comm", "communication: async-dma"),
    row_of("pto.wait_async_event",         "",       "system.comm", "communication: async-dma"),
};
// clang-format on

}  // namespace

std::span<const Row> comm_rows() { return kRows; }

}  // namespace pto::isa
