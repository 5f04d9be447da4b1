// How many threads share work.
#pragma once

#include <algorithm>
#include <thread>

namespace pto {

/// As many as are wanted, 0: one for each core of the host; one where there are no others (WebAssembly).
inline unsigned host_threads([[maybe_unused]] unsigned wanted) {
#ifdef __wasi__
  return 1;
#else
  return wanted != 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
#endif
}

}  // namespace pto
