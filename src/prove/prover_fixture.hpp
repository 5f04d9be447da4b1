// Fixture for tests of prove(): runs it on a text and returns the verdict.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "pto/prove.hpp"
#include "testing/catch_main.hpp"

namespace pto::test {

/// Of a text with one kernel, whose synchronisation is its own.
inline Proof proof_of(const std::string& text, uint64_t max_runs = ProveOptions().max_runs,
                      std::string entry = "") {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("pto_proof_{}.pto", getpid());
  std::ofstream(file) << text;
  ProveOptions options;
  options.launch.sync = SyncBy::program;
  options.max_runs = max_runs;
  options.launch.entry = std::move(entry);
  const auto proofs = prove(file.string(), options);
  std::filesystem::remove(file);
  REQUIRE(proofs);
  REQUIRE(proofs->diagnostics.errors() == 0);
  REQUIRE(proofs->kernels.size() == 1);
  return proofs->kernels.front();
}

}  // namespace pto::test
