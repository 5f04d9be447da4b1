// Buffers of a case: files -> simulator arguments, and back. Sizes are checked before anything is allocated.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "cases/case_files.hpp"
#include "cases/dtype.hpp"
#include "cases/fill_patterns.hpp"
#include "cases/npy.hpp"
#include "cases/rank_placeholders.hpp"
#include "pto/case_file.hpp"
#include "sim/memory/host_pages.hpp"
#include "support/file.hpp"

namespace pto {
namespace {

namespace fs = std::filesystem;

Error at(const fs::path& file, std::string_view what) { return {fmt::format("{}: {}", file.string(), what)}; }

bool is_npy(const fs::path& file) { return file.extension() == ".npy"; }

uint64_t physical_memory() {
  const auto pages = sysconf(_SC_PHYS_PAGES);
  const auto page = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page)
                               : uint64_t{1} << 32;
}

std::string who(const CaseArg& arg, size_t position) {
  return arg.name.empty() ? fmt::format("argument {}", position) : "'" + arg.name + "'";
}

/// A .npy input on the command line states format and shape itself.
Result<CaseArg> with_npy_type(CaseArg arg) {
  const std::string file = report::rank_text(arg.input, 0, 1);
  const auto head = read_head(file, size_t{64} << 10);
  if (!head) return head.error();
  const auto header = report::parse_npy_header(std::as_bytes(std::span(*head)));
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
                             who(arg, position), report::show_shape(arg.shape), report::dtype_name(arg.dtype),
                             all >> 20)};
  }
  budget -= bytes;
  return bytes;
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
  out.initialised = arg.fill.has_value();
  if (*bytes != 0) {  // what nobody touches takes no memory
    auto pages = sim::zeroed_pages(*bytes);
    out.home = {pages.get(), static_cast<size_t>(*bytes)};
    out.pages = std::move(pages);
  }
  if (arg.fill) {
    const auto filled = report::fill_elements(out.home, arg.dtype, *arg.fill);
    if (!filled) return Error{fmt::format("{}: {}", who(arg, position), filled.error().message)};
  }
  return out;
}

/// A buffer of another rank: nothing to load.
Result<Argument> load_peer(const Case& the_case, const CaseArg& arg, size_t position) {
  const std::optional<report::PeerArgument> peer = report::peer_argument(arg.peer);
  const auto named = std::ranges::find(the_case.args, peer ? peer->name : std::string_view(), &CaseArg::name);
  if (the_case.ranks == 0 || !peer || named == the_case.args.end() || !named->peer.empty() || named->value ||
      peer->rank >= the_case.ranks)
    return Error{fmt::format("{}: '{}' is no buffer of a rank of this run", who(arg, position), arg.peer)};
  Argument out;
  out.name = arg.name;
  return out;
}

std::string header_for(const fs::path& file, Elem dtype, const std::vector<int64_t>& shape) {
  return is_npy(file) ? report::npy_header(dtype, shape) : std::string();
}

Result<bool> add_buffer(OutputFiles& files, const fs::path& file, Elem dtype,
                        const std::vector<int64_t>& shape, std::span<const std::byte> bytes) {
  const auto out = files.open(file);
  if (!out) return out.error();
  (*out)->write(header_for(file, dtype, shape));
  (*out)->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  (*out)->finish();  // commit tells what went wrong
  return true;
}

}  // namespace

Result<std::vector<std::byte>> read_buffer(const fs::path& file, Elem dtype, uint64_t elements) {
  uint64_t expected = 0;
  if (__builtin_mul_overflow(elements, uint64_t{byte_width(dtype)}, &expected))
    return at(file, "no file has that many elements");
  if (!is_npy(file)) {
    auto bytes = read_bytes(file, expected);
    std::error_code problem;
    const auto size = bytes ? bytes->size() : fs::file_size(file, problem);
    if (problem || (!bytes && size <= expected)) return bytes.error();
    if (size == expected) return bytes;
    return at(file, fmt::format("has {} bytes, {} elements of {} need {}", size, elements,
                                report::dtype_name(dtype), expected));
  }
  constexpr uint64_t kHeaderRoom = uint64_t{1} << 20;
  const auto bytes = read_bytes(file, expected + kHeaderRoom);
  if (!bytes) return bytes.error();
  auto contents = report::npy_elements(*bytes, dtype, elements);
  if (!contents) return at(file, contents.error().message);
  return contents;
}

Result<std::vector<Argument>> load_arguments(const Case& the_case) {
  std::vector<Argument> arguments;
  uint64_t budget = physical_memory() / 2;  // the simulator and the expectations need room as well
  for (size_t i = 0; i < the_case.args.size(); ++i) {
    const CaseArg& arg = the_case.args[i];
    auto argument = !arg.peer.empty() ? load_peer(the_case, arg, i)
                    : arg.value       ? load_scalar(arg, i)
                                      : load_buffer(arg, i, budget);
    if (!argument) return argument.error();
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

std::vector<RankArgument> rank_arguments(const Case& the_case) {
  const bool some = std::ranges::any_of(the_case.args, [](const CaseArg& a) { return a.window == true; });
  std::vector<RankArgument> out;
  for (const CaseArg& arg : the_case.args) {
    RankArgument& built = out.emplace_back();
    built.window = arg.window.value_or(!some);
    const std::optional<report::PeerArgument> peer = report::peer_argument(arg.peer);
    if (!peer) continue;
    built.peer = peer->rank;
    built.of = static_cast<uint32_t>(std::ranges::find(the_case.args, peer->name, &CaseArg::name) -
                                     the_case.args.begin());
  }
  return out;
}

Result<bool> complete_arguments(Case& the_case) {
  for (CaseArg& arg : the_case.args) {
    if (arg.dtype != Elem::none || !arg.peer.empty()) continue;
    auto typed = with_npy_type(std::move(arg));
    if (!typed) return typed.error();
    arg = std::move(*typed);
  }
  return true;
}

Result<bool> add_outputs(OutputFiles& files, const Case& the_case, const std::vector<Argument>& arguments) {
  for (size_t i = 0; i < the_case.args.size() && i < arguments.size(); ++i) {
    const CaseArg& arg = the_case.args[i];
    if (arg.output.empty()) continue;
    if (auto done = add_buffer(files, arg.output, arg.dtype, arg.shape, arguments[i].data()); !done)
      return done;
  }
  return true;
}

Result<bool> write_outputs(const Case& the_case, const std::vector<Argument>& arguments) {
  OutputFiles files;
  if (auto done = add_outputs(files, the_case, arguments); !done) return done;
  return files.commit();
}

}  // namespace pto
