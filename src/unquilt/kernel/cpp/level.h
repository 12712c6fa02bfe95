// One table of functions a SIMD level; module.cpp chooses the table, the bindings call through it.
#pragma once
#include <cstddef>
#include <cstdint>

namespace unquilt {

struct WordFunctions;  // words.h
struct GramFunctions;  // grams.h

struct Level {
  const char* name;
  const WordFunctions* words;
  const GramFunctions* grams;
};

extern const Level portable_level;
#if defined(UNQUILT_X86)
extern const Level v2_level, v3_level, v4_level;
#endif

// The level in use; set when the module is loaded.
const Level& level();

}  // namespace unquilt
