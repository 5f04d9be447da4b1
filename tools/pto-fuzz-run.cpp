// Runs every fuzz target on the seed inputs and on fixed pseudo-random mutations of them: the same inputs on any machine.
// A failure aborts after naming the target and writing the input to pto-fuzz-crash.bin.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "support/fuzz.hpp"

namespace {

using Bytes = std::vector<uint8_t>;
using Target = int (*)(const uint8_t*, size_t);

struct Named { const char* name; Target run; };
constexpr Named kTargets[] = {
    {"parser", pto::fuzz::parser},
    {"generated", pto::fuzz::generated},
    {"mutated", pto::fuzz::mutated},
    {"object_reader", pto::fuzz::object_reader},
    {"mutated_object", pto::fuzz::mutated_object},
    {"case_file", pto::fuzz::case_file},
};

Target target_named(const std::string& name) {
  return std::find_if(std::begin(kTargets), std::end(kTargets), [&](const Named& target) { return name == target.name; })->run;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Named& target : kTargets) all.emplace_back(target.name);
  return all;
}

Bytes current;   // the input under test, for the crash handler

void on_crash(int signal) {
  if (std::FILE* file = std::fopen("pto-fuzz-crash.bin", "wb")) {
    std::fwrite(current.data(), 1, current.size(), file);
    std::fclose(file);
  }
  std::fputs("crashed; the input is in pto-fuzz-crash.bin\n", stderr);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// SplitMix64: fixed sequence for a fixed seed.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  size_t below(size_t n) { return n ? next() % n : 0; }
};

void mutate_once(Bytes& bytes, const std::vector<Bytes>& seeds, Random& random) {
  static const std::string kTokens = "{}()<>[]%#!,:=\"-?x0";
  const size_t at = random.below(bytes.size());
  switch (random.below(8)) {
    case 0: if (!bytes.empty()) bytes[at] ^= static_cast<uint8_t>(1u << random.below(8)); break;
    case 1: if (!bytes.empty()) bytes[at] = static_cast<uint8_t>(random.next()); break;
    case 2: bytes.resize(at); break;
    case 3: bytes.erase(bytes.begin() + static_cast<long>(at), bytes.begin() + static_cast<long>(std::min(bytes.size(), at + 1 + random.below(24)))); break;
    case 4: bytes.insert(bytes.begin() + static_cast<long>(at), static_cast<uint8_t>(kTokens[random.below(kTokens.size())])); break;
    case 5: {   // repeat a stretch
      const Bytes part(bytes.begin() + static_cast<long>(at), bytes.begin() + static_cast<long>(std::min(bytes.size(), at + random.below(64))));
      bytes.insert(bytes.begin() + static_cast<long>(at), part.begin(), part.end());
      break;
    }
    case 6: {   // splice from another seed
      const Bytes& other = seeds[random.below(seeds.size())];
      const size_t from = random.below(other.size()), count = std::min(other.size() - from, random.below(128));
      bytes.insert(bytes.begin() + static_cast<long>(at), other.begin() + static_cast<long>(from), other.begin() + static_cast<long>(from + count));
      break;
    }
    default: for (size_t i = 0; i < 4 && at + i < bytes.size(); ++i) bytes[at + i] = 0xff; break;
  }
}

void run(const char* name, Target target, const std::vector<Bytes>& seeds, size_t rounds) {
  Random random{0x70746f};
  for (const Bytes& seed : seeds) {
    current = seed;
    target(current.data(), current.size());
  }
  for (size_t i = 0; i < rounds && !seeds.empty(); ++i) {
    current = seeds[i % seeds.size()];
    for (size_t k = 1 + random.below(4); k > 0; --k) mutate_once(current, seeds, random);
    target(current.data(), current.size());
  }
  fmt::print("{}: {} seeds, {} mutations\n", name, seeds.size(), rounds);
}

/// Bytes that are choices of a generator need no seeds.
void run_random(const char* name, Target target, size_t rounds) {
  Random random{0x6f7470};
  for (size_t i = 0; i < rounds; ++i) {
    current.resize(random.below(1500));
    for (uint8_t& byte : current) byte = static_cast<uint8_t>(random.next());
    target(current.data(), current.size());
  }
  fmt::print("{}: {} random inputs\n", name, rounds);
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

std::vector<Bytes> files_in(const std::filesystem::path& folder, const std::string& extension, size_t largest) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == extension && entry.file_size() <= largest) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> all;
  for (const auto& path : paths) all.push_back(read_file(path));
  return all;
}

/// What fuzzing has found: asm-tests/fuzz/TARGET/*.
void replay(const std::filesystem::path& folder) {
  size_t count = 0;
  for (const Named& target : kTargets) {
    if (!std::filesystem::exists(folder / target.name)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder / target.name)) {
      current = read_file(entry.path());
      target.run(current.data(), current.size());
      ++count;
    }
  }
  fmt::print("{} found cases\n", count);
}

std::vector<Bytes> objects_of(const std::vector<Bytes>& texts) {
  std::vector<Bytes> objects;
  for (const Bytes& text : texts) {
    pto::Diagnostics diagnostics;
    const auto program = pto::parse({reinterpret_cast<const char*>(text.data()), text.size()}, {}, diagnostics);
    if (!program) continue;
    const auto bytes = pto::write_object(*program);
    objects.emplace_back(reinterpret_cast<const uint8_t*>(bytes.data()), reinterpret_cast<const uint8_t*>(bytes.data()) + bytes.size());
  }
  return objects;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Runs the fuzz targets on fixed mutations of the golden tests' programs."};
  size_t rounds = 4000;
  std::string folder = PTO_SOURCE_DIR "/asm-tests";
  std::string found = PTO_SOURCE_DIR "/asm-tests/fuzz";
  std::string one, target = "parser";
  app.add_option("--rounds", rounds, "mutations per target");
  app.add_option("--seeds", folder, "folder with .pto and .toml seeds")->check(CLI::ExistingDirectory);
  std::vector<std::string> targets = {"parser", "generated", "mutated", "object_reader", "mutated_object", "case_file"};
  app.add_option("--targets", targets, "which of them")->check(CLI::IsMember(names()));
  app.add_option("--one", one, "run a single input (a crash file)")->check(CLI::ExistingFile);
  app.add_option("--target", target, "for --one: the target")->check(CLI::IsMember(names()));
  CLI11_PARSE(app, argc, argv);

  std::signal(SIGSEGV, on_crash);
  std::signal(SIGABRT, on_crash);
  std::signal(SIGFPE, on_crash);
  if (!one.empty()) {
    current = read_file(one);
    return target_named(target)(current.data(), current.size());
  }
#if !defined(__SANITIZE_ADDRESS__)
  const rlimit limit{4ull << 30, 4ull << 30};   // absurd allocations become crashes
  setrlimit(RLIMIT_AS, &limit);
#endif
  const std::vector<Bytes> texts = files_in(folder, ".pto", 64 << 10);
  const std::vector<Bytes> cases = files_in(folder, ".toml", 64 << 10);
  replay(found);
  const auto wanted = [&](std::string_view name) { return std::find(targets.begin(), targets.end(), name) != targets.end(); };
  if (wanted("parser")) run("parser", pto::fuzz::parser, texts, rounds);
  if (wanted("generated")) run_random("generated", pto::fuzz::generated, rounds);
  if (wanted("mutated")) run_random("mutated", pto::fuzz::mutated, 4 * rounds);
  if (wanted("mutated_object")) run_random("mutated_object", pto::fuzz::mutated_object, 2 * rounds);
  if (wanted("object_reader")) run("object_reader", pto::fuzz::object_reader, objects_of(texts), rounds);
  if (wanted("case_file")) run("case_file", pto::fuzz::case_file, cases, rounds / 4);
  fmt::print("{} passed, 0 failed\n", targets.size());
  return 0;
}
