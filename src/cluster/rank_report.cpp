#include "cluster/rank_report.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>

namespace pto::driver {
namespace {

/// Both directions are one list of parts: what is written is what is read.
class Writer {
 public:
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void operator()(const T& value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void operator()(const std::string& text) {
    (*this)(text.size());
    out += text;
  }
  template <typename T, typename Each>
  void list(const std::vector<T>& all, Each&& each) {
    (*this)(all.size());
    for (const T& one : all) each(one);
  }
  template <typename T, typename Each>
  void maybe(const std::optional<T>& one, Each&& each) {
    (*this)(one.has_value());
    if (one) each(*one);
  }
  /// As words: reports of ranks are only printed.
  void fix(const Fix& fix) { (*this)(to_string(fix)); }
  std::string out;
};

class Reader {
 public:
  explicit Reader(std::string_view from) : text(from) {}
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void operator()(T& value) {
    if (text.size() < sizeof value) {
      text = {};
      return void();
    }
    std::memcpy(&value, text.data(), sizeof value);
    text.remove_prefix(sizeof value);
  }
  void operator()(std::string& to) {
    size_t size = 0;
    (*this)(size);
    size = std::min(size, text.size());
    to = text.substr(0, size);
    text.remove_prefix(size);
  }
  template <typename T, typename Each>
  void list(std::vector<T>& all, Each&& each) {
    size_t size = 0;
    (*this)(size);
    for (size_t i = 0; i < size && !text.empty(); ++i) each(all.emplace_back());
  }
  template <typename T, typename Each>
  void maybe(std::optional<T>& one, Each&& each) {
    bool there = false;
    (*this)(there);
    if (there) each(one.emplace());
  }
  void fix(Fix& fix) {
    std::string words;
    (*this)(words);
    fix = std::move(words);
  }
  std::string_view text;
};

template <typename Io>
void moment(Io& io, auto& m) {
  io(m.core);
  io(m.block);
  io(m.core_name);
  io(m.cycle);
  io.list(m.loops, [&](auto& loop) {
    io(loop.op);
    io(loop.where);
    io(loop.number);
    io(loop.variable);
    io(loop.value);
  });
}
template <typename Io>
void anchor(Io& io, auto& a) {
  io(a.part);
  io(a.op);
  io(a.index);
  io(a.row);
}
template <typename Io>
void origin(Io& io, auto& o) {
  io(o.file);
  io(o.at);
}
template <typename Io>
void finding(Io& io, auto& d) {
  io(d.id);
  io(d.severity);
  io(d.message);
  io(d.span);
  io(d.where);
  io(d.unsupported);
  io(d.operand);
  io(d.subject);
  io.fix(d.help);
  io.maybe(d.effect, [&](auto& effect) {
    io(effect.output);
    io(effect.compared);
  });
  anchor(io, d.anchor);
  io.list(d.notes, [&](auto& note) {
    io(note.message);
    io(note.span);
    io(note.where);
    io(note.consequence);
    io(note.kind);
    anchor(io, note.anchor);
    io.maybe(note.moment, [&](auto& m) { moment(io, m); });
    io.maybe(note.origin, [&](auto& o) { origin(io, o); });
  });
  io.maybe(d.moment, [&](auto& m) { moment(io, m); });
  io.maybe(d.origin, [&](auto& o) { origin(io, o); });
}
template <typename Io>
void report(Io& io, auto& r) {
  io(r.rank);
  io(r.ended);
  io(r.interrupted);
  io(r.cycles);
  io(r.traffic);
  io(r.bound);
  io(r.agreements);
  io.list(r.findings, [&](auto& each) { finding(io, each); });
  for (auto* files : {&r.outputs, &r.watched})
    io.list(*files, [&](auto& file) {
      io(file.name);
      io(file.contents);
    });
  io(r.trace);
  io(r.stats);
  io(r.json);
  io(r.events);
  io(r.page);
  io(r.details);
  io.list(r.prints, [&](auto& print) {
    io(print.first);
    io(print.second);
  });
}

}  // namespace

std::string packed(const std::vector<RankReport>& reports) {
  Writer io;
  for (const RankReport& each : reports) report(io, each);
  return std::move(io.out);
}

std::vector<RankReport> unpacked(std::string_view text) {
  Reader io(text);
  std::vector<RankReport> reports;
  while (!io.text.empty()) report(io, reports.emplace_back());
  return reports;
}

}  // namespace pto::driver
