// Assembles a kernel, runs it on data, prints what the run found, and writes a trace.
#include <cstdio>
#include <fstream>
#include <pto/diagnostic_formats.hpp>
#include <pto/prepare.hpp>
#include <pto/report.hpp>

const char* const kDouble = R"(func.func @double(%a: !pto.ptr<f32>) attributes {pto.entry} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = pto.make_tensor_view %a, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<1x64xf32>
  %x = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
  pto.tload ins(%v : !pto.tensor_view<1x64xf32>) outs(%x : !pto.tile_buf<vec, 1x64xf32>)
  pto.tadd ins(%x, %x : !pto.tile_buf<vec, 1x64xf32>, !pto.tile_buf<vec, 1x64xf32>) outs(%x : !pto.tile_buf<vec, 1x64xf32>)
  pto.tstore ins(%x : !pto.tile_buf<vec, 1x64xf32>) outs(%v : !pto.tensor_view<1x64xf32>)
  return
})";

int main(int argc, char** argv) {
  // SyncBy::program leaves out the flags that this kernel needs; by itself the library puts them in.
  const auto kernel = pto::prepare(
      kDouble,
      {.name = "double.pto", .target = "a5", .sync = pto::SyncBy::program, .check_synchronisation = false});
  if (!kernel) {
    std::puts(kernel.error().message.c_str());
    return 2;
  }
  std::fputs(pto::format_text(kernel->diagnostics, "double.pto", kernel->source).c_str(), stdout);
  if (!kernel->ready) return 1;

  const std::vector<float> numbers(64, 1.5f);
  const auto bytes = std::as_bytes(std::span(numbers));
  std::vector<pto::Argument> arguments = {{.name = "a", .bytes = {bytes.begin(), bytes.end()}}};
  std::ofstream trace(argc > 1 ? argv[1] : "trace.json");
  pto::Reports reports({.target = "a5", .trace = [&](std::string_view piece) { trace << piece; }});
  const auto result = pto::simulate(*kernel, arguments, {}, reports.observers());
  if (!result) {
    std::puts(result.error().message.c_str());
    return 2;
  }
  std::fputs(pto::format_text(result->findings, "double.pto", kernel->source).c_str(), stdout);
  std::fputs(reports.text(kernel->program, *result).c_str(), stdout);
  return result->findings.errors() == 0 ? 0 : 1;
}
