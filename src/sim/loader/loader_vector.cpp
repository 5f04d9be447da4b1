#include "sim/loader/loader_vector.hpp"

#include <optional>
#include <utility>

#include "ir/regions.hpp"
#include "sim/loader/loader_control.hpp"
#include "sim/loader/loader_instructions.hpp"

namespace pto::sim {

void load_vecscope(LoaderState& loader, const OpView& view) {
  if (loader.frame.in_vector_function()) return loader.reject(view.index(), "a vecscope inside a vecscope");
  const Region& region = body_of(view);
  load_vector_function(loader, view, [&] {
    const std::vector<uint32_t> arguments = loader.frame.define_range(region.first_arg, region.n_args);
    if (!isa::schema(view.op().row).operands.empty())
      loader.code.emit_moves(view.index(), view.operands(0), arguments);
    load_region(loader, region);
  });
}

void load_vector_function(LoaderState& loader, const OpView& view, const std::function<void()>& load_body) {
  std::vector<Copy> captures;
  const uint32_t body = load_out_of_line(loader, view, captures, load_body);
  Queued queued;
  queued.entry = body;
  queued.inst = make_inst(loader, view, Pipe::v);
  add_captures(queued, captures);
  loader.code.emit_queued(view.index(), OpCode::vector_function, lane_of(Pipe::v), std::move(queued));
}

uint32_t load_out_of_line(LoaderState& loader, const OpView& view, std::vector<Copy>& captures,
                          const std::function<void()>& load_body) {
  loader.frame.begin_captures(captures);
  const std::vector<Ending> outer = std::exchange(loader.control.endings, {});
  std::optional<Blocks> blocks = std::exchange(loader.control.blocks, std::nullopt);
  const uint32_t over = loader.code.here();
  loader.code.emit(OpCode::jump, view.index());
  const uint32_t body = loader.code.here();
  load_body();
  loader.code.emit(OpCode::halt, view.index());
  loader.frame.end_captures();
  loader.control.endings = outer;
  loader.control.blocks = std::move(blocks);
  loader.code.patch(over);
  return body;
}

}  // namespace pto::sim
