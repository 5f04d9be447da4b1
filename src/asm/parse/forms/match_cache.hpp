// Caches the last match of each mnemonic: statements of one mnemonic mostly have the same shape, so
// the match of the last one fits the next one.
#pragma once

#include <vector>

#include "asm/parse/binder_context.hpp"

namespace pto::text {

class MatchCache {
 public:
  explicit MatchCache(BinderContext& parts) : p_(parts), shapes_(isa::rows().size()) {}

  /// The form that the statement at hand fits, if the last one of this mnemonic had its shape: `events` of
  /// the parts are those of the match then. Else nullptr.
  const isa::Schema* find(RowId first);
  /// The statement at hand fits `schema`, and `events` of the parts say how.
  void insert(RowId first, const isa::Schema& schema);

 private:
  struct Shape {
    const isa::Schema* schema = nullptr;
    std::vector<Node> nodes;  ///< its items, as they were
    uint32_t first_item = 0;
    bool region = false;
    std::vector<MatchEvent> events;
  };
  [[nodiscard]] bool is_match(const Shape& shape) const;

  BinderContext& p_;
  std::vector<Shape> shapes_;  ///< by the first row of the mnemonic
};

}  // namespace pto::text
