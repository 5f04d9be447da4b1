#include "isa/pipe_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace pto::isa {

namespace {

/// What src/isa/pipes.cpp computes, said once more for people.
struct Words {
  std::string_view rule, a2a3, a5;  ///< a5 empty: the same
};
constexpr std::array kWords = {
    Words{":vec_or_mat", "MTE2 for a destination in mat, else V", ""},
    Words{":acc_fix_else_mte3", "FIX for a source in acc, else MTE3", ""},
    Words{":tmov",
          "FIX from acc and to scaling, MTE1 from mat to left, right, bias and vec, FIX from vec to mat, "
          "else V",
          "FIX from acc and to scaling, MTE1 from mat to left, right, bias and vec, MTE3 from vec to mat, "
          "else V"},
    Words{":textract",
          "MTE1 from mat to left, right, bias and scaling, FIX from acc, FIX from vec to mat, else V",
          "MTE1 from mat to left, right, bias and scaling, FIX from acc, MTE3 from vec to mat, else V"},
    Words{":tinsert", "V within vec, else FIX", "V within vec, MTE3 from vec to mat, else FIX"},
    Words{":tscatter", "S", "V"},
    Words{":mgather", "MTE2 for a destination in mat, else V", ""},
    Words{":sync_wait", "S: the whole core waits", "the one that `pipe` names"},
    Words{":fifo_push", "FIX for a tile in acc and on the cube core, else MTE3", ""},
    Words{":fifo_pop", "MTE2", "V for a tile in vec, MTE1 for one in mat, else MTE2"},
    Words{":fifo_free", "MTE2 for a view, else S",
          "V for a tile in vec, MTE1 for one in mat, MTE2 for a view"},
    Words{":src_op", "the one of the operation kind `src_op`", ""},
    Words{":dst_op", "the one of the operation kind `dst_op`", ""},
    Words{":op_type", "the one of the operation kind `op_type`", ""},
};

}  // namespace

std::string pipe_words(const Row& row, Target target) {
  if (row.pipe == "@all") return "all";
  if (row.pipe.starts_with('@')) return fmt::format("the one that `{}` names", row.pipe.substr(1));
  if (!row.pipe.starts_with(':')) return std::string(row.pipe);
  const auto found =
      std::find_if(kWords.begin(), kWords.end(), [&](const Words& words) { return words.rule == row.pipe; });
  if (found == kWords.end())
    throw std::logic_error("instruction table: no words for pipe '" + std::string(row.pipe) + "'");
  return std::string(target == Target::a5 && !found->a5.empty() ? found->a5 : found->a2a3);
}

}  // namespace pto::isa
