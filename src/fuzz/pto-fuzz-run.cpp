// Runs every fuzz target on the seed inputs and on fixed pseudo-random mutations of them: the same inputs on
// any machine. A failure aborts after naming the target and writing the input to pto-fuzz-crash.bin.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "testing/fuzz_target.hpp"

// g++ and clang each have their own way to say it.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace {

using Bytes = std::vector<uint8_t>;
using Target = int (*)(const uint8_t*, size_t);
/// choices: of a generator; changed_texts: choices, then a text
enum Seeds : uint8_t { texts, objects, cases, choices, changed_texts };

struct Named {
  const char* name;
  Target run;
  Seeds seeds;
  double share;  ///< of --rounds
};
constexpr Named kTargets[] = {
    {"parser", pto::fuzz::parser, texts, 1},
    {"generated", pto::fuzz::generated, choices, 1},
    {"mutated", pto::fuzz::mutated, choices, 4},
    {"mutated_object", pto::fuzz::mutated_object, choices, 2},
    {"structured", pto::fuzz::structured, choices, 0.05},
    {"mutated_text", pto::fuzz::mutated_text, changed_texts, 0.25},
    {"object_reader", pto::fuzz::object_reader, objects, 1},
    {"case_file", pto::fuzz::case_file, cases, 0.25},
    {"sweep_file", pto::fuzz::sweep_file, cases, 0.25},
    {"pipeline", pto::fuzz::pipeline, texts, 2},
    {"language_server", pto::fuzz::language_server, texts, 0.1},
};

const Named& target_named(const std::string& name) {
  return *std::find_if(std::begin(kTargets), std::end(kTargets),
                       [&](const Named& target) { return name == target.name; });
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Named& target : kTargets) all.emplace_back(target.name);
  return all;
}

constexpr size_t kHead = 32;  ///< choices in front of a text

Bytes current;  // the input under test, for the crash handler

void keep_current() {
  if (std::FILE* file = std::fopen("pto-fuzz-crash.bin", "wb")) {
    std::fwrite(current.data(), 1, current.size(), file);
    std::fclose(file);
  }
  std::fputs("crashed; the input is in pto-fuzz-crash.bin\n", stderr);
}

void on_signal(int signal) {
  keep_current();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Crashes leave their input behind. Absurd allocations are crashes; the address sanitizer reserves more and
/// sees them itself.
void prepare_for_crashes() {
  std::signal(SIGABRT, on_signal);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_set_death_callback(keep_current);
#else
  std::signal(SIGSEGV, on_signal);
  std::signal(SIGFPE, on_signal);
  const rlimit limit{4ull << 30, 4ull << 30};
  setrlimit(RLIMIT_AS, &limit);
#endif
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

constexpr std::array<std::string_view, 6> kExtremes = {
    "9223372036854775807", "-9223372036854775808", "4611686018427387904", "4294967296", "-1", "0"};

/// The run of digits at or after `at`: [begin, end), empty at the end of the text.
std::pair<size_t, size_t> number_from(const Bytes& bytes, size_t at) {
  const auto digit = [&](size_t i) { return bytes[i] >= '0' && bytes[i] <= '9'; };
  while (at < bytes.size() && !digit(at)) ++at;
  size_t end = at;
  while (end < bytes.size() && digit(end)) ++end;
  return {at, end};
}

void put_number(Bytes& bytes, std::pair<size_t, size_t> where, std::string_view number) {
  const auto begin = bytes.begin();
  bytes.erase(begin + static_cast<long>(where.first), begin + static_cast<long>(where.second));
  bytes.insert(bytes.begin() + static_cast<long>(where.first), number.begin(), number.end());
}

void mutate_once(Bytes& bytes, const std::vector<Bytes>& seeds, Random& random) {
  static const std::string kTokens = "{}()<>[]%#!,:=\"-?x0";
  const size_t at = random.below(bytes.size());
  switch (random.below(10)) {
    case 0:
      if (!bytes.empty()) bytes[at] ^= static_cast<uint8_t>(1u << random.below(8));
      break;
    case 1:
      if (!bytes.empty()) bytes[at] = static_cast<uint8_t>(random.next());
      break;
    case 2:
      bytes.resize(at);
      break;
    case 3:
      bytes.erase(bytes.begin() + static_cast<long>(at),
                  bytes.begin() + static_cast<long>(std::min(bytes.size(), at + 1 + random.below(24))));
      break;
    case 4:
      bytes.insert(bytes.begin() + static_cast<long>(at),
                   static_cast<uint8_t>(kTokens[random.below(kTokens.size())]));
      break;
    case 5: {  // repeat a stretch
      const Bytes part(bytes.begin() + static_cast<long>(at),
                       bytes.begin() + static_cast<long>(std::min(bytes.size(), at + random.below(64))));
      bytes.insert(bytes.begin() + static_cast<long>(at), part.begin(), part.end());
      break;
    }
    case 6: {  // splice from another seed
      const Bytes& other = seeds[random.below(seeds.size())];
      const size_t from = random.below(other.size());
      const size_t count = std::min(other.size() - from, random.below(128));
      bytes.insert(bytes.begin() + static_cast<long>(at), other.begin() + static_cast<long>(from),
                   other.begin() + static_cast<long>(from + count));
      break;
    }
    case 7:
    case 8:
      put_number(bytes, number_from(bytes, at), kExtremes[random.below(kExtremes.size())]);
      break;
    default:
      for (size_t i = 0; i < 4 && at + i < bytes.size(); ++i) bytes[at + i] = 0xff;
      break;
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

/// Every number of every seed, one at a time, with each of the extremes.
void run_extremes(const char* name, Target target, const std::vector<Bytes>& seeds) {
  size_t count = 0;
  for (const Bytes& seed : seeds) {
    for (auto where = number_from(seed, 0); where.first < seed.size();
         where = number_from(seed, where.second)) {
      for (const std::string_view number : kExtremes) {
        current = seed;
        put_number(current, where, number);
        target(current.data(), current.size());
        ++count;
      }
    }
  }
  fmt::print("{}: {} extreme numbers\n", name, count);
}

Bytes random_bytes(Random& random) {
  Bytes bytes(random.below(1500));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.next());
  return bytes;
}

/// Choices in front of a text: others every time, and the text as it is.
void run_changed(const char* name, Target target, const std::vector<Bytes>& seeds, size_t rounds) {
  Random random{0x747874};
  for (size_t i = 0; i < rounds && !seeds.empty(); ++i) {
    current = seeds[random.below(seeds.size())];
    for (size_t k = 0; k < kHead; ++k) current[k] = static_cast<uint8_t>(random.next());
    target(current.data(), current.size());
  }
  fmt::print("{}: {} seeds, {} mutations\n", name, seeds.size(), rounds);
}

/// Choices of a generator: any bytes will do, and changing some is no better.
void run_random(const char* name, Target target, size_t rounds) {
  Random random{0x6f7470};
  for (size_t i = 0; i < rounds; ++i) {
    current = random_bytes(random);
    target(current.data(), current.size());
  }
  fmt::print("{}: {} random inputs\n", name, rounds);
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::filesystem::path> paths_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.file_size() <= 64 << 10) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The files with this extension that a golden test holds: `# FILE: name.pto`, then lines `#: text` (`//` in
/// program text).
void add_embedded(const std::filesystem::path& test, const std::string& extension, std::vector<Bytes>& all) {
  const std::string comment = test.extension() == ".pto" ? "//" : "#";
  std::ifstream file(test);
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(comment + " FILE: ")) {
      inside = line.ends_with(extension);
      if (inside) all.emplace_back();
    } else if (inside && line.starts_with(comment + ":")) {
      all.back().insert(all.back().end(),
                        line.begin() + static_cast<long>(std::min(line.size(), comment.size() + 2)),
                        line.end());
      all.back().push_back('\n');
    } else {
      inside = false;
    }
  }
}

std::vector<Bytes> files_in(const std::filesystem::path& folder, const std::string& extension) {
  std::vector<Bytes> all;
  for (const auto& path : paths_in(folder)) {
    const auto kind = path.extension();
    if (kind == extension) all.push_back(read_file(path));
    if (kind == ".pto" || kind == ".toml" || kind == ".sh") add_embedded(path, extension, all);
  }
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
    const auto program =
        pto::parse({reinterpret_cast<const char*>(text.data()), text.size()}, {}, diagnostics);
    if (!program) continue;
    const auto bytes = pto::write_object(*program);
    objects.emplace_back(reinterpret_cast<const uint8_t*>(bytes.data()),
                         reinterpret_cast<const uint8_t*>(bytes.data()) + bytes.size());
  }
  return objects;
}

/// What the targets begin with, by Seeds.
std::array<std::vector<Bytes>, 5> seeds_in(const std::filesystem::path& folder) {
  std::array<std::vector<Bytes>, 5> seeds;
  seeds[texts] = files_in(folder, ".pto");
  seeds[objects] = objects_of(seeds[texts]);
  seeds[cases] = files_in(folder, ".toml");
  Random random{0x6f7470};
  for (int i = 0; i < 64; ++i) seeds[choices].push_back(random_bytes(random));
  for (const Bytes& text : seeds[texts]) {
    Bytes& changed = seeds[changed_texts].emplace_back();
    for (size_t k = 0; k < kHead; ++k) changed.push_back(static_cast<uint8_t>(random.next()));
    changed.insert(changed.end(), text.begin(), text.end());
  }
  return seeds;
}

void run_all(const std::vector<std::string>& wanted, const std::filesystem::path& folder, size_t rounds) {
  const auto seeds = seeds_in(folder);
  for (const Named& target : kTargets) {
    if (std::find(wanted.begin(), wanted.end(), target.name) == wanted.end()) continue;
    const auto count = static_cast<size_t>(target.share * static_cast<double>(rounds));
    if (target.seeds == choices)
      run_random(target.name, target.run, count);
    else if (target.seeds == changed_texts)
      run_changed(target.name, target.run, seeds[changed_texts], count);
    else
      run(target.name, target.run, seeds[target.seeds], count);
    std::fflush(stdout);
  }
}

/// For libFuzzer: TO/TARGET/seed-NNNN.
void write_seeds(const std::filesystem::path& to, const std::filesystem::path& folder) {
  const auto seeds = seeds_in(folder);
  for (const Named& target : kTargets) {
    std::filesystem::create_directories(to / target.name);
    size_t number = 0;
    for (const Bytes& seed : seeds[target.seeds]) {
      std::ofstream file(to / target.name / fmt::format("seed-{:04}", number++), std::ios::binary);
      file.write(reinterpret_cast<const char*>(seed.data()), static_cast<std::streamsize>(seed.size()));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Runs the fuzz targets on fixed mutations of the golden tests' programs."};
  size_t rounds = 4000;
  std::string folder = PTO_SOURCE_DIR "/asm-tests";
  std::string found = PTO_SOURCE_DIR "/asm-tests/fuzz";
  std::string one, target = "parser", seeds_to;
  bool extremes = false;
  std::vector<std::string> targets = names();
  app.add_option("--rounds", rounds, "mutations per target; some take a share or a multiple of it");
  app.add_option("--seeds", folder, "folder with .pto and .toml seeds")->check(CLI::ExistingDirectory);
  app.add_option("--targets", targets, "which of them")->check(CLI::IsMember(names()));
  app.add_option("--one", one, "run a single input (a crash file)")->check(CLI::ExistingFile);
  app.add_option("--target", target, "for --one: the target")->check(CLI::IsMember(names()));
  app.add_flag("--extremes", extremes,
               "only put the ends of the range in place of every number of the texts");
  app.add_option("--write-seeds", seeds_to, "only write the seeds, for libFuzzer: a folder per target");
  CLI11_PARSE(app, argc, argv);

  prepare_for_crashes();
  if (!one.empty()) {
    current = read_file(one);
    return target_named(target).run(current.data(), current.size());
  }
  if (!seeds_to.empty()) {
    write_seeds(seeds_to, folder);
    return 0;
  }
  if (extremes) {
    for (const std::string& name : targets) {
      if (target_named(name).seeds == texts)
        run_extremes(target_named(name).name, target_named(name).run, seeds_in(folder)[texts]);
    }
    return 0;
  }
  replay(found);
  run_all(targets, folder, rounds);
  fmt::print("{} passed, 0 failed\n", targets.size());
  return 0;
}
