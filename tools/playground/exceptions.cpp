// C++ exceptions in WebAssembly: the parts that the standard library of the sysroot omits, which is
// built without them. The compiler makes `catch` from instructions of the machine and asks here which clause
// takes an exception (the Itanium C++ ABI, with tables of -fwasm-exceptions). One thread; an exception stays
// in this program.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

namespace {

/// Stands in front of every exception object.
struct alignas(16) Header {
  const std::type_info* type;
  void* (*destroy)(void*);  ///< destructors return their object here
  void* adjusted;           ///< the object as the clause that takes it sees it
  Header* below;            ///< the exception whose clause this one was thrown in
  int clauses;              ///< that hold it; negative while it is thrown again
};

Header* handled = nullptr;  // by the innermost clause
unsigned in_flight = 0;

Header* header_of(void* object) { return static_cast<Header*>(object) - 1; }

/// What every type information of the standard library has behind the members of the standard.
struct CatchingType : std::type_info {
  virtual void first_unused() const;
  virtual void second_unused() const;
  virtual bool can_catch(const std::type_info* thrown, void*& object) const = 0;
};

/// A number of the tables: seven bits in each byte, the lowest first.
uint32_t read_unsigned(const uint8_t*& at) {
  uint32_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t byte = *at++;
    value |= static_cast<uint32_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

int32_t read_signed(const uint8_t*& at) {
  uint32_t value = 0;
  for (unsigned shift = 0;;) {
    const uint8_t byte = *at++;
    value |= static_cast<uint32_t>(byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    return static_cast<int32_t>((byte & 0x40) != 0 && shift < 32 ? value | (~uint32_t{0} << shift) : value);
  }
}

constexpr uint8_t kOmitted = 0xff;

/// The clauses of one function: which types, and which of them at each place.
struct Tables {
  const uint8_t *types = nullptr, *places = nullptr, *clauses = nullptr;

  explicit Tables(const uint8_t* at) {
    if (*at++ != kOmitted) std::abort();  // landing pads are numbers here
    if (*at++ != kOmitted) {
      const uint32_t length = read_unsigned(at);
      types = at + length;
    }
    ++at;  // how places are written: always the same
    const uint32_t length = read_unsigned(at);
    places = at;
    clauses = at + length;
  }

  [[nodiscard]] const CatchingType* type(int32_t number) const {
    const CatchingType* type = nullptr;
    std::memcpy(&type, types - static_cast<size_t>(number) * sizeof type, sizeof type);
    return type;
  }

  /// The number of the clause at landing pad `pad` that takes the exception, 0: none.
  [[nodiscard]] int32_t clause_for(uint32_t pad, Header& exception) const {
    const uint8_t* at = places;
    uint32_t first = 0;
    for (uint32_t i = 0; i <= pad; ++i) {
      (void)read_unsigned(at);
      first = read_unsigned(at);
    }
    for (const uint8_t* clause = first == 0 ? nullptr : clauses + first - 1; clause != nullptr;) {
      const int32_t number = read_signed(clause);
      const uint8_t* const from = clause;
      const int32_t next = read_signed(clause);
      if (number > 0 && takes(type(number), exception)) return number;
      clause = next == 0 ? nullptr : from + next;
    }
    return 0;
  }

  static bool takes(const CatchingType* type, Header& exception) {
    if (type == nullptr) return true;  // catch (...)
    void* object = &exception + 1;
    if (!type->can_catch(exception.type, object)) return false;
    exception.adjusted = object;
    return true;
  }
};

}  // namespace

extern "C" {

/// Filled in by the code of a landing pad, read by it.
struct LandingPad {
  uint32_t pad;
  const uint8_t* tables;
  uint32_t clause;
};
LandingPad __wasm_lpad_context;

int _Unwind_CallPersonality(void* object) {
  __wasm_lpad_context.clause = static_cast<uint32_t>(
      Tables(__wasm_lpad_context.tables).clause_for(__wasm_lpad_context.pad, *header_of(object)));
  return 0;
}

void* __cxa_allocate_exception(size_t size) {
  void* const memory = std::malloc(sizeof(Header) + size);
  if (memory == nullptr) std::terminate();
  return new (memory) Header{} + 1;
}

void __cxa_free_exception(void* object) { std::free(header_of(object)); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  *header_of(object) = {type, destroy, object, nullptr, 0};
  ++in_flight;
  __builtin_wasm_throw(0, object);
}

void* __cxa_begin_catch(void* object) {
  Header* const exception = header_of(object);
  exception->clauses = std::abs(exception->clauses) + 1;
  if (handled != exception) {
    exception->below = handled;
    handled = exception;
  }
  --in_flight;
  return exception->adjusted;
}

void __cxa_end_catch() {
  Header* const exception = handled;
  if (exception == nullptr) return;
  const bool thrown_again = exception->clauses < 0;
  exception->clauses += thrown_again ? 1 : -1;
  if (exception->clauses != 0) return;
  handled = exception->below;
  if (thrown_again) return;
  if (exception->destroy != nullptr) exception->destroy(exception + 1);
  __cxa_free_exception(exception + 1);
}

[[noreturn]] void __cxa_rethrow() {
  if (handled == nullptr) std::terminate();
  handled->clauses = -handled->clauses;
  ++in_flight;
  __builtin_wasm_throw(0, handled + 1);
}

void* __cxa_get_exception_ptr(void* object) { return header_of(object)->adjusted; }
std::type_info* __cxa_current_exception_type() {
  return handled == nullptr ? nullptr : const_cast<std::type_info*>(handled->type);
}
unsigned __cxa_uncaught_exceptions() { return in_flight; }
bool __cxa_uncaught_exception() { return in_flight != 0; }

// std::exception_ptr, which nothing here uses.
void __cxa_increment_exception_refcount(void*) {}
void __cxa_decrement_exception_refcount(void*) {}
void* __cxa_current_primary_exception() { return nullptr; }
void __cxa_rethrow_primary_exception(void*) {}

}  // extern "C"
