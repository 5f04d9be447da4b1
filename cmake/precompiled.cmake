# Headers that nearly every source reads are read once. Not with a compiler cache, whose hits they would spoil; such builds also show that each source
# includes what it uses.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  option(PTO_PRECOMPILE "Precompile common headers" OFF)
else()
  option(PTO_PRECOMPILE "Precompile common headers" ON)
endif()

function(pto_precompiled_warnings target)
  # Behind precompiled headers g++ 12 takes the standard library's own code for ours, and warns of copies that cannot happen; without them, and with
  # clang, the warnings stay errors.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-error=stringop-overflow -Wno-error=stringop-overread -Wno-error=array-bounds
                                             -Wno-error=maybe-uninitialized -Wno-error=free-nonheap-object)
  endif()
endfunction()

# pto_precompile(TARGET [HEADER..]): the standard library's, fmt's, and HEADER.. for all sources of TARGET.
function(pto_precompile target)
  if(PTO_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <bit> <cmath> <cstdint> <cstring> <deque> <functional> <limits> <map> <memory>
                              <optional> <ranges> <set> <span> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector>
                              <fmt/format.h> ${ARGN})
    pto_precompiled_warnings(${target})
  endif()
endfunction()

# pto_reuse_precompiled(TARGET OTHER): those of OTHER, which has the same compile options.
function(pto_reuse_precompiled target other)
  if(PTO_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${other})
    pto_precompiled_warnings(${target})
  endif()
endfunction()
