#include "report/rank_reports.hpp"

#include <fmt/format.h>

#include <iterator>

#include "report/json_report.hpp"

namespace pto::report {

std::string json_of_ranks(const RanksHead& head, std::span<const RankJson> ranks) {
  Json json = outcome_json(head.findings);
  json["target"] = head.target;
  if (!head.settings.empty()) json["settings"] = head.settings;
  if (!head.topology.empty()) json["topology"] = head.topology;
  json["program"] = head.program;
  json["total_cycles"] = head.total_cycles;
  json["ranks"] = Json::array();
  Json source;
  for (const RankJson& each : ranks) {
    Json own = Json::parse(each.json, nullptr, false);
    if (!own.is_object()) continue;
    if (own.contains("source")) source = std::move(own["source"]);
    for (const char* once : {"target", "settings", "program", "source", "findings"}) own.erase(once);
    Json item = {{"rank", each.rank},
                 {"sent_bytes", each.traffic.sent_bytes},
                 {"read_bytes", each.traffic.got_bytes},
                 {"notifies", each.traffic.notifies}};
    item.update(own);
    json["ranks"].push_back(std::move(item));
  }
  if (!source.is_null()) json["source"] = std::move(source);
  json["findings"] = findings_json(head.findings);
  add_answers(head.answers, json);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string events_of_rank(uint32_t rank, std::string_view lines) {
  std::string out;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (!line.starts_with('{')) continue;
    fmt::format_to(std::back_inserter(out), "{{\"rank\":{},{}\n", rank, line.substr(1));
  }
  return out;
}

}  // namespace pto::report
