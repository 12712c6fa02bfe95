// Is it UTF-8, and if not, what is it read as? Each maximal part of a sequence that breaks off becomes one U+FFFD.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "html_references.h"

namespace unquilt::html {

// The length of the character at `at`, or, below zero, that of what would be replaced.
inline int character(const uint8_t* at, const uint8_t* end) {
  uint8_t first = *at;
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return -1;
  int length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  uint8_t least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  uint8_t most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  for (int i = 1; i < length; i++) {
    if (at + i == end || at[i] < least || at[i] > most) return -i;
    least = 0x80;
    most = 0xBF;
  }
  return length;
}

inline uint64_t eight_bytes(const void* at) {
  uint64_t eight;
  std::memcpy(&eight, at, 8);
  return eight;
}

// The begin of what is not UTF-8, or `end`.
inline const uint8_t* first_wrong(const uint8_t* at, const uint8_t* end) {
  while (at < end) {
    while (end - at >= 8 && !(eight_bytes(at) & 0x8080808080808080)) at += 8;
    if (at == end) break;
    int length = character(at, end);
    if (length < 0) return at;
    at += length;
  }
  return end;
}

inline bool is_utf8(std::string_view source) {
  auto begin = reinterpret_cast<const uint8_t*>(source.data()), end = begin + source.size();
  return first_wrong(begin, end) == end;
}

inline std::string as_utf8(std::string_view source) {
  std::string mended;
  auto at = reinterpret_cast<const uint8_t*>(source.data()), end = at + source.size();
  while (at < end) {
    const uint8_t* wrong = first_wrong(at, end);
    mended.append(reinterpret_cast<const char*>(at), static_cast<size_t>(wrong - at));
    if (wrong == end) break;
    mended += replacement;
    at = wrong - character(wrong, end);
  }
  return mended;
}

// The number of code points: of all bytes but 10xxxxxx.
inline size_t count_points(const char* at, const char* end) {
  constexpr uint64_t ones = 0x0101010101010101;
  auto points = static_cast<size_t>(end - at);
  for (; end - at >= 8; at += 8) {
    uint64_t eight = eight_bytes(at);
    points -= (eight >> 7 & ~(eight >> 6) & ones) * ones >> 56;
  }
  for (; at < end; at++) points -= (*at & 0xC0) == 0x80;
  return points;
}

}  // namespace unquilt::html
