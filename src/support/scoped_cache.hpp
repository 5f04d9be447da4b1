// Scoped per-thread memoisation of values that many runs in a row read, such as target
// configurations.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>

#include "pto/result.hpp"

namespace pto {

/// While a ScopedCache<Value> is alive, its thread loads the Value of each key once. Without one,
/// every access loads.
template <typename Value>
class ScopedCache {
 public:
  ScopedCache() : before_(std::exchange(current_, this)) {}
  ~ScopedCache() { current_ = before_; }
  ScopedCache(const ScopedCache&) = delete;
  ScopedCache& operator=(const ScopedCache&) = delete;

  /// Whether the thread has one.
  static bool is_active() { return current_ != nullptr; }
  template <typename Read>
  static Result<Value> get(const std::string& key, const Read& read) {
    if (current_ == nullptr) return read();
    const auto found = current_->values_.find(key);
    if (found != current_->values_.end()) return found->second;
    Result<Value> result = read();
    if (result) current_->values_.emplace(key, *result);
    return result;
  }

 private:
  // The library is linked into the Python module, too: code for programs alone would not fit there.
  [[gnu::tls_model("initial-exec")]] static thread_local ScopedCache* current_;
  ScopedCache* before_;
  std::map<std::string, Value> values_;
};

template <typename Value>
thread_local ScopedCache<Value>* ScopedCache<Value>::current_ = nullptr;

/// The key of a target with its settings.
inline std::string key_of(std::string_view target, std::span<const std::string> settings) {
  std::string key(target);
  for (const std::string& setting : settings) key += '\n' + setting;
  return key;
}

}  // namespace pto
