#include "ir/value_names.hpp"

#include <fmt/format.h>

namespace pto::isa {

std::string value_name(const Program& program, ValueId value) {
  const std::string_view name = program.name_of(value);
  return name.empty() ? fmt::format("%{}", value) : fmt::format("%{}", name);
}

std::string to_string(const FlagName& flag) {
  return fmt::format("flag {} -> {} EVENT_ID{}", pto::to_string(flag.src), pto::to_string(flag.dst), flag.id);
}

std::string brackets(const FlagName& flag) {
  return fmt::format("[<{}>, <{}>, <EVENT_ID{}>]", pto::to_string(flag.src), pto::to_string(flag.dst),
                     flag.id);
}

std::string spelt(const Program& program, std::string_view verb, const SpeltFlag& flag) {
  if (flag.computed == kNoValue) return fmt::format("pto.{}_flag{}", verb, brackets(flag.name));
  return fmt::format("pto.{}_flag_dyn[<{}>, <{}>, {}]", verb, pto::to_string(flag.name.src),
                     pto::to_string(flag.name.dst), value_name(program, flag.computed));
}

int likeness(const FlagName& set, const FlagName& wait) {
  if (set.src == wait.src && set.dst == wait.dst) return 3;
  if (set.src == wait.dst && set.dst == wait.src) return 2;
  const bool one_pipe = (set.src == wait.src) != (set.dst == wait.dst);
  return one_pipe && set.id == wait.id ? 1 : 0;
}

std::string slip(const FlagName& set, const FlagName& wait) {
  switch (likeness(set, wait)) {
    case 3:
      return fmt::format(
          "EVENT_ID{} of the same pipes is set here and never waited for; did you mean EVENT_ID{}?", set.id,
          set.id);
    case 2:
      return to_string(set) + " is set here and never waited for: the other direction";
    default:
      return to_string(set) + " is set here and never waited for: another pipe";
  }
}

Fix no_free_flag(Pipe src, Pipe dst, int ids, TextPlace place) {
  return Fix::add("pto.barrier <PIPE_ALL>", std::move(place),
                  fmt::format(": all {} ids of {} -> {} are in use, so that no flag is left for the two", ids,
                              pto::to_string(src), pto::to_string(dst)));
}

}  // namespace pto::isa
