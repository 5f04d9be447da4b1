// Which names are one object: several on purpose, of one place. The question is what each name would give if
// it had a place of its own.
//
//   tload outs(%a)  tload outs(%b, where %a is)  tadd ins(%a, %b)     %a is lost, and %b is read through %b:
//                                                                     two objects, a mistake
//   tload outs(%a)  tadd outs(%b, where %a is)   tstore ins(%a)       nobody reads through %b; apart, it
//   would
//                                                                     be computed for nobody: it writes for
//                                                                     %a
//   tload outs(%a)  tadd ins(%r0, a row of %a)                        %r0 is read before it is written: it is
//                                                                     one more name of %a
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "check/storage_names.hpp"
#include "isa/row.hpp"

namespace pto::sim {

inline bool across(const Extent& a, const Extent& b) {
  return (a.low < b.low && b.low < a.high && a.high < b.high) ||
         (b.low < a.low && a.low < b.high && b.high < a.high);
}

class Objects {
 public:
  using Names = std::map<ValueId, StorageAlias>;

  Objects(const Program& program, const Names& names) : program_(program), names_(names) {
    for (const auto& each : names) parents_.emplace(each.first, each.first);
    for (const auto& each : names) join_aliases(each.second);
    for (const auto& each : names) join_parts(each.second);
  }

  /// Whether some name needs the two to be one, directly or by way of others.
  [[nodiscard]] bool is_one(const StorageAlias& one, const StorageAlias& other) const {
    return root(one.value) == root(other.value);
  }

  /// What is put through `writer` is read, but never through `writer` itself, and `reader` is who reads it.
  [[nodiscard]] bool writes_for(const StorageAlias& writer, const StorageAlias& reader) const {
    return !writer.own && writer.readers.contains(reader.value) &&
           orphan(writer.value, writer.value, writer.put.size()) == nullptr;
  }

  /// A name that reads what others have put there for themselves, and has put nothing: it may have been meant
  /// to read what is put through `writer`, which is like it. Null: there is none.
  /// `place`: the name that its bytes count for. Names of one object miss nothing of each other.
  [[nodiscard]] const StorageAlias* orphan(ValueId writer, ValueId place, uint64_t bytes) const {
    for (const auto& [value, name] : names_) {
      if (value == kNoValue || root(value) == root(place) || value == writer || !name.put.empty() ||
          name.lenders.empty() || name.lenders.contains(writer) ||
          program_.type_of(value).space != program_.type_of(writer).space)
        continue;
      const bool alike =
          program_.type_of(value) == program_.type_of(writer) || (bytes != 0 && name.touched.size() == bytes);
      if (alike && lenders_keep_theirs(name)) return &name;
    }
    return nullptr;
  }

  [[nodiscard]] bool is_pointer(const StorageAlias& name) const {
    return name.value != kNoValue && !program_.type_of(name.value).is_tile();
  }

  /// A pointer that reads what others have put for themselves; it may have been meant for what nobody reads.
  [[nodiscard]] const StorageAlias* borrower(const StorageAlias& unread) const {
    for (const auto& each : names_) {
      const StorageAlias& name = each.second;
      if (!is_pointer(name) || name.space != unread.space || !name.put.empty() || name.lenders.empty())
        continue;
      if (name.touched.size() <= unread.put.size() && lenders_keep_theirs(name)) return &name;
    }
    return nullptr;
  }

  /// Whether nothing but what goes through this name, or by mistake through `other`, comes to its bytes, so
  /// that it can be anywhere. What nobody reads may be what is read through it.
  [[nodiscard]] bool stands_alone(ValueId value, ValueId other) const {
    const StorageAlias& name = names_.at(value);
    const auto known = [&](ValueId each) { return each == value || each == other; };
    return (name.readers.empty() || name.readers.contains(value)) &&
           std::ranges::all_of(name.lenders, known) && std::ranges::all_of(name.readers, known) &&
           std::ranges::none_of(names_, [&](const auto& each) {
             const StorageAlias& third = each.second;
             const bool unread =
                 is_pointer(third) && third.space == name.space && third.bytes != 0 && !third.used;
             return !known(each.first) && (unread || third.readers.contains(value));
           });
  }

  [[nodiscard]] bool lenders_keep_theirs(const StorageAlias& name) const {
    return std::ranges::all_of(
        name.lenders, [&](ValueId lender) { return names_.at(lender).read_through_others_than(name.value); });
  }

 private:
  /// A part of a tile that is read before it is written, as one of its rows.
  struct Part {
    TypeId type;
    ValueId whole;
  };

  void join_aliases(const StorageAlias& name) {
    for (const ValueId alias : name.aliases) {
      // One holds the other, as a tile does its rows; places across each other are a mistake.
      const Extent& other = names_.at(alias).put;
      if (across(name.touched, other)) continue;
      join(name.value, alias);
      if (is_inside(name.touched, other) && name.touched != other)
        parts_.push_back({program_.values[name.value].type, alias});
    }
  }

  /// Where one row of a tile has a name, another name like that within the tile is another row of it, be it
  /// written first.
  void join_parts(const StorageAlias& name) {
    if (name.value == kNoValue) return;
    for (const Part& part : parts_) {
      if (program_.values[name.value].type == part.type && is_inside(name.touched, names_.at(part.whole).put))
        join(name.value, part.whole);
    }
  }

  static bool is_inside(const Extent& inner, const Extent& outer) {
    return outer.low <= inner.low && inner.high <= outer.high;
  }

  void join(ValueId one, ValueId other) { parents_[root(one)] = root(other); }
  [[nodiscard]] ValueId root(ValueId value) const {
    while (parents_.at(value) != value) value = parents_.at(value);
    return value;
  }

  const Program& program_;
  const Names& names_;
  std::map<ValueId, ValueId> parents_;  ///< union-find
  std::vector<Part> parts_;
};

}  // namespace pto::sim
