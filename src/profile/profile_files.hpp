// The output files of a profile for one kernel: reports, traces and the case.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pto/output_files.hpp"
#include "pto/profile.hpp"
#include "report/trace/pypto_trace.hpp"

namespace pto::driver {

/// Without --out and --save-case nothing is written, and only the sums of the run are kept.
class ProfileFiles {
 public:
  ProfileFiles(const ProfileOptions& options, std::string name, const Launch& launch)
      : options_(options),
        name_(std::move(name)),
        prepared_(launch.prepared),
        guard_(launch.guard),
        files_(launch.guard) {}

  Result<bool> open(const Machine& machine);
  [[nodiscard]] std::vector<Observer*> observers();
  Result<bool> write(const SimResult& result, const KernelProfile& built);
  Result<bool> add_case(const Case& the_case, const std::vector<std::string>& shown);
  Result<bool> commit() { return files_.commit(); }

 private:
  Result<OutputFile*> file(const std::filesystem::path& folder, const std::string& name);
  Result<bool> put(const std::string& name, std::string_view text);

  const ProfileOptions& options_;
  std::string name_;
  const Prepared& prepared_;
  const FileGuard& guard_;
  OutputFiles files_;
  std::optional<Reports> reports_;
  std::optional<report::CleanTrace> clean_;
};

}  // namespace pto::driver
