// What kind of rule an id belongs to.
#pragma once

#include <string_view>

namespace pto {

/// Whether it speaks of what happens while a program runs.
bool of_a_run(std::string_view id);
/// Whether -W switches hold for it: it is a warning, always or sometimes.
bool warns(std::string_view id);
/// Whether it is never an error by itself.
bool only_warns(std::string_view id);

}  // namespace pto
