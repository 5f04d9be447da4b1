# Headers that nearly every source reads are read once, where clang compiles. Not with a compiler cache, whose hits they would spoil; such builds
# also show that each source includes what it uses. Not with g++ 12, which warns about the standard library's own code behind them.
if(CMAKE_CXX_COMPILER_LAUNCHER OR NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  option(PTO_PRECOMPILE "Precompile common headers" OFF)
else()
  option(PTO_PRECOMPILE "Precompile common headers" ON)
endif()

# pto_precompile(TARGET [HEADER..]): the standard library's, fmt's, and HEADER.. for all sources of TARGET.
function(pto_precompile target)
  if(PTO_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <bit> <cmath> <cstdint> <cstring> <deque> <functional> <limits> <map> <memory>
                              <optional> <ranges> <set> <span> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector>
                              <fmt/format.h> ${ARGN})
  endif()
endfunction()
