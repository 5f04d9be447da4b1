// What many hold and nobody changes. One thread of the host at a time: counting costs no more than an
// addition, and what is no longer held is used again for the next one.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace pto::sim {

template <typename Value>
class Counted {
  struct Shared;

 public:
  /// Where they are made; outlives them.
  class Pool {
   public:
    Pool() = default;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool() {
      while (free_ != nullptr) ::operator delete(std::exchange(free_, free_->next));
    }
    template <typename... Arguments>
    Counted make(Arguments&&... arguments) {
      void* memory = free_;
      if (memory != nullptr)
        free_ = free_->next;
      else
        memory = ::operator new(sizeof(Shared));
      return Counted(new (memory) Shared{Value{std::forward<Arguments>(arguments)...}, 1, this});
    }

   private:
    friend class Counted;
    struct Free {
      Free* next;
    };
    Free* free_ = nullptr;
  };

  Counted() = default;
  Counted(const Counted& other) : shared_(other.shared_) {
    if (shared_ != nullptr) ++shared_->uses;
  }
  Counted(Counted&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  Counted& operator=(const Counted& other) {
    if (shared_ != other.shared_) Counted(other).swap(*this);
    return *this;
  }
  Counted& operator=(Counted&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Counted() {
    if (shared_ != nullptr && --shared_->uses == 0) give_back();
  }
  void swap(Counted& other) noexcept { std::swap(shared_, other.shared_); }

  explicit operator bool() const { return shared_ != nullptr; }
  const Value& operator*() const { return shared_->value; }
  const Value* operator->() const { return &shared_->value; }
  /// To change it before anybody else holds it.
  Value& fresh() { return shared_->value; }
  [[nodiscard]] bool same(const Counted& other) const { return shared_ == other.shared_; }
  /// Both hold nothing, or what is equal.
  bool operator==(const Counted& other) const {
    return shared_ == other.shared_ ||
           (shared_ != nullptr && other.shared_ != nullptr && shared_->value == other.shared_->value);
  }

 private:
  struct Shared {
    Value value;
    uint64_t uses;
    Pool* pool;
  };
  explicit Counted(Shared* shared) : shared_(shared) {}
  void give_back() {
    Pool* const pool = shared_->pool;
    std::destroy_at(shared_);
    pool->free_ = new (static_cast<void*>(shared_)) typename Pool::Free{pool->free_};
  }

  Shared* shared_ = nullptr;
};

}  // namespace pto::sim
