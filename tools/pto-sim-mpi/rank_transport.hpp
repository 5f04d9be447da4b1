// The processes that share the ranks of a run: a program that is linked with mpi_transport.cpp has several.
#pragma once

#include <memory>

#include "pto/ranks.hpp"

namespace pto::tools {

using TransportFactory = std::unique_ptr<RankTransport> (*)(int& argc, char**& argv);
/// Set before main() begins, where there is one.
inline TransportFactory& transport_factory() {
  static TransportFactory factory = nullptr;
  return factory;
}

}  // namespace pto::tools
