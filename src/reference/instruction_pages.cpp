// The folder docs/reference/isa: an introduction, an index, and a page per family of the table.
#include <fmt/format.h>

#include "isa/rows/families.hpp"
#include "pto/reference.hpp"
#include "reference/markdown.hpp"
#include "reference/operand_tables.hpp"

namespace pto {

namespace {

using namespace reference;

constexpr std::string_view kMark =
    "<!-- Generated from the instruction table: pto-as --list-instructions --output-dir docs/reference/isa "
    "-->\n";

constexpr std::string_view kLegend = R"(# Instruction reference

Every instruction that `pto-as` knows, as its table says it: one page per family, one section per mnemonic. The same for
scripts: `pto-as --list-instructions --format json`. The rules with ids are explained by `pto-as --explain E0352`; all of
them are listed by `pto-as --list-rules`. How the table is written and what was decided where sources disagree:
[instruction-table.md](../../internals/instruction-table.md).

## How to read a section
- The syntax line shows the form of levels 2 and 3. `%x` is an operand, a plain word an attribute or a keyword, `type(%x)` the
  operand's type, `(..)?` may be left out, `(..)*` is repeated, `%x..` stands for any number, `{attributes}` is the
  dictionary of attributes that have no place of their own. Tile instructions have three more spellings, see
  [../language.md](../language.md).
- role: `in`, `out`, `inout`, `scratch` (may always be left out), `result`.
- memory: where the rules want the operand. Tiles name their memory `vec`, `mat`, `left`, `right`, `acc`, `bias`, `scaling`; pointers name the
  same memories `ub`, `l1`, `l0a`, `l0b`, `l0c`, `bt`, `fb`, and `gm`.
- element types: `i16` is any signedness, `s16` signed or signless, `u16` unsigned. One list: all tiles, vectors, views and
  pointers share one of them. Lines `src f32, dst f16` are the combinations by operand. The target `cpu` takes what either
  chip takes.
- pipe: the queue it waits in and the unit that executes it; what is on no pipe describes or structures and takes no time.
- What the operands of micro instructions count (bytes, elements, blocks of 32 bytes) and what they are for:
  [operands.md](operands.md).
- cost class: the name under which `sim-configs` give its time.

## JSON
An array with one object per form, in the order of the table. Names are stable; new ones may be added.

| name | holds |
|---|---|
| `name`, `row`, `layer`, `doc` | mnemonic, number in the table, layer, what it does |
| `readable`, `executed` | has a textual form; is executed by `pto-sim` |
| `syntax` | as in these pages; empty when not readable |
| `operands`, `results` | `name`, `kinds`, `role`, `arity` (one, optional, variadic), `places` |
| `attributes` | `name`, `type`, `values` of enumerations, `required`, `default` or null |
| `targets` | per target `legal`, `types` (alternatives in words; empty: any), `pipe` |
| `cost`, `rules`, `remarks` | cost class; rules with `name`, `ids`, what they demand, and the one target they hold for, or null; where it may stand |
| `table` | the strings of the row as the table writes them |

## Families
)";

/// Sections of a family, and what the index says of them.
struct Family {
  std::string text;
  std::string links;
  size_t forms = 0, executed = 0, read = 0;
};

Family family_of(std::span<const isa::Row> rows, std::string_view file) {
  Family family;
  for (size_t i = 0; i < rows.size();) {
    std::vector<FormFacts> forms;
    const std::string_view name = rows[i].name;
    for (; i < rows.size() && rows[i].name == name; ++i) {
      if ((rows[i].flags & isa::kAlias) == 0) forms.push_back(facts_of(rows[i]));
    }
    if (forms.empty()) continue;
    for (const FormFacts& form : forms) {
      ++family.forms;
      family.read += form.readable;
      family.executed += form.executed;
    }
    family.text += section_markdown(forms);
    family.links +=
        fmt::format("{}[{}]({}#{})", family.links.empty() ? "" : ", ", name, file, anchor_of(name));
  }
  return family;
}

/// Pages that say more about a family.
std::string_view guide_of(std::string_view family) {
  return family == "sync" ? " Modes and ids of signals between cores: [signals.md](../../user/signals.md)."
                          : "";
}

}  // namespace

std::vector<ReferencePage> reference_pages() {
  std::vector<ReferencePage> pages(1);
  std::string table = "| family | forms | read | executed |\n|---|---|---|---|\n", lists;
  size_t begin = 0;
  for (const isa::Family& rows : isa::families()) {
    const std::string file = fmt::format("{}.md", rows.name);
    const Family family = family_of(isa::rows().subspan(begin, rows.rows.size()), file);
    begin += rows.rows.size();
    pages.push_back(
        {file,
         fmt::format(
             "{}# {}\n\n{} forms, {} of them executed by `pto-sim`. [How to read this](README.md).{}\n\n{}",
             kMark, rows.title, family.forms, family.executed, guide_of(rows.name), family.text)});
    table += fmt::format("| [{}]({}) | {} | {} | {} |\n", rows.title, file, family.forms, family.read,
                         family.executed);
    lists += fmt::format("\n**{}**: {}\n", rows.title, family.links);
  }
  pages.front() = {"README.md", fmt::format("{}{}{}\n## Instructions\n{}", kMark, kLegend, table, lists)};
  pages.push_back({"operands.md", std::string(kMark) + operands_page()});
  return pages;
}

}  // namespace pto
