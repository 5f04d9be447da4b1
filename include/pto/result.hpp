// Result<T>: a value or an error message. It is used in everything below the tools' mains: errors
// are values, and exceptions are bugs.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace pto {

/// An error of an input that is not program text (file, configuration, object, command line).
struct Error {
  std::string message;                                        ///< one line: position, error and repair
  enum class Kind { input, unsupported } kind = Kind::input;  ///< exit code 2 or 3
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace pto
