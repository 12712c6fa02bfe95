// One SIMD level: compiled once per level with -DLEVEL=portable, v2, v3 or v4 (CMakeLists.txt).
//
// Everything but the table at the end has internal linkage, and nothing here may instantiate templates or
// inline functions of the standard library: those become weak symbols, and the linker would keep one
// level's copy, perhaps AVX-512, for all of them. tools/check_levels.py looks for such symbols.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "grams.h"
#include "level.h"
#include "words.h"

#if defined(__SSE2__)
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // false alarms within the header
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

#define UNQUILT_JOIN_(a, b) a##b
#define UNQUILT_JOIN(a, b) UNQUILT_JOIN_(a, b)
#define UNQUILT_TEXT_(a) #a
#define UNQUILT_TEXT(a) UNQUILT_TEXT_(a)

namespace unquilt {

namespace {
namespace LEVEL {
#include "words.inc"

#include "grams.inc"
}  // namespace LEVEL

// The user's name of a level: "portable", or the x86-64 level of the System V ABI.
constexpr const char* user_name(const char* level) {
  return level[0] == 'v' ? (level[1] == '2' ? "x86-64-v2" : level[1] == '3' ? "x86-64-v3" : "x86-64-v4") : level;
}
}  // namespace

extern const Level UNQUILT_JOIN(LEVEL, _level);
const Level UNQUILT_JOIN(LEVEL, _level) = {user_name(UNQUILT_TEXT(LEVEL)), &LEVEL::word_functions,
                                           &LEVEL::gram_functions};

}  // namespace unquilt
