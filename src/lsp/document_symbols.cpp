// The structure of a text: modules, functions, operations with regions, tiles.
#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/text/braces.hpp"
#include "asm/parse/text/scanner.hpp"
#include "lsp/features.hpp"

namespace pto::lsp {

namespace {

/// SymbolKind.
enum SymbolKind : int { kModuleSymbol = 2, kFunctionSymbol = 12, kVariableSymbol = 13, kStructSymbol = 23 };

class Outline {
 public:
  Outline(OpenText& text, const Settings& settings)
      : document_(text.document()), analysis_(text.analysis(settings)), program_(analysis_.program()) {
    uint32_t last = 0;
    for (const Op& op : program_.ops) {
      last = std::max(last, op.where.line == 0 ? 0 : analysis_.offset_of(op.where));
      begins_.push_back(last);
    }
  }

  Json symbols() { return within(0, static_cast<uint32_t>(program_.ops.size())); }

 private:
  /// Of a text with errors, regions may have no end.
  [[nodiscard]] uint32_t end_of(uint32_t op, uint32_t limit) const {
    return std::clamp(program_.end_of(op), op + 1, limit);
  }

  Json within(uint32_t begin, uint32_t end) {
    Json list = Json::array();
    for (uint32_t op = begin; op < end; op = end_of(op, end)) add(op, end, list);
    return list;
  }

  void add(uint32_t op, uint32_t limit, Json& list) {
    const isa::Row& row = isa::row(program_.ops[op].row);
    const uint32_t end = end_of(op, limit);
    const bool written = program_.ops[op].where.line != 0;
    if (!written) {  // a module that the text does not write
      for (Json& inner : within(op + 1, end)) list.push_back(std::move(inner));
    } else if (row.opcode_class == isa::OpcodeClass::alloc_tile && program_.ops[op].n_results != 0) {
      const ValueId value = program_.ops[op].first_result;
      list.push_back(symbol(op, end, fmt::format("%{}", program_.name_of(value)), kVariableSymbol,
                            to_string(program_.type_of(value))));
    } else if (program_.ops[op].n_regions != 0 || row.opcode_class == isa::OpcodeClass::function) {
      list.push_back(structure(op, end, row));
    }
  }

  Json structure(uint32_t op, uint32_t end, const isa::Row& row) {
    const bool function = row.opcode_class == isa::OpcodeClass::function,
               module = row.opcode_class == isa::OpcodeClass::module;
    std::string name(isa::written_name(row));
    if (const AttrValue* symbol = OpView(program_, op).attr("sym_name"); symbol != nullptr)
      name = fmt::format("@{}", program_.strings[symbol->text]);
    Json json = symbol(op, end, name,
                       function ? kFunctionSymbol
                       : module ? kModuleSymbol
                                : kStructSymbol,
                       std::string(function ? "" : text::trim(line_of(op))));
    // Editors and the library that writes the answer go through it recursively.
    constexpr size_t kMaxDepth = 100;
    ++depth_;
    json["children"] = depth_ <= kMaxDepth ? within(op + 1, end) : Json::array();
    --depth_;
    return json;
  }

  [[nodiscard]] std::string_view line_of(uint32_t op) const {
    return document_.line(document_.position(begins_[op]).line);
  }

  Json symbol(uint32_t op, uint32_t end, std::string name, SymbolKind kind, std::string detail) {
    const std::string_view text = document_.text();
    const uint32_t begin = begins_[op];
    const uint32_t line_end = static_cast<uint32_t>(std::min(text.find('\n', begin), text.size()));
    const char* word = text::scan_word(text.data() + begin, text.data() + text.size());
    const Range selection = document_.range({begin, static_cast<uint32_t>(word - text.data())});
    // Up to the brace in front of what follows.
    uint32_t last = line_end;
    if (program_.ops[op].n_regions != 0) {
      const uint32_t next = end < begins_.size() ? begins_[end] : static_cast<uint32_t>(text.size());
      const size_t brace = text.substr(0, std::max(next, begin)).rfind('}');
      if (brace != text.npos && brace > begin) last = std::max(last, static_cast<uint32_t>(brace + 1));
    }
    return {{"name", name.size() > 1 ? std::move(name) : std::string("?")},
            {"detail", std::move(detail)},
            {"kind", kind},
            {"range", to_json(document_.range({begin, last}))},
            {"selectionRange", to_json(selection)}};
  }

  const Document& document_;
  const Analysis& analysis_;
  const Program& program_;
  std::vector<uint32_t> begins_;  ///< offset of every operation
  size_t depth_ = 0;              ///< structures around what is added
};

}  // namespace

Json outline(OpenText& text, const Settings& settings) { return Outline(text, settings).symbols(); }

}  // namespace pto::lsp
