// Reference counts for values that many own. Single-threaded: a count costs no more than an
// addition. A pool uses the memory of freed values again.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace pto::order {

template <typename Value>
class RefCounted {
  struct Shared;

 public:
  /// Allocates the values; outlives them.
  class Arena {
   public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena() {
      while (free_ != nullptr) ::operator delete(std::exchange(free_, free_->next));
    }
    template <typename... Arguments>
    RefCounted make(Arguments&&... arguments) {
      void* memory = free_;
      if (memory != nullptr)
        free_ = free_->next;
      else
        memory = ::operator new(sizeof(Shared));
      return RefCounted(new (memory) Shared{Value{std::forward<Arguments>(arguments)...}, 1, this});
    }

   private:
    friend class RefCounted;
    struct Free {
      Free* next;
    };
    Free* free_ = nullptr;
  };

  RefCounted() = default;
  RefCounted(const RefCounted& other) : shared_(other.shared_) {
    if (shared_ != nullptr) ++shared_->uses;
  }
  RefCounted(RefCounted&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  RefCounted& operator=(const RefCounted& other) {
    if (shared_ != other.shared_) RefCounted(other).swap(*this);
    return *this;
  }
  RefCounted& operator=(RefCounted&& other) noexcept {
    swap(other);
    return *this;
  }
  ~RefCounted() {
    if (shared_ != nullptr && --shared_->uses == 0) give_back();
  }
  void swap(RefCounted& other) noexcept { std::swap(shared_, other.shared_); }

  explicit operator bool() const { return shared_ != nullptr; }
  const Value& operator*() const { return shared_->value; }
  const Value* operator->() const { return &shared_->value; }
  /// To change the value: a copy where others own it too.
  Value& unshare() {
    if (shared_->uses > 1) *this = shared_->pool->make(shared_->value);
    return shared_->value;
  }
  [[nodiscard]] bool is_same(const RefCounted& other) const { return shared_ == other.shared_; }
  /// Both are empty, or their values are equal.
  bool operator==(const RefCounted& other) const {
    return shared_ == other.shared_ ||
           (shared_ != nullptr && other.shared_ != nullptr && shared_->value == other.shared_->value);
  }

 private:
  struct Shared {
    Value value;
    uint64_t uses;
    Arena* pool;
  };
  explicit RefCounted(Shared* shared) : shared_(shared) {}
  void give_back() {
    Arena* const pool = shared_->pool;
    std::destroy_at(shared_);
    pool->free_ = new (static_cast<void*>(shared_)) typename Arena::Free{pool->free_};
  }

  Shared* shared_ = nullptr;
};

}  // namespace pto::order
