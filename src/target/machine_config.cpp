// [machine]: sizes, queues, flags, number formats. Everything about a target that is not a duration of an
// instruction.
#include "target/machine_config.hpp"

#include <fmt/format.h>

#include "ir/pipe_rules.hpp"
#include "isa/memory_spaces.hpp"

namespace pto::machine {

namespace {

/// Of GM, and of one core's memory: the simulator holds the latter once per core.
constexpr int64_t kMaxBytes = int64_t{1} << 40;
constexpr int64_t kMaxCoreBytes = int64_t{256} << 20;

/// What the configuration does not say is as on the chip.
void read_bytes(TableReader& machine_table, Machine& machine) {
  for (size_t space = 0; space < kSpaceCount; ++space)
    machine.bytes[space] = isa::on_chip_bytes(machine.target, static_cast<Space>(space));
  const toml::table* table = machine_table.table("bytes");
  if (!table) return;
  TableReader reader(*table, machine_table.errors(), "machine.bytes");
  const auto read = [&](Space space, int64_t low, int64_t high) {
    uint64_t& bytes = machine.bytes[static_cast<size_t>(space)];
    bytes = static_cast<uint64_t>(reader.integer(to_string(space), low, high, static_cast<int64_t>(bytes)));
  };
  for (const Space space : {Space::ub, Space::l1, Space::l0a, Space::l0b, Space::l0c, Space::bt, Space::fb})
    read(space, 32, kMaxCoreBytes);
  for (const Space space : {Space::l0a_mx, Space::l0b_mx}) read(space, 0, kMaxCoreBytes);
  read(Space::gm, 0, kMaxBytes);
  reader.finish();
}

/// Which pipes are slower than their cost rows say; they have none in the files of the targets.
void read_slow(TableReader& machine_table, Machine& machine) {
  const toml::table* table = machine_table.table("slow");
  if (!table) return;
  TableReader reader(*table, machine_table.errors(), "machine.slow");
  for (size_t i = 0; i < kQueuePipes.size(); ++i) {
    const std::string_view name = isa::short_name(kQueuePipes[i]);
    if (reader.has(name)) machine.slow[i] = static_cast<uint32_t>(reader.integer(name, 1, 1000));
  }
  reader.finish();
}

/// `flag_is_counter` is the key of files from before there were three kinds; it has come from above the
/// configurations of the targets, which say `flags`, and outweighs them.
FlagKind read_flags(TableReader& reader) {
  const std::string name = reader.text("flags", !reader.has("flag_is_counter"));
  if (reader.has("flag_is_counter"))
    return reader.boolean("flag_is_counter") ? FlagKind::counter : FlagKind::bit;
  for (const FlagKind kind : {FlagKind::counter, FlagKind::bit, FlagKind::bit_stall}) {
    if (name == to_string(kind)) return kind;
  }
  reader.error("flags", R"(must be "counter", "bit" or "bit-stall")");
  return FlagKind::counter;
}

Target read_target(TableReader& reader) {
  const std::string name = reader.text("target");
  for (const Target target : {Target::a2a3, Target::a5, Target::cpu}) {
    if (name == to_string(target)) return target;
  }
  reader.error("target", "must be \"a2a3\", \"a5\" or \"cpu\"");
  return Target::a2a3;
}

}  // namespace

void check_tables(TableReader& root) {
  for (const auto key : {"base", "sources", "machine", "chip", "links", "simt", "vector", "vf", "curve",
                         "documented", "formula", "cost"})
    root.node(key);
  if (root.has("base")) root.error("base", "is a key of files only");
  for (const auto key : {"machine", "cost"}) {
    if (!root.has(key)) root.missing(key);
  }
  root.finish();  // a misspelt table is reported before what lacks because of it
}

Machine read_machine(const toml::table& table, ConfigErrors& errors) {
  TableReader reader(table, errors, "machine");
  Machine machine;
  machine.target = read_target(reader);
  machine.chip = reader.text("chip");
  machine.clock_ghz = reader.number("clock_ghz");
  if (!(machine.clock_ghz > 0)) reader.error("clock_ghz", "must be positive");
  machine.clusters = static_cast<uint32_t>(reader.integer("clusters", 1, 1024));
  machine.queue_depth = static_cast<int>(reader.integer("queue_depth", 1, 1 << 20));
  machine.issue_cycles = static_cast<uint32_t>(reader.integer("issue_cycles", 0, 1000));
  machine.scalar_cycles = static_cast<uint32_t>(reader.integer("scalar_cycles", 0, 1000));
  machine.base_alignment =
      static_cast<uint32_t>(reader.integer("base_alignment", 1, 4096, isa::kTileAlignment));
  machine.l0_alignment = static_cast<uint32_t>(reader.integer("l0_alignment", 1, 4096, isa::kL0Alignment));
  machine.event_ids = static_cast<int>(reader.integer("event_ids", 1, 64));
  machine.flags = read_flags(reader);
  machine.flag_key_has_src = reader.boolean("flag_key_has_src");
  machine.vector_overlaps = reader.boolean("vector_overlaps");
  machine.cross_core_ids = static_cast<int>(reader.integer("cross_core_ids", 1, 64));
  machine.buffer_ids = static_cast<int>(reader.integer("buffer_ids", 0, 256));
  machine.ub_bank_group_bytes = static_cast<uint32_t>(reader.integer("ub_bank_group_bytes", 1, 4096));
  machine.ub_bank_groups = static_cast<uint32_t>(reader.integer("ub_bank_groups", 1, 64));
  machine.tf32_mantissa_bits = static_cast<int>(reader.integer("tf32_mantissa_bits", 1, 23));
  machine.tf32_supported = reader.boolean("tf32_supported");
  machine.flush_denormals = reader.boolean("flush_denormals");
  read_bytes(reader, machine);
  read_slow(reader, machine);
  reader.finish();
  return machine;
}

}  // namespace pto::machine
