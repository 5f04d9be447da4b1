// Generated kernels of several cores whose order depends on data: compares the verdict of prove()
// with runs on random data.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "pto/prove.hpp"
#include "testing/catch_main.hpp"

namespace pto::test::cores {

constexpr size_t kPlaces = 16;  ///< numbers in each of %d and %e

/// One generated kernel: the verdict of prove(), and the findings of its runs.
class Oracle {
 public:
  ~Oracle() { std::filesystem::remove(file_); }

  void check(const std::string& text, std::vector<uint32_t> blocks = {1}) {
    INFO(text);
    std::ofstream(file_) << text;
    ProveOptions options;
    options.launch.sync = SyncBy::program;
    options.max_runs = max_runs;
    const auto proofs = prove(file_.string(), options);
    REQUIRE(proofs);
    if (proofs->diagnostics.errors() != 0) return void(++refused);  // it certainly hangs: no run is needed
    REQUIRE(proofs->kernels.size() == 1);
    const Proof& proof = proofs->kernels.front();
    INFO(fmt::format("{} runs, {}", proof.runs, fmt::join(proof.inputs, ", ")));
    if (proof.verdict == Proof::Verdict::undecided) return void(++undecided);
    prepare();
    std::map<char, std::vector<int32_t>> data{{'d', std::vector<int32_t>(kPlaces)},
                                              {'e', std::vector<int32_t>(kPlaces)}};
    if (proof.verdict == Proof::Verdict::proved) {
      ++proved;
      for (int run = 0; run < 40; ++run) {
        // Some runs have few numbers that are not 0, some have many.
        for (auto& [name, numbers] : data) {
          for (int32_t& each : numbers)
            each =
                random_() % 4 < static_cast<uint32_t>(run % 4) ? 0 : static_cast<int32_t>(random_() % 6) - 1;
        }
        const uint32_t many = blocks[static_cast<size_t>(run) % blocks.size()];
        INFO(
            fmt::format("{} blocks, d {}, e {}", many, fmt::join(data['d'], " "), fmt::join(data['e'], " ")));
        REQUIRE(!fails(data, many));
      }
      return;
    }
    ++refuted;
    uint32_t many = 1;
    for (const std::string& input : proof.inputs) {
      INFO(input);
      if (input.ends_with(" blocks")) {
        many = static_cast<uint32_t>(std::stoul(input));
      } else {
        REQUIRE(data.contains(input.front()));
        data[input.front()].at(std::stoul(input.substr(2))) = std::stoi(input.substr(input.find('=') + 2));
      }
    }
    REQUIRE(fails(data, many));
  }

  uint64_t max_runs = 100;
  size_t proved = 0, refuted = 0, undecided = 0, refused = 0;

 private:
  void prepare() {
    LaunchOptions options;
    options.sync = SyncBy::program;
    options.args = {"a=f32[32768]:1", "o=f32[4096]:0", "d=i32[16]:0", "e=i32[16]:0"};
    auto launch = prepare_launch(file_.string(), options);
    REQUIRE(launch);
    REQUIRE(launch->prepared.ready);
    launch_.emplace(std::move(*launch));
  }

  bool fails(const std::map<char, std::vector<int32_t>>& data, uint32_t blocks) {
    launch_->the_case.blocks = blocks;
    auto arguments = load_arguments(launch_->the_case);
    REQUIRE(arguments);
    for (Argument& each : *arguments) {
      if (const auto found = data.find(each.name.front()); found != data.end())
        std::memcpy(each.data().data(), found->second.data(), found->second.size() * sizeof(int32_t));
    }
    const auto result =
        simulate(*launch_, *arguments, {.mode = Mode::check, .checks = {.uninitialised = false}});
    REQUIRE(result);
    return result->findings.errors() != 0;
  }

  std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / fmt::format("pto_prove_cores_{}.pto", getpid());
  std::optional<Launch> launch_;
  std::mt19937 random_{11};
};

constexpr std::string_view kNumbers = R"(  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %i12 = arith.constant 12 : index
  %z = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
)";

/// Conditions on %w; %n has the same value.
constexpr std::string_view kSome = "%on = arith.cmpi sgt, %w, %z : i32\n      scf.if %on",
                           kTimes = "scf.for %j = %i0 to %n step %i1";

/// The used part of a loaded value: all of it, or two bits.
enum class Takes : bool { all, bits };

/// Iterations up to `end` that load %w; `always` and `inside` of the branch or loop.
inline std::string turns(std::string_view place, std::string_view head, std::string_view inside,
                         std::string_view always, Takes takes = Takes::all, std::string_view end = "%i3") {
  const std::string load = fmt::format("pto.load_scalar {} : !pto.ptr<i32, gm> -> i32", place);
  const std::string number = takes == Takes::all
                                 ? fmt::format("%w = {}", load)
                                 : fmt::format("%all = {}\n      %w = arith.andi %all, %five : i32", load);
  return fmt::format(R"(    scf.for %i = %i0 to {} step %i1 {{
      {}
      %n = arith.index_cast %w : i32 to index
      {} {{
{}      }}
{}    }}
)",
                     end, number, head, inside, always);
}

inline std::string line(std::string_view text) { return fmt::format("        {}\n", text); }

inline std::string kernel(std::string_view arch, std::string_view body, std::string_view attributes = "") {
  return fmt::format(
      "module attributes {{pto.target_arch = \"{}\"}} {{\nfunc.func @k(%a: !pto.ptr<f32, gm>, %o: "
      "!pto.ptr<f32, gm>, %d: !pto.ptr<i32, gm>, %e: !pto.ptr<i32, gm>)\n    attributes {{pto.kernel{}}} "
      "{{\n{}{}  return\n}}\n}}\n",
      arch, attributes, kNumbers, body);
}

constexpr std::string_view kAcc = "!pto.tile_buf<acc, 16x64xf32>", kVec = "!pto.tile_buf<vec, 16x64xf32>";

/// A launch of two functions: the cube core pushes entries, the vector cores take them.
inline std::string queue_kernel(std::string_view arch, std::string_view cube, std::string_view vector) {
  constexpr std::string_view kHead =
      "(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>, %d: !pto.ptr<i32, gm>, "
      "%e: !pto.ptr<i32, gm>)\n    attributes {pto.kernel_kind = #pto.kernel_kind<";
  const std::string_view slots = arch == "a3" ? "gm_slot_buffer = %a : !pto.ptr<f32, gm>, " : "";
  const auto init = [&](std::string_view core) {
    return fmt::format(
        "  pto.{}_initialize_pipe {{dir_mask = 1, slot_size = 4096}} ({}c2v_consumer_buf = %slots "
        ": i32, v2c_consumer_buf = %z : i32)\n",
        core, slots);
  };
  return fmt::format(
      "module attributes {{pto.target_arch = \"{}\"}} {{\nfunc.func @k_aic{}cube>}} {{\n{}"
      "  %slots = pto.import_reserved_buffer {{name = \"q\", peer_func = @k_aiv}} -> i32\n{}"
      "  %t = pto.alloc_tile addr = %c0 : {}\n{}  return\n}}\nfunc.func @k_aiv{}vector>}} {{\n{}"
      "  %slots = pto.reserve_buffer {{name = \"q\", size = 32768, location = #pto.address_space<vec>, auto "
      "= "
      "false, base = 0}} -> i32\n{}{}  return\n}}\n}}\n",
      arch, kHead, kNumbers, init("aic"), kAcc, cube, kHead, kNumbers, init("aiv"), vector);
}

}  // namespace pto::test::cores
