// Buffers of a case: files -> simulator arguments, and back. Sizes are checked before anything is allocated.
#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "pto/case_file.hpp"
#include "report/dtype.hpp"
#include "report/npy.hpp"

namespace pto {
namespace {

namespace fs = std::filesystem;

Error at(const fs::path& file, std::string_view what) { return {fmt::format("{}: {}", file.string(), what)}; }

bool is_npy(const fs::path& file) { return file.extension() == ".npy"; }

uint64_t physical_memory() {
  const auto pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page) : uint64_t{1} << 32;
}

Result<std::vector<std::byte>> read_file(const fs::path& file, uint64_t limit) {
  std::error_code problem;
  if (fs::is_directory(file, problem)) return at(file, "is a folder");
  const auto size = fs::file_size(file, problem);
  if (problem) return at(file, problem.message());
  if (size > limit) return at(file, fmt::format("has {} bytes, at most {} are expected", size, limit));
  std::vector<std::byte> bytes(static_cast<size_t>(size));
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!in || static_cast<uintmax_t>(in.gcount()) != size) return at(file, "cannot be read");
  return bytes;
}

std::string who(const CaseArg& arg, size_t position) {
  return arg.name.empty() ? fmt::format("argument {}", position) : "'" + arg.name + "'";
}

/// A .npy input on the command line states format and shape itself.
Result<CaseArg> with_npy_type(CaseArg arg) {
  std::vector<std::byte> head(size_t{64} << 10);
  std::ifstream in(arg.input, std::ios::binary);
  if (!in) return at(arg.input, std::strerror(errno));
  in.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(in.gcount()));
  const auto header = report::parse_npy_header(head);
  if (!header) return at(arg.input, header.error().message);
  arg.dtype = report::npy_elem(header->descr);
  if (arg.dtype == Elem::none)
    return at(arg.input, fmt::format("NumPy type '{}' is none of {}", header->descr, report::dtype_list()));
  arg.shape = header->shape.empty() ? std::vector<int64_t>{1} : header->shape;
  return arg;
}

/// Bytes of the buffer; refuses what the machine cannot hold.
Result<uint64_t> buffer_bytes(const CaseArg& arg, size_t position, uint64_t& budget) {
  const auto count = report::element_count(arg.shape);
  uint64_t bytes = 0;
  const uint64_t all = physical_memory();
  if (!count || __builtin_mul_overflow(*count, uint64_t{byte_width(arg.dtype)}, &bytes) || bytes > budget) {
    return Error{fmt::format("{}: a buffer of shape {} {} does not fit into this machine's memory ({} MiB)",
                             who(arg, position), report::show_shape(arg.shape), report::dtype_name(arg.dtype), all >> 20)};
  }
  budget -= bytes;
  return bytes;
}

void fill(std::vector<std::byte>& bytes, uint32_t width, uint64_t bits) {
  for (size_t i = 0; i + width <= bytes.size(); i += width) std::memcpy(bytes.data() + i, &bits, width);
}

uint64_t sign_extended(Elem dtype, uint64_t bits) {
  if (!is_integer(dtype) || is_unsigned(dtype) || dtype == Elem::i1) return bits;
  const unsigned shift = 64 - bit_width(dtype);
  return static_cast<uint64_t>(static_cast<int64_t>(bits << shift) >> shift);
}

Result<Argument> load_scalar(const CaseArg& arg, size_t position) {
  const auto bits = report::bits_of_number(arg.dtype, *arg.value);
  if (!bits) return Error{fmt::format("{}: {}", who(arg, position), bits.error().message)};
  Argument out;
  out.name = arg.name;
  out.is_buffer = false;
  out.scalar = sign_extended(arg.dtype, *bits);
  return out;
}

Result<Argument> load_buffer(const CaseArg& arg, size_t position, uint64_t& budget) {
  const auto bytes = buffer_bytes(arg, position, budget);
  if (!bytes) return bytes.error();
  Argument out;
  out.name = arg.name;
  if (!arg.input.empty()) {
    auto contents = read_buffer(arg.input, arg.dtype, *bytes / byte_width(arg.dtype));
    if (!contents) return Error{fmt::format("{}: {}", who(arg, position), contents.error().message)};
    out.bytes = std::move(*contents);
    return out;
  }
  out.bytes.resize(static_cast<size_t>(*bytes));
  out.initialised = arg.fill.has_value();
  if (arg.fill) {
    const auto bits = report::bits_of_number(arg.dtype, *arg.fill);
    if (!bits) return Error{fmt::format("{}: {}", who(arg, position), bits.error().message)};
    fill(out.bytes, byte_width(arg.dtype), *bits);
  }
  return out;
}

/// Files written beside their final place, moved there together. The destructor removes what was not moved.
class PendingFiles {
 public:
  PendingFiles() = default;
  PendingFiles(const PendingFiles&) = delete;
  PendingFiles& operator=(const PendingFiles&) = delete;
  ~PendingFiles() {
    std::error_code ignored;
    for (const auto& [from, to] : files_) fs::remove(from, ignored);
  }

  Result<bool> write(const fs::path& file, std::string_view header, const std::vector<std::byte>& bytes) {
    const fs::path temporary = file.string() + fmt::format(".{}.{}.tmp", getpid(), files_.size());
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    if (!out) return at(file, fmt::format("cannot be written: {}", std::strerror(errno)));
    files_.emplace_back(temporary, file);
    out.write(header.data(), static_cast<std::streamsize>(header.size()));
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) return at(file, "cannot be written: no room on the device?");
    return true;
  }

  Result<bool> commit() {
    for (const auto& [from, to] : files_) {
      std::error_code problem;
      fs::rename(from, to, problem);
      if (problem) return at(to, fmt::format("cannot be replaced: {}", problem.message()));
    }
    files_.clear();
    return true;
  }

 private:
  std::vector<std::pair<fs::path, fs::path>> files_;
};

std::string header_for(const fs::path& file, Elem dtype, const std::vector<int64_t>& shape) {
  return is_npy(file) ? report::npy_header(dtype, shape) : std::string();
}

}  // namespace

Result<std::vector<std::byte>> read_buffer(const fs::path& file, Elem dtype, uint64_t elements) {
  const uint64_t want = elements * byte_width(dtype);
  if (!is_npy(file)) {
    std::error_code problem;
    const auto size = fs::file_size(file, problem);
    if (!problem && size != want) {
      return at(file,
                fmt::format("has {} bytes, {} elements of {} need {}", size, elements, report::dtype_name(dtype), want));
    }
    return read_file(file, want);
  }
  constexpr uint64_t kHeaderRoom = uint64_t{1} << 20;
  const auto bytes = read_file(file, want + kHeaderRoom);
  if (!bytes) return bytes.error();
  auto contents = report::npy_elements(*bytes, dtype, elements);
  if (!contents) return at(file, contents.error().message);
  return contents;
}

Result<bool> write_buffer(const fs::path& file, Elem dtype, const std::vector<int64_t>& shape,
                          const std::vector<std::byte>& bytes) {
  PendingFiles pending;
  if (auto done = pending.write(file, header_for(file, dtype, shape), bytes); !done) return done;
  return pending.commit();
}

Result<std::vector<Argument>> load_arguments(const Case& the_case) {
  std::vector<Argument> arguments;
  uint64_t budget = physical_memory() / 2;  // the simulator and the expectations need room as well
  for (size_t i = 0; i < the_case.args.size(); ++i) {
    const CaseArg& arg = the_case.args[i];
    auto argument = arg.value ? load_scalar(arg, i) : load_buffer(arg, i, budget);
    if (!argument) return argument.error();
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

Result<bool> complete_arguments(Case& the_case) {
  for (CaseArg& arg : the_case.args) {
    if (arg.dtype != Elem::none) continue;
    auto typed = with_npy_type(std::move(arg));
    if (!typed) return typed.error();
    arg = std::move(*typed);
  }
  return true;
}

Result<bool> write_outputs(const Case& the_case, const std::vector<Argument>& arguments) {
  PendingFiles pending;
  for (size_t i = 0; i < the_case.args.size() && i < arguments.size(); ++i) {
    const CaseArg& arg = the_case.args[i];
    if (arg.output.empty()) continue;
    if (auto done = pending.write(arg.output, header_for(arg.output, arg.dtype, arg.shape), arguments[i].bytes); !done)
      return done;
  }
  return pending.commit();
}

}  // namespace pto
