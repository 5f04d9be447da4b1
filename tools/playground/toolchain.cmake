# Debian's clang with the headers and libraries of npm's @yowasp/clang, which tools/playground unpacks into build/wasm-sysroot.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasip1)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH CMAKE_SYSROOT)
cmake_path(GET CMAKE_SYSROOT PARENT_PATH CMAKE_SYSROOT)
string(APPEND CMAKE_SYSROOT /build/wasm-sysroot)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
