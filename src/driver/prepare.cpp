#include "pto/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/tile_queues.hpp"
#include "asm/parse/text/defines_expansion.hpp"
#include "driver/buffer_tuning.hpp"
#include "driver/warning_selection.hpp"
#include "ir/named_constants.hpp"
#include "isa/row.hpp"
#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/plan.hpp"
#include "pto/vector_scope.hpp"
#include "pto/verify.hpp"
#include "target/machine_config.hpp"

namespace pto {
namespace {

std::span<const std::byte> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// The target that the name or configuration file represents; nothing for "".
Result<std::optional<Target>> target_of(const std::string& name, const std::vector<std::string>& settings) {
  if (name.empty()) return std::optional<Target>();
  if (const auto target = target_named(name)) return target;
  const Result<Machine> machine = machine::load(name, settings);
  if (!machine) return machine.error();
  return std::optional<Target>(machine->target);
}

template <typename Predicate>
std::vector<Diagnostic*> pointers(Diagnostics& diagnostics, const Predicate& predicate) {
  std::vector<Diagnostic*> found;
  for (Diagnostic& diagnostic : diagnostics.all()) {
    if (predicate(diagnostic)) found.push_back(&diagnostic);
  }
  return found;
}

/// The text that a program was read from.
const std::string& read_text(const Prepared& prepared) {
  return prepared.expansion.pieces.empty() ? prepared.source : prepared.expansion.text;
}

/// One program on its way.
class Pipeline {
 public:
  Pipeline(const PrepareOptions& options, std::optional<Target> target)
      : options_(options), target_(target), defines_(options.defines != nullptr ? *options.defines : none_) {
    prepared_.diagnostics = options.diagnostics;
    prepared_.settings = options.settings;
  }

  Result<Prepared> run(std::string input) {
    const Result<bool> good = steps(std::move(input));
    if (!good) return good.error();
    resolve_anchors(program(), as_read(), diagnostics());
    show_fewer_warnings();
    prepared_.ready = *good;
    if (program().source_text.empty()) program().source_text = as_read();
    if (read_)
      prepared_.expansion.restore(prepared_.source,
                                  pointers(diagnostics(), [](const auto&) { return true; }));
    if (options_.reading != nullptr) {
      for (NameUse& use : options_.reading->names) {
        use.where = prepared_.expansion.original(use.where);
        use.definition = prepared_.expansion.original({use.definition, use.definition + 1}).begin;
      }
    }
    prepared_.diagnostics.sort();
    return std::move(prepared_);
  }

 private:
  /// False: diagnostics say why.
  Result<bool> steps(std::string input) {
    Result<bool> good = read(std::move(input));
    if (!good || !*good) return good;
    if (options_.fold_warnings || options_.of_entry) places_.emplace(program());
    if (options_.of_entry) places_->keep_only(program(), options_.entry);
    name_target();
    if (!options_.backend.empty()) name_backend();
    if (!divide_among_cores(program(), options_.sync, options_.entry, diagnostics())) return false;
    if (options_.verify && !legal()) return false;
    good = completed();
    return good && *good ? lower_vectors() : good;
  }

  Result<bool> completed() {
    switch (options_.complete) {
      case PrepareOptions::Complete::no:
        return true;
      case PrepareOptions::Complete::check:
        return level() == Level::level3 || check_capacity(program(), diagnostics());
      case PrepareOptions::Complete::yes:
        return complete();
    }
    return true;
  }

  /// Logical vectors become registers. What cannot is said, and stays.
  bool lower_vectors() {
    if (options_.vectors == Vectors::logical || program().target != Target::a5) return true;
    scope_logical_vectors(program());
    prepared_.lowered = lower_logical_vectors(program());
    if (prepared_.lowered.changed) {
      Diagnostics known(1);  // where scopes are missing was said before
      infer_vector_scopes(program(), known);
    }
    const bool needed = options_.vectors == Vectors::all_lowered;
    for (const NotLowered& left : prepared_.lowered.left) {
      Diagnostic built;
      built.id = needed ? E0611 : W0611;
      built.severity = needed ? Severity::error : Severity::warning;
      built.unsupported = needed;
      built.message = needed ? fmt::format("@{} cannot be lowered to registers: {}", left.function, left.why)
                             : fmt::format("@{} runs on logical lanes: {}", left.function, left.why);
      built.help = needed ? "pto-sim --vmi=logical runs it as it is"
                          : "its cycles know nothing of registers and layouts";
      built.where = left.where;
      diagnostics().add(std::move(built));
    }
    return !needed || prepared_.lowered.left.empty();
  }

  Result<bool> read(std::string input) {
    using namespace std::string_view_literals;
    if (input.starts_with("PTOBC\0"sv))
      return Error{
          fmt::format("{} is PTO bytecode (.ptobc), which is not supported: ptobc decode converts it to text",
                      options_.name),
          Error::Kind::unsupported};
    return options_.objects && is_object(as_bytes(input)) ? load(input) : assemble(std::move(input));
  }

  Result<bool> assemble(std::string text) {
    prepared_.source = std::move(text);
    std::optional<Expansion> expansion = text::expand(prepared_.source, defines_, diagnostics());
    if (!expansion) return false;
    prepared_.expansion = std::move(*expansion);
    read_ = true;
    const ParseOptions options{.name = options_.name,
                               .target = target_,
                               .level = options_.level,
                               .defines = options_.defines,
                               .reading = options_.reading};
    std::optional<Program> parsed = parse(as_read(), options, diagnostics());
    if (!parsed) return false;
    program() = std::move(*parsed);
    if (auto misfit = taken()) return *misfit;
    if (options_.verify) infer_vector_scopes(program(), diagnostics());
    return true;
  }

  Result<bool> load(const std::string& bytes) {
    Result<Program> object = read_object(as_bytes(bytes));
    if (!object)
      return Error{fmt::format("{}: {}", options_.name, object.error().message), object.error().kind};
    program() = std::move(*object);
    prepared_.source = program().source_text;
    if (prepared_.source.empty() && options_.source_of)
      prepared_.source = options_.source_of(program().source_name);
    if (target_) run_for(*target_);
    set_parameters(program(), defines_);
    if (auto misfit = taken()) return *misfit;
    return diagnostics().errors() == 0;
  }

  /// What is wrong with the definitions, once the whole program has been read.
  std::optional<Error> taken() {
    if (defines_.misfit) return defines_.misfit;
    return defines_.unused(options_.name);
  }
  [[nodiscard]] const std::string& as_read() const { return read_text(prepared_); }

  /// An object is run for another target than it was assembled for.
  void run_for(Target target) {
    if (program().target_stated && program().target != target &&
        target != Target::cpu) {  // cpu takes programs for both
      diagnostics()
          .warning(W0101, fmt::format("the object is assembled for {}, but is run for {}",
                                      to_string(program().target), to_string(target)))
          .help = "--target wins; leave it out, or assemble for that target";
    }
    program().target = target;
    program().target_stated = true;
  }

  void name_target() {
    const bool file = !options_.target.empty() && !target_named(options_.target);
    prepared_.target = file ? options_.target : std::string(to_string(program().target));
  }

  /// The outermost module says it, as if the text had.
  void name_backend() {
    const isa::EnumDomain& domain = *isa::find_enum("backend");
    const isa::EnumCase* backend = isa::find_case(domain, options_.backend);
    Op& module = program().ops[0];
    const int spec = isa::schema(module.row).attr_index("pto.backend");
    if (backend == nullptr || spec < 0) return;
    Attr said;
    said.spec = static_cast<uint16_t>(spec);
    said.value.kind = AttrValue::Kind::enumerant;
    said.value.integer = backend->value;
    std::vector<Attr> attrs;
    for (const Attr& attr : program().attrs_of(module)) {
      if (attr.spec != said.spec) attrs.push_back(attr);
    }
    const auto behind = std::ranges::find_if(attrs, [&](const Attr& attr) { return attr.spec > said.spec; });
    attrs.insert(behind, said);
    module.attrs = static_cast<uint32_t>(program().attrs.size());
    module.n_attrs = static_cast<uint8_t>(attrs.size());
    program().attrs.insert(program().attrs.end(), attrs.begin(), attrs.end());
  }

  bool legal() {
    // A run shows itself what is wrong with flags and orders.
    const bool look = options_.check_synchronisation;
    VerifyOptions asked{
        .level = options_.level, .synchronisation = look, .sync = look ? options_.sync : SyncBy::by_program};
    if (look && synchronises()) {
      Result<Machine> machine = prepared_.machine();
      if (machine) asked.machine = std::move(*machine);
    }
    return verify(program(), asked, diagnostics());
  }

  /// Only then the machine matters for the static checks.
  bool synchronises() {
    return std::ranges::any_of(program().ops, [](const Op& op) {
      return isa::is_pipe_synchronisation(isa::row(op.row).opcode_class);
    });
  }

  /// Addresses and flags; the result is a level 3 program.
  Result<bool> complete() {
    PlanOptions options;
    options.sync = who_orders(program(), options_.sync);
    options.plan_memory = level() != Level::level3 || buffers_to_place();
    options.entry = options_.entry;
    options.machine = prepared_.settings.empty() ? prepared_.target : prepared_.target + " with --set";
    if (options.sync == SyncBy::program && !options.plan_memory) return true;
    const Result<Machine> machine = prepared_.machine();
    if (!machine) return machine.error();
    const driver::BufferSearch search = driver::choose_buffers(program(), *machine, options, options_.buffers,
                                                               prepared_.target, prepared_.settings);
    prepared_.short_of_memory = search.short_of_memory;
    if (options_.buffers == 0) note_untried(search);
    const size_t before = synchronisations();
    const bool good = plan(program(), *machine, options, diagnostics());
    const size_t after = synchronisations();
    prepared_.inserted = after - std::min(before, after);
    return good;
  }

  void note_untried(const driver::BufferSearch& search) {
    if (search.note.empty()) return;
    Diagnostic note;
    note.severity = Severity::note;
    note.message = search.note;
    if (search.loop != kNoOp) note.where = program().ops[search.loop].where;
    note.help = "--multi-buffer 2 gives each loop two buffers where they fit";
    diagnostics().add(std::move(note));
  }

  /// Flags, barriers and the like in the program.
  size_t synchronisations() {
    return static_cast<size_t>(std::ranges::count_if(
        program().ops, [](const Op& op) { return isa::is_synchronisation(isa::row(op.row).opcode_class); }));
  }

  /// The buffer of a tile queue is to be placed, although every tile may have its address.
  bool buffers_to_place() {
    for (uint32_t op = 0; op < program().ops.size(); ++op) {
      if (reserves_room(OpView(program(), op))) return true;
    }
    return false;
  }

  void show_fewer_warnings() {
    if (places_ && options_.of_entry) places_->drop_idle(diagnostics());
    if (places_ && options_.fold_warnings) places_->fold(diagnostics());
  }

  Level level() { return options_.level.value_or(infer_level(program())); }
  Program& program() { return prepared_.program; }
  Diagnostics& diagnostics() { return prepared_.diagnostics; }

  const PrepareOptions& options_;
  std::optional<Target> target_;
  const Defines none_ = {};
  const Defines& defines_;
  Prepared prepared_;
  bool read_ = false;  ///< a text, as its definitions make it
  std::optional<driver::FunctionPlaces> places_;
};

}  // namespace

void Prepared::locate(Diagnostics& reported) const {
  // Those that have a span have been here before.
  const std::vector<Diagnostic*> added =
      pointers(reported, [](const Diagnostic& each) { return each.span == Span{}; });
  resolve_anchors(program, read_text(*this), reported);
  expansion.restore(source, added);
}

Result<Machine> Prepared::machine() const { return machine::load(target, settings); }

Result<Prepared> prepare(std::string input, const PrepareOptions& options) {
  const auto target = target_of(options.target, options.settings);
  if (!target) return target.error();
  const bool again =
      options.fold_warnings && options.reading == nullptr && !(options.objects && is_object(as_bytes(input)));
  Result<Prepared> prepared = Pipeline(options, *target).run(std::move(input));
  if (!again || !prepared || prepared->diagnostics.hidden_warnings() == 0) return prepared;
  // Those that are not kept may be the ones to show.
  PrepareOptions wanted = options;
  wanted.diagnostics = *options.fold_warnings;
  Result<Prepared> all = Pipeline(wanted, *target).run(std::move(prepared->source));
  if (!all) return all;
  const Diagnostics found = std::exchange(all->diagnostics, options.diagnostics);
  all->diagnostics.append(found);
  return all;
}

}  // namespace pto
