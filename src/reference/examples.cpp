#include "reference/examples.hpp"

#include <algorithm>
#include <array>

namespace pto {
namespace {

/// The order in which one learns them.
constexpr std::array<std::string_view, 5> kNames = {"vector_add", "softmax", "gemm", "attention",
                                                    "vector_function"};

/// The first line of the kernel's text, which is a comment.
std::string_view first_comment(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("/ "), text.size()));
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::string_view Example::program() const {
  const auto text =
      std::ranges::find_if(files, [](const ExampleFile& file) { return file.name.ends_with(".pto"); });
  return text == files.end() ? std::string_view() : text->bytes;
}

std::vector<Example> examples() {
  std::vector<Example> all;
  for (const std::string_view name : kNames) {
    Example one{name, {}, {}};
    for (const reference::EmbeddedFile& file : reference::embedded_files())
      if (file.example == name) one.files.push_back({file.name, file.bytes});
    one.about = first_comment(one.program());
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace pto
