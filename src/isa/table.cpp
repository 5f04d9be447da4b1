// The table: all rows in a fixed order, lookup by name, schemas on demand, the hash of the whole.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "isa/row.hpp"
#include "isa/rows/families.hpp"
#include "support/hash.hpp"

namespace pto::isa {
namespace {

/// Built at the first use in every process, so it is kept cheap: one copy of the rows, one array of slots.
struct Table {
  std::vector<Row> rows;
  std::vector<uint16_t> slots;  ///< open addressing by name: first row of a mnemonic + 1, 0 = free
  std::vector<std::string_view> names;
  std::array<RowId, static_cast<size_t>(OpcodeClass::count)> doing{};  ///< first row that does it
  std::unique_ptr<std::atomic<const Schema*>[]> schemas;
  TableView view;
  std::vector<std::unique_ptr<const Schema>> owned;
  std::mutex compiling;

  /// The slot that holds the mnemonic, or the free one where it belongs.
  [[nodiscard]] size_t slot_of(std::string_view name) const {
    const size_t mask = slots.size() - 1;
    size_t at = hash_text(name) & mask;
    while (slots[at] != 0 && rows[slots[at] - 1].name != name) at = (at + 1) & mask;
    return at;
  }
};

Table* build() {
  auto* table = new Table;
  const auto all = families();
  size_t count = 0;
  for (const Family& family : all) count += family.rows.size();
  if (count >= 0xffff) throw std::logic_error("instruction table: too many rows");
  table->rows.reserve(count);
  table->names.reserve(count);
  for (const Family& family : all)
    table->rows.insert(table->rows.end(), family.rows.begin(), family.rows.end());
  table->slots.resize(std::bit_ceil(2 * count));
  for (size_t i = count; i-- > 0;)
    table->doing[static_cast<size_t>(table->rows[i].opcode_class)] = static_cast<RowId>(i);
  for (size_t i = 0; i < count; ++i) {
    uint16_t& slot = table->slots[table->slot_of(table->rows[i].name)];
    if (slot != 0) continue;
    slot = static_cast<uint16_t>(i + 1);
    table->names.push_back(table->rows[i].name);
  }
  table->schemas = std::make_unique<std::atomic<const Schema*>[]>(count);
  table->view = {table->rows, table->schemas.get()};
  return table;
}

/// Lives as long as the process: taking it apart at exit would be time lost.
Table& whole_table() {
  static Table* const instance = build();
  return *instance;
}

const Schema& compile(Table& all, RowId id) {
  const std::scoped_lock lock(all.compiling);
  if (const Schema* done = all.schemas[id].load(std::memory_order_acquire)) return *done;
  auto schema = std::make_unique<Schema>();
  std::string problem;
  if (!compile_schema(all.rows[id], *schema, problem))
    throw std::logic_error("instruction table: " + problem);
  schema->id = id;
  all.schemas[id].store(schema.get(), std::memory_order_release);
  return *all.owned.emplace_back(std::move(schema));
}

}  // namespace

constinit std::atomic<const TableView*> table_view = nullptr;

const TableView& make_table() {
  const TableView& view = whole_table().view;
  table_view.store(&view, std::memory_order_release);
  return view;
}

const Row* find_row(std::string_view mnemonic) {
  const Table& all = whole_table();
  const uint16_t first = all.slots[all.slot_of(mnemonic)];
  return first == 0 ? nullptr : &all.rows[first - 1u];
}

const Row* find_keyword(std::string_view word) {
  const auto names = [&](const Row& row) {
    return !word.empty() && (row.keyword == word || row.also == word);
  };
  const auto found = std::ranges::find_if(rows(), names);
  return found == rows().end() ? nullptr : &*found;
}

RowId id_of(const Row& row) { return static_cast<RowId>(&row - rows().data()); }

RowId id_of(OpcodeClass opcode_class) { return whole_table().doing[static_cast<size_t>(opcode_class)]; }

const std::vector<std::string_view>& mnemonics() { return whole_table().names; }

const Schema& make_schema(RowId id) { return compile(whole_table(), id); }

uint64_t table_hash() {
  uint64_t hash = enums_hash();
  for (const Family& family : families()) hash = std::rotl(hash, 7) * 0x9e3779b97f4a7c15ULL ^ family.hash;
  return hash;
}

}  // namespace pto::isa
