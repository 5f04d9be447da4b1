// Loader: vector functions, whose code stands out of line.
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ir/regions.hpp"
#include "sim/loader/core_loader.hpp"

namespace pto::sim {

void CoreKindLoader::load_vecscope(const OpView& view) {
  if (in_vf()) return reject(view.index(), "a vecscope inside a vecscope");
  const Region& region = body_of(view);
  load_vector_function(view, [&] {
    const std::vector<uint32_t> arguments = define_range(region.first_arg, region.n_args);
    if (!isa::schema(view.op().row).operands.empty()) emit_moves(view.index(), view.operands(0), arguments);
    load_region(region);
  });
}

void CoreKindLoader::load_vector_function(const OpView& view, const std::function<void()>& load_body) {
  std::vector<Copy> captures;
  const uint32_t body = load_out_of_line(view, captures, load_body);
  Queued queued;
  queued.entry = body;
  queued.inst = make_inst(view, Pipe::v);
  for (const Copy& capture : captures) {
    queued.captures.push_back({capture.from, queued.block_words, capture.words});
    queued.unpack.push_back({queued.block_words, capture.to, capture.words});
    queued.block_words += capture.words;
  }
  add_queued(view, OpCode::vector_function, lane_of(Pipe::v), std::move(queued));
}

uint32_t CoreKindLoader::load_out_of_line(const OpView& view, std::vector<Copy>& captures,
                                          const std::function<void()>& load_body) {
  captures_ = &captures;
  local_.clear();
  defined_.clear();
  const std::vector<Ending> outer = std::exchange(endings_, {});
  std::optional<Blocks> blocks = std::exchange(blocks_, std::nullopt);
  const uint32_t over = here();
  emit(OpCode::jump, view.index());
  const uint32_t body = here();
  load_body();
  emit(OpCode::halt, view.index());
  captures_ = nullptr;
  endings_ = outer;
  blocks_ = std::move(blocks);
  role_.code[over].target = here();
  return body;
}

}  // namespace pto::sim
