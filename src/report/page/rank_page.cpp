// One page for several devices: a button for each, and the page of the one that is chosen.
#include <fmt/format.h>

#include "report/json_report.hpp"
#include "report/page/page.hpp"
#include "report/rank_reports.hpp"
#include "sim/findings/naming.hpp"

namespace pto::report {
namespace {

constexpr std::string_view kMark = "@DATA@";

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>pto-sim</title>
<style>
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; }
nav { display: flex; gap: 4px; padding: 6px; overflow-x: auto; flex: none; }
button { font: inherit; text-align: left; white-space: nowrap; border: 1px solid GrayText; border-radius: 4px; padding: 2px 8px; background: none; color: inherit; }
button[aria-pressed=true] { background: Highlight; color: HighlightText; }
small { display: block; }
iframe { flex: 1; border: 0; border-top: 1px solid GrayText; }
</style>
</head>
<body>
<nav aria-label="ranks">
)";

constexpr std::string_view kScript = R"(<script>
const page = JSON.parse(document.getElementById('page').textContent), buttons = [...document.querySelectorAll('button')];
const show = button => {
  for (const each of buttons) each.setAttribute('aria-pressed', each === button);
  document.querySelector('iframe').srcdoc = page[0] + document.getElementById('rank' + button.value).textContent + page[1];
};
for (const each of buttons) each.addEventListener('click', () => show(each));
show(buttons.find(each => each.getAttribute('aria-pressed') === 'true') ?? buttons[0]);
</script>
</body>
</html>
)";

/// No text in it can end the script that holds it.
std::string in_script(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string page_of_ranks(std::span<const RankPage> ranks, uint32_t shown) {
  const std::string_view page = page_template();
  const size_t at = page.find(kMark);
  const size_t rest = page.size() - at - kMark.size();
  std::string out(kHead);
  for (const RankPage& each : ranks)
    out += fmt::format(
        "<button value=\"{0}\" aria-pressed=\"{1}\">rank {0}: {2} cycles<small>bound by {3}; sent {4}, read "
        "{5} bytes; {6} "
        "notifies</small></button>\n",
        each.rank, each.rank == shown, sim::grouped(each.cycles), each.bound,
        sim::grouped(each.traffic.sent_bytes), sim::grouped(each.traffic.got_bytes),
        sim::grouped(each.traffic.notifies));
  out += "</nav>\n<iframe title=\"the page of the rank\"></iframe>\n";
  const auto script = [&](std::string_view id, std::string_view text) {
    out += fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id, text);
  };
  script("page", in_script(Json::array({page.substr(0, at), page.substr(at + kMark.size())})));
  for (const RankPage& each : ranks) {
    const std::string_view whole = each.page;
    if (whole.size() < at + rest) continue;
    script(fmt::format("rank{}", each.rank), whole.substr(at, whole.size() - at - rest));
  }
  return out += kScript;
}

}  // namespace pto::report
