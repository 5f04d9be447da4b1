#include "support/temporary_files.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace pto {

std::atomic<TemporaryName::Node*>& TemporaryName::first() {
  static std::atomic<Node*> node{nullptr};
  return node;
}

void TemporaryName::set(const std::filesystem::path& name) {
  forget();
  for (Node* node = first(); node != nullptr && node_ == nullptr; node = node->next) {
    if (!node->used.exchange(true)) node_ = node;
  }
  if (node_ == nullptr) {
    node_ = new Node;  // stays in the list for ever
    node_->used = true;
    node_->next = first();
    while (!first().compare_exchange_weak(node_->next, node_)) {
    }
  }
  char* const copy = strdup(name.c_str());
  if (copy == nullptr) throw std::bad_alloc();
  node_->name = copy;
}

void TemporaryName::forget() noexcept {
  if (node_ == nullptr) return;
  std::free(node_->name.exchange(nullptr));  // null where a handler has taken it
  node_->used = false;
  node_ = nullptr;
}

void TemporaryName::remove_all() noexcept {
  for (Node* node = first(); node != nullptr; node = node->next) {
    if (const char* const name = node->name.exchange(nullptr))
      unlink(name);  // not freed: that is not safe here
  }
}

}  // namespace pto
