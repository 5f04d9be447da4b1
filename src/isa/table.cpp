// The table: all rows in a fixed order, lookup by name, schemas on demand, the hash of the whole.
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

#include "isa/row.hpp"
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

struct Table {
  std::vector<Row> rows;
  std::unordered_map<std::string_view, RowId> first;
  std::vector<std::string_view> names;
  std::unique_ptr<std::atomic<const Schema*>[]> schemas;
  std::vector<std::unique_ptr<const Schema>> owned;
  std::mutex compiling;
  uint64_t hash = 0;
};

constexpr uint64_t fnv(uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3ULL;
  return (hash ^ 0xff) * 0x100000001b3ULL;
}

/// Everything that decides how operations are numbered and laid out; not the documentation, types, rules and pipes.
uint64_t layout_hash(const std::vector<Row>& rows) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const Row& row : rows) {
    for (const std::string_view text : {row.name, row.operands, row.results, row.attrs}) hash = fnv(hash, text);
  }
  for (const EnumDomain& domain : enum_domains()) {
    hash = fnv(hash, domain.name);
    for (const EnumCase& item : domain.cases) hash = fnv(hash, item.name) + static_cast<uint64_t>(item.value);
  }
  return hash;
}

std::unique_ptr<Table> build() {
  auto table = std::make_unique<Table>();
  for (const std::span<const Row> family : families()) table->rows.insert(table->rows.end(), family.begin(), family.end());
  for (size_t i = 0; i < table->rows.size(); ++i) {
    if (table->first.emplace(table->rows[i].name, static_cast<RowId>(i)).second) table->names.push_back(table->rows[i].name);
  }
  table->schemas = std::make_unique<std::atomic<const Schema*>[]>(table->rows.size());
  table->hash = layout_hash(table->rows);
  return table;
}

Table& table() {
  static const std::unique_ptr<Table> instance = build();
  return *instance;
}

const Schema& compile(Table& all, RowId id) {
  const std::scoped_lock lock(all.compiling);
  if (const Schema* done = all.schemas[id].load(std::memory_order_acquire)) return *done;
  auto schema = std::make_unique<Schema>();
  std::string problem;
  if (!compile_schema(all.rows[id], *schema, problem)) throw std::logic_error("instruction table: " + problem);
  schema->id = id;
  all.schemas[id].store(schema.get(), std::memory_order_release);
  return *all.owned.emplace_back(std::move(schema));
}

}  // namespace

std::span<const Row> rows() { return table().rows; }

const Row* find_row(std::string_view mnemonic) {
  const Table& all = table();
  const auto found = all.first.find(mnemonic);
  return found == all.first.end() ? nullptr : &all.rows[found->second];
}

RowId id_of(const Row& row) { return static_cast<RowId>(&row - table().rows.data()); }

const std::vector<std::string_view>& mnemonics() { return table().names; }

const Schema& schema(RowId id) {
  Table& all = table();
  const Schema* done = all.schemas[id].load(std::memory_order_acquire);
  return done != nullptr ? *done : compile(all, id);
}

uint64_t table_hash() { return table().hash; }

}  // namespace pto::isa
