// The names of files that a process has begun and not yet put in place, for when a signal ends it.
#pragma once

#include <atomic>
#include <filesystem>

namespace pto {

/// A file that is removed if a signal ends the process. Handlers can read the list at any time, in
/// any thread: its nodes are never freed, and a name belongs to the thread that has removed it from
/// the list.
class TemporaryName {
 public:
  TemporaryName() = default;
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;
  ~TemporaryName() { forget(); }

  /// Before the file is made.
  void set(const std::filesystem::path& name);
  /// The file has its place, or is gone.
  void forget() noexcept;
  /// Safe within a handler of a signal.
  static void remove_all() noexcept;

 private:
  struct Node {
    std::atomic<char*> name{nullptr};
    std::atomic<bool> used{false};
    Node* next = nullptr;
  };
  static std::atomic<Node*>& first();

  Node* node_ = nullptr;
};

}  // namespace pto
