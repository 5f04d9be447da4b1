// Ranks over MPI: linked into pto-sim-mpi.
#define OMPI_SKIP_MPICXX 1  // the C interface
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdio>
#include <numeric>

#include "pto-sim-mpi/rank_transport.hpp"

namespace {

using namespace pto;

class MpiTransport final : public RankTransport {
 public:
  MpiTransport(int& argc, char**& argv) {
    MPI_Init(&argc, &argv);
    int number = 0, count = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    process_ = static_cast<uint32_t>(number);
    processes_ = static_cast<uint32_t>(count);
    // One of them speaks for all.
    if (number != 0) (void)(std::freopen("/dev/null", "w", stdout) && std::freopen("/dev/null", "w", stderr));
  }
  ~MpiTransport() override { MPI_Finalize(); }
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  [[nodiscard]] uint32_t process() const override { return process_; }
  [[nodiscard]] uint32_t processes() const override { return processes_; }

  uint64_t least(uint64_t mine) override {
    uint64_t least = mine;
    MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return least;
  }

  std::vector<std::string> exchange(std::vector<std::string> texts) override {
    std::vector<int> sizes, theirs(processes_);
    for (const std::string& text : texts) sizes.push_back(static_cast<int>(text.size()));
    MPI_Alltoall(sizes.data(), 1, MPI_INT, theirs.data(), 1, MPI_INT, MPI_COMM_WORLD);
    const std::vector<int> from = offsets(sizes);
    const std::vector<int> to = offsets(theirs);
    std::string sent, got(static_cast<size_t>(to.back()), '\0');
    for (const std::string& text : texts) sent += text;
    MPI_Alltoallv(sent.data(), sizes.data(), from.data(), MPI_CHAR, got.data(), theirs.data(), to.data(),
                  MPI_CHAR, MPI_COMM_WORLD);
    std::vector<std::string> out;
    for (size_t i = 0; i < processes_; ++i)
      out.push_back(got.substr(static_cast<size_t>(to[i]), static_cast<size_t>(theirs[i])));
    return out;
  }

 private:
  /// Where each begins, and the end.
  static std::vector<int> offsets(const std::vector<int>& sizes) {
    std::vector<int> out(1, 0);
    for (const int size : sizes) out.push_back(out.back() + size);
    return out;
  }

  uint32_t process_ = 0, processes_ = 1;
};

const bool kRegistered = [] {
  tools::transport_factory() = [](int& argc, char**& argv) -> std::unique_ptr<RankTransport> {
    return std::make_unique<MpiTransport>(argc, argv);
  };
  return true;
}();

}  // namespace
