// The functions of a program, and what a symbol means where it is used: the one lookup that all parts share.
//
// A symbol means the definition in the innermost module around its use. When no module around the use defines
// it, it means the definitions of that name anywhere in the program: a cube and a vector module may both
// define a kernel, and each kind of core runs its own. Declarations count only where nothing is defined.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pto/program.hpp"

namespace pto {

struct Function {
  FunctionInfo info;
  uint32_t module = 0;  ///< the innermost builtin.module around it
  uint32_t end = 0;     ///< one past its last operation
};

class Functions {
 public:
  explicit Functions(const Program& program);

  /// In the order of the program.
  [[nodiscard]] const std::vector<Function>& all() const { return all_; }
  [[nodiscard]] const Function& operator[](uint32_t index) const { return all_[index]; }
  [[nodiscard]] uint32_t index_of(const Function& function) const {
    return static_cast<uint32_t>(&function - all_.data());
  }
  /// The function that encloses an operation, nullptr outside of functions.
  [[nodiscard]] const Function* enclosing_function(uint32_t op) const;

  /// What a symbol means in a module: indices into all(), in the order of the program; empty when nothing has
  /// the name.
  [[nodiscard]] std::span<const uint32_t> named(std::string_view name, uint32_t module) const;
  /// What the callee of a call in `from` means.
  [[nodiscard]] std::span<const uint32_t> called(const OpView& call, const Function& from) const;
  /// The first of what a symbol means in the module of `from`, nullptr when nothing has the name.
  [[nodiscard]] const Function* find(std::string_view name, const Function& from) const;
  /// Two definitions of one kind of core: nothing says which one a use means.
  [[nodiscard]] bool ambiguous(std::span<const uint32_t> meant) const;

  [[nodiscard]] bool has(const Function& function, std::string_view attr) const {
    return OpView(program_, function.info.op).attr(attr) != nullptr;
  }
  /// Every name, for "did you mean".
  [[nodiscard]] std::vector<std::string_view> names() const;

 private:
  using Indices = std::vector<uint32_t>;
  /// Of a name that several functions have.
  struct Shared {
    Indices definitions, declarations;
    std::unordered_map<uint32_t, Indices> defined_in, declared_in;  ///< by module
  };

  void find_functions();
  void index_names();
  void share(uint32_t index);

  const Program& program_;
  std::vector<Function> all_;
  Indices own_;                                     ///< own_[i] == i: what a name that one function has means
  std::unordered_map<uint32_t, uint32_t> parents_;  ///< the module around a module
  std::unordered_map<std::string_view, uint32_t> first_;
  std::unordered_map<std::string_view, Shared> shared_;
};

}  // namespace pto
