// Fuzz targets: one function each, run by libFuzzer (PTO_BUILD_FUZZERS, clang) and by
// src/fuzz/pto-fuzz-run.cpp with a fixed seed. A target aborts when a law is broken; crashes and sanitizer
// reports speak for themselves.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::fuzz {

/// Text: parse, verify, print; what parses must print to a fixed point.
int parser(const uint8_t* data, size_t size);
/// Object bytes: read, verify, print, write; what reads must write back to a readable, stable object.
int object_reader(const uint8_t* data, size_t size);
/// Bytes are choices: a program from the instruction table; text, object and printed text say the same.
int generated(const uint8_t* data, size_t size);
/// The same with tokens deleted, doubled, swapped and replaced.
int mutated(const uint8_t* data, size_t size);
/// The object of a generated program with changed sections and checksums that fit.
int mutated_object(const uint8_t* data, size_t size);
/// Bytes are choices: a structured kernel, whose values an evaluation of its own tells.
int structured(const uint8_t* data, size_t size);
/// 32 bytes of choices, then a text: tokens of it become others of their kind; the whole path, and texts and
/// objects made of it are read again.
int mutated_text(const uint8_t* data, size_t size);
/// A case file's text.
int case_file(const uint8_t* data, size_t size);
/// A sweep file's text.
int sweep_file(const uint8_t* data, size_t size);
/// Text: the whole path with small limits: assemble, verify, plan, through an object, simulate, all reports.
int pipeline(const uint8_t* data, size_t size);
/// Text: a session of the language server, with every question about some places and edits between them.
int language_server(const uint8_t* data, size_t size);

}  // namespace pto::fuzz
