#include "report/event_log.hpp"

#include <fmt/format.h>

#include <iterator>

#include "report/naming.hpp"
#include "support/json.hpp"

namespace pto::report {

namespace {

constexpr size_t kPiece = size_t{1} << 16;

std::string_view name_of(Pipe pipe) { return pipe == Pipe::none ? "S" : short_name(pipe); }

}  // namespace

uint32_t EventWriter::line_of(uint32_t pc) const {
  return pc < program_->ops.size() ? program_->ops[pc].where.line : 0;
}

void EventWriter::put_if_much(size_t much) {
  if (out_.size() < much) return;
  put_(out_);
  out_.clear();
}

void EventWriter::on_start(std::span<const CoreInfo> cores, const Program& program) {
  program_ = &program;
  for (const CoreInfo& core : cores)
    fmt::format_to(std::back_inserter(out_),
                   R"({{"event":"core","core":{},"block":{},"subblock":{}}})"
                   "\n",
                   core.index, core.block, core.subblock);
}

void EventWriter::on_argument(uint32_t, std::string_view name, uint64_t addr, uint64_t bytes, bool) {
  const nlohmann::json text = std::string(name);
  fmt::format_to(std::back_inserter(out_),
                 R"({{"event":"argument","name":{},"addr":{},"bytes":{}}})"
                 "\n",
                 text.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), addr, bytes);
}

void EventWriter::on_footprint(const FootprintEvent& event) {
  if (event.pc >= program_->ops.size()) return;  // initial contents
  put_access(event.update ? "update" : event.write ? "write" : "read", event);
}

void EventWriter::on_beyond(const FootprintEvent& event) { put_access("beyond", event); }

void EventWriter::put_access(std::string_view what, const FootprintEvent& event) {
  fmt::format_to(
      std::back_inserter(out_),
      R"({{"event":"{}","core":{},"pipe":"{}","line":{},"time":{},"space":"{}","home":{},"addr":{},)"
      R"("rows":{},"row_bytes":{},"pitch":{}}})"
      "\n",
      what, event.core, name_of(event.pipe), line_of(event.pc), event.time, to_string(event.space),
      event.home == ~0u ? event.core : event.home, event.addr, event.rows, event.row_bytes, event.pitch);
  put_if_much(kPiece);
}

void EventWriter::on_cache_clean(uint32_t core, uint32_t pc, uint64_t addr, bool all) {
  fmt::format_to(std::back_inserter(out_),
                 R"({{"event":"clean","core":{},"line":{},"addr":{},"all":{}}})"
                 "\n",
                 core, line_of(pc), addr, all);
}

void EventWriter::on_order(const OrderEvent& event) {
  fmt::format_to(std::back_inserter(out_),
                 R"({{"event":"{}","from_core":{},"from":"{}","to_core":{},"to":"{}","token":{},"flag":{},)"
                 R"("issue":{},"line":{}}})"
                 "\n",
                 event.release ? "release" : "acquire", event.from_core, name_of(event.from), event.to_core,
                 name_of(event.to), event.token, event.flag, event.issue, line_of(event.pc));
  put_if_much(kPiece);
}

void EventWriter::on_vector_function(uint32_t core, uint32_t pc, bool begins) {
  fmt::format_to(std::back_inserter(out_),
                 R"({{"event":"{}","core":{},"line":{}}})"
                 "\n",
                 begins ? "scope" : "scope_end", core, line_of(pc));
}

void EventWriter::on_memory_barrier(uint32_t core, uint32_t pc) {
  fmt::format_to(std::back_inserter(out_),
                 R"({{"event":"mem_bar","core":{},"line":{}}})"
                 "\n",
                 core, line_of(pc));
}

void EventWriter::on_finish(uint64_t total_cycles) {
  fmt::format_to(std::back_inserter(out_),
                 R"({{"event":"finish","time":{}}})"
                 "\n",
                 total_cycles);
  put_if_much(0);
}

}  // namespace pto::report
