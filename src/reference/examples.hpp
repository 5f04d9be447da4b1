// The files of asm-tests/examples as cmake/embed_examples.cmake puts them into the library.
#pragma once

#include <span>

#include "pto/examples.hpp"

namespace pto::reference {

struct EmbeddedFile {
  std::string_view example, name, bytes;
};
std::span<const EmbeddedFile> embedded_files();

}  // namespace pto::reference
