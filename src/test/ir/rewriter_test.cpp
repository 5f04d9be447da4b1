#include "ir/rewriter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "isa/row.hpp"
#include "pto/assembler.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using isa::OpcodeClass;

constexpr OpId kFunction = 1, kFirstOp = 2;  ///< behind the module

/// An operation of the reference: a tree that is edited directly.
struct Node {
  enum class Kind : uint8_t { function, add, loop, scope, ret } kind = Kind::add;
  OpId op = kNoOp;
  std::string name, operand;  ///< the result of an addition, the counter of a loop; what it takes
  Node* parent = nullptr;
  std::vector<std::unique_ptr<Node>> children;

  [[nodiscard]] bool has_region() const { return kind != Kind::add && kind != Kind::ret; }
};

void write(const Node& node, size_t depth, std::string& text) {
  const std::string indent(2 * depth, ' ');
  switch (node.kind) {
    case Node::Kind::function:
      text += indent + "func.func @k(%n: index)";
      if (node.children.empty()) {  // a declaration
        text += "\n";
        return;
      }
      text += " {\n";
      break;
    case Node::Kind::add:
      text += fmt::format("{}%{} = arith.addi %{}, %n : index\n", indent, node.name, node.operand);
      return;
    case Node::Kind::loop:
      text += fmt::format("{}scf.for %{} = %{} to %n step %n {{\n", indent, node.name, node.operand);
      break;
    case Node::Kind::scope:
      text += indent + "pto.vecscope {\n";
      break;
    case Node::Kind::ret:
      text += indent + "return\n";
      return;
  }
  for (const auto& child : node.children) write(*child, depth + 1, text);
  text += indent + "}\n";
}

std::string text_of(const Node& function) {
  std::string text = "module attributes {pto.target_arch = \"a5\"} {\n";
  write(function, 1, text);
  return text + "}\n";
}

Program must_assemble(const std::string& text) {
  Diagnostics diagnostics;
  std::optional<Program> program = parse(text, {}, diagnostics);
  REQUIRE(program.has_value());
  return std::move(*program);
}

/// One sequence of random edits, of a program and of the reference.
class RandomEdits {
 public:
  explicit RandomEdits(unsigned seed) : random_(seed) {
    function_.kind = Node::Kind::function;
    function_.op = kFunction;
    add_children(function_, 0);
    function_.children.push_back(made(Node::Kind::ret, function_));
    number(function_, kFunction);
    program_ = must_assemble(text_of(function_));
    before_ = print(program_);
  }

  void run(unsigned edits) {
    Rewriter rewriter(program_);
    rewriter_ = &rewriter;
    for (unsigned i = 0; i < edits; ++i) edit();
    rewriter.finish();
    CHECK(print(program_) == text_of(function_));
    CHECK(std::ranges::all_of(nodes(), [&](const Node* node) { return is_in_place(*node, rewriter); }));
    CHECK(std::ranges::all_of(erased_, [&](OpId op) { return rewriter.index_of(op) == kNoOp; }));
  }
  [[nodiscard]] bool is_faithful() const { return before_ == text_of(function_); }

 private:
  // ---- the first program
  unsigned up_to(size_t most) {
    return std::uniform_int_distribution<unsigned>(0, static_cast<unsigned>(most))(random_);
  }
  std::string next_name() { return fmt::format("v{}", ++names_); }
  std::unique_ptr<Node> made(Node::Kind kind, Node& parent) {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->parent = &parent;
    if (kind == Node::Kind::add || kind == Node::Kind::loop) node->name = next_name();
    node->operand = "n";
    for (const Node* around = &parent; around != nullptr; around = around->parent) {
      if (around->kind == Node::Kind::loop && up_to(1) == 0) node->operand = around->name;
    }
    return node;
  }
  void add_children(Node& parent, unsigned depth) {
    const unsigned count = 1 + up_to(3);
    for (unsigned i = 0; i < count; ++i) {
      const bool loop = depth < 3 && up_to(2) == 0;
      parent.children.push_back(made(loop ? Node::Kind::loop : Node::Kind::add, parent));
      if (loop && up_to(4) != 0) add_children(*parent.children.back(), depth + 1);
    }
  }
  static OpId number(Node& node, OpId next) {
    node.op = next++;
    for (const auto& child : node.children) next = number(*child, next);
    return next;
  }

  // ---- choices
  static void collect(Node& node, std::vector<Node*>& found) {
    for (const auto& child : node.children) {
      found.push_back(child.get());
      collect(*child, found);
    }
  }
  std::vector<Node*> nodes() {
    std::vector<Node*> found;
    collect(function_, found);
    return found;
  }
  Node* any() {
    const std::vector<Node*> all = nodes();
    return all.empty() ? nullptr : all[up_to(all.size() - 1)];
  }
  static bool is_inside(const Node* node, const Node& around) {
    while (node != nullptr && node != &around) node = node->parent;
    return node != nullptr;
  }
  static size_t position_of(const Node& node) {
    const auto& siblings = node.parent->children;
    const auto at = std::ranges::find(siblings, &node, [](const auto& child) { return child.get(); });
    return static_cast<size_t>(at - siblings.begin());
  }

  /// A place among the children of `parent`, which is the rewriter's insertion point as well.
  struct Place {
    Node* parent = nullptr;
    size_t index = 0;
  };
  Place any_place() {
    Node* node = any();
    if (node == nullptr || up_to(3) == 0) {
      Node* parent = node != nullptr && node->has_region() ? node : &function_;
      const bool end = up_to(1) == 0;
      const uint32_t region = rewriter_->region(parent->op, 0);
      end ? rewriter_->set_end(region) : rewriter_->set_begin(region);
      return {parent, end ? parent->children.size() : 0};
    }
    const bool after = up_to(1) == 0;
    after ? rewriter_->set_after(node->op) : rewriter_->set_before(node->op);
    return {node->parent, position_of(*node) + (after ? 1 : 0)};
  }
  static Node& put(const Place& place, std::unique_ptr<Node> node) {
    node->parent = place.parent;
    auto& children = place.parent->children;
    return **children.insert(children.begin() + static_cast<std::ptrdiff_t>(place.index), std::move(node));
  }
  static std::unique_ptr<Node> take(Node& node) {
    auto& siblings = node.parent->children;
    const auto at = siblings.begin() + static_cast<std::ptrdiff_t>(position_of(node));
    std::unique_ptr<Node> taken = std::move(*at);
    siblings.erase(at);
    return taken;
  }

  // ---- edits
  void edit() {
    switch (up_to(4)) {
      case 0:
        return insert();
      case 1:
        return erase();
      case 2:
        return move();
      case 3:
        return clone();
      default:
        return wrap();
    }
  }

  ValueId parameter() const { return program_.regions[program_.ops[kFunction].regions].first_arg; }

  void insert() {
    const Place place = any_place();
    Node& node = put(place, made(Node::Kind::add, *place.parent));
    node.operand = "n";
    const TypeId index = program_.values[parameter()].type;
    const ValueId value = rewriter_->binary(OpcodeClass::add, index, parameter(), parameter());
    program_.values[value].name = program_.strings.intern(node.name);
    node.op = static_cast<OpId>(program_.ops.size() - 1);
  }

  void erase() {
    Node* node = any();
    if (node == nullptr) return;
    std::vector<Node*> gone = {node};
    collect(*node, gone);
    for (const Node* each : gone) erased_.push_back(each->op);
    rewriter_->erase(node->op);
    take(*node);
  }

  void move() {
    Node* node = any();
    Place place = any_place();
    if (node == nullptr || is_inside(place.parent, *node) || rewriter_->point().next == node->op) return;
    const bool before = node->parent == place.parent && position_of(*node) < place.index;
    rewriter_->move(node->op);
    std::unique_ptr<Node> taken = take(*node);
    place.index -= before ? 1 : 0;
    put(place, std::move(taken));
  }

  void clone() {
    const Node* node = any();
    if (node == nullptr || node->kind == Node::Kind::ret) return;
    const Place place = any_place();
    if (is_inside(place.parent, *node)) return;
    ValueMap values;
    unsigned named = names_;
    const OpId root = rewriter_->clone(node->op, values, [&](ValueId first, uint32_t count) {
      const auto copy = static_cast<ValueId>(program_.values.size());
      for (uint32_t i = 0; i < count; ++i) {
        const StrId name = program_.strings.intern(fmt::format("v{}", ++named));
        program_.values.push_back({program_.values[first + i].type, name});
      }
      return copy;
    });
    std::map<std::string, std::string> renamed;
    OpId next = root;
    put(place, copy_of(*node, *place.parent, renamed, next));
  }
  std::unique_ptr<Node> copy_of(const Node& node, Node& parent, std::map<std::string, std::string>& renamed,
                                OpId& next) {
    auto copy = std::make_unique<Node>();
    copy->kind = node.kind;
    copy->parent = &parent;
    copy->op = next++;
    if (!node.name.empty()) renamed[node.name] = copy->name = next_name();
    const auto found = renamed.find(node.operand);
    copy->operand = found == renamed.end() ? node.operand : found->second;
    for (const auto& child : node.children) copy->children.push_back(copy_of(*child, *copy, renamed, next));
    return copy;
  }

  void wrap() {
    Node* first = any();
    if (first == nullptr) return;
    Node* parent = first->parent;
    const size_t begin = position_of(*first);
    const size_t end = begin + up_to(parent->children.size() - 1 - begin);
    const OpId last = parent->children[end]->op;
    const OpId scope = rewriter_->wrap(isa::id_of(OpcodeClass::vecscope), first->op, last);
    std::unique_ptr<Node> around = made(Node::Kind::scope, *parent);
    around->op = scope;
    for (size_t i = begin; i <= end; ++i) {
      std::unique_ptr<Node> inside = take(*parent->children[begin]);
      inside->parent = around.get();
      around->children.push_back(std::move(inside));
    }
    put({parent, begin}, std::move(around));
  }

  bool is_in_place(const Node& node, const Rewriter& rewriter) const {
    const uint32_t index = rewriter.index_of(node.op);
    if (index >= program_.ops.size()) return false;
    const Op& op = program_.ops[index];
    return node.kind != Node::Kind::add || program_.name_of(op.first_result) == node.name;
  }

  std::mt19937 random_;
  unsigned names_ = 0;
  Node function_;
  Program program_;
  std::string before_;
  Rewriter* rewriter_ = nullptr;
  std::vector<OpId> erased_;
};

TEST_CASE("random edits give the text that editing a tree gives", "[ir][rewriter]") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    RandomEdits edits(seed);
    REQUIRE(edits.is_faithful());
    edits.run(seed % 30);
  }
}

TEST_CASE("operations keep their id while others are inserted and moved", "[ir][rewriter]") {
  Program program = must_assemble(R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%n: index) {
    %a = arith.addi %n, %n : index
    %b = arith.muli %n, %n : index
    return
  }
}
)");
  constexpr OpId kAdd = kFirstOp, kMultiply = kFirstOp + 1;
  Rewriter rewriter(program);
  rewriter.set_after(kAdd);
  const TypeId index = program.values[program.ops[kAdd].first_result].type;
  const ValueId two = rewriter.constant(index, 2);
  program.values[two].name = program.strings.intern("two");
  rewriter.set_before(kAdd);
  rewriter.move(kMultiply);
  ValueMap values;
  values[program.ops[kAdd].first_result] = two;
  rewriter.replace_operands(kMultiply, values);
  rewriter.finish();
  CHECK(print(program) == R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%n: index) {
    %b = arith.muli %n, %n : index
    %a = arith.addi %n, %n : index
    %two = arith.constant 2 : index
    return
  }
}
)");
  CHECK(rewriter.index_of(kMultiply) == kAdd);
  CHECK(rewriter.index_of(kAdd) == kMultiply);
}

}  // namespace
}  // namespace pto
