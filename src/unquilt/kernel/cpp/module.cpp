// The Python module `unquilt.kernel._kernel`, and the choice of the SIMD level.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "level.h"
#include "words.h"

namespace nb = nanobind;

void bind_words(nb::module_& m);
void bind_grams(nb::module_& m);
void bind_html(nb::module_& m);

namespace unquilt {
namespace {

const Level* chosen = &portable_level;

#if defined(UNQUILT_X86) && defined(__GNUC__)
// The features that the compiler may use for -march=x86-64-v2, v3 and v4. Those not asked for here
// (CMPXCHG16B, LZCNT, MOVBE ...) came with every CPU that has the others.
bool runs_v2() { return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"); }
bool runs_v3() {
  return runs_v2() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}
bool runs_v4() {
  return runs_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
#endif

// Every level of this build, slowest first, and whether this CPU can run it.
struct Choice {
  const Level* level;
  bool runs;
};

std::vector<Choice> choices() {
  std::vector<Choice> all = {{&portable_level, true}};
#if defined(UNQUILT_X86) && defined(__GNUC__)
  __builtin_cpu_init();
  all.push_back({&v2_level, runs_v2()});
  all.push_back({&v3_level, runs_v3()});
  all.push_back({&v4_level, runs_v4()});
#endif
  return all;
}

std::vector<std::string> runnable() {
  std::vector<std::string> names;
  for (const Choice& choice : choices())
    if (choice.runs) names.emplace_back(choice.level->name);
  return names;
}

[[noreturn]] void refuse(const std::string& wanted, const char* fact) {
  std::string names;
  for (const std::string& name : runnable()) names += (names.empty() ? "" : ", ") + name;
  throw std::runtime_error("UNQUILT_SIMD is '" + wanted + "', which " + fact +
                           "; unset it or set it to one of: " + names);
}

const Level* choose(const char* forced) {
  const Level* best = &portable_level;
  for (const Choice& choice : choices()) {
    if (forced && choice.level->name == std::string(forced)) {
      if (!choice.runs) refuse(forced, "this CPU cannot run");
      return choice.level;
    }
    if (choice.runs) best = choice.level;
  }
  if (forced) refuse(forced, "is not a SIMD level of this build");
  return best;
}

}  // namespace

const Level& level() { return *chosen; }

}  // namespace unquilt

NB_MODULE(_kernel, m) {
  const char* forced = std::getenv("UNQUILT_SIMD");
  unquilt::chosen = unquilt::choose(forced && *forced ? forced : nullptr);
  m.def("simd_level", [] { return std::string(unquilt::level().name); }, "Give the SIMD level in use.");
  m.def("simd_levels", [] { return unquilt::runnable(); }, "Give the SIMD levels this CPU can run, slowest first.");
  bind_words(m);
  bind_grams(m);
  bind_html(m);
}
