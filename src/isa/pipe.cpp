// Spellings of pipes.
#include "pto/pipe.hpp"

namespace pto {

std::string_view to_string(Pipe pipe) {
  switch (pipe) {
    case Pipe::s:
      return "PIPE_S";
    case Pipe::v:
      return "PIPE_V";
    case Pipe::m:
      return "PIPE_M";
    case Pipe::mte1:
      return "PIPE_MTE1";
    case Pipe::mte2:
      return "PIPE_MTE2";
    case Pipe::mte3:
      return "PIPE_MTE3";
    case Pipe::all:
      return "PIPE_ALL";
    case Pipe::fix:
      return "PIPE_FIX";
    case Pipe::none:
      break;
  }
  return "none";
}

}  // namespace pto
