// What does a character reference stand for, and what a whole attribute value?
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "html_table.h"

namespace unquilt::html {

inline bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }

inline char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// The text of a reference, and where the source goes on behind it. Without text the ampersand stands for itself.
struct Decoded {
  char bytes[8];
  uint8_t size = 0;
  const char* next = nullptr;

  std::string_view text() const { return {bytes, size}; }
  void put(std::string_view text) {
    std::memcpy(bytes, text.data(), text.size());
    size = static_cast<uint8_t>(text.size());
  }
  void put(uint32_t c) {
    auto add = [this](uint32_t byte) { bytes[size++] = static_cast<char>(byte); };
    if (c < 0x80) return add(c);
    if (c < 0x800) {
      add(0xC0 | c >> 6);
    } else if (c < 0x10000) {
      add(0xE0 | c >> 12);
      add(0x80 | (c >> 6 & 0x3F));
    } else {
      add(0xF0 | c >> 18);
      add(0x80 | (c >> 12 & 0x3F));
      add(0x80 | (c >> 6 & 0x3F));
    }
    add(0x80 | (c & 0x3F));
  }
};

// Numbers 0x80 to 0x9F mean what these bytes are in windows-1252; 0 where it has nothing there.
constexpr uint16_t windows_1252[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

inline int digit_of(char c, bool hexadecimal) {
  if (c >= '0' && c <= '9') return c - '0';
  char letter = small(c);
  return hexadecimal && letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// `at` is behind "&#".
inline Decoded numeric_reference(const char* at, const char* end) {
  Decoded found;
  bool hexadecimal = at < end && small(*at) == 'x';
  at += hexadecimal;
  uint32_t c = 0;
  const char* digits = at;
  for (int digit; at < end && (digit = digit_of(*at, hexadecimal)) >= 0; at++)
    c = std::min<uint32_t>(c * (hexadecimal ? 16 : 10) + static_cast<uint32_t>(digit), 0x110000);
  if (at == digits) return found;
  found.next = at + (at < end && *at == ';');
  if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = 0xFFFD;
  if (c >= 0x80 && c < 0xA0 && windows_1252[c - 0x80]) c = windows_1252[c - 0x80];
  found.put(c);
  return found;
}

inline const Reference* find_reference(std::string_view name) {
  uint32_t hash = 2166136261u;
  for (char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  hash ^= hash >> 15;
  for (uint32_t at = hash % reference_slots; reference_places[at]; at = (at + 1) % reference_slots) {
    const Reference& one = references[reference_places[at] - 1];
    if (one.name == name) return &one;
  }
  return nullptr;
}

// `at` is behind "&". The longest name counts; some names may lack their semicolon, though not in an attribute where
// a letter, a digit or "=" follows: there `&copy=1` is a part of an address.
inline Decoded named_reference(const char* at, const char* end, bool in_attribute) {
  Decoded found;
  const char* behind = at;
  while (behind < end && behind - at < longest_reference && is_alphanumeric(*behind)) behind++;
  auto length = static_cast<size_t>(behind - at);
  const Reference* one = nullptr;
  if (behind < end && *behind == ';') one = find_reference({at, length + 1});
  for (size_t size = std::min<size_t>(length, longest_open_reference); !one && size > 1; size--)
    one = find_reference({at, size});
  if (!one) return found;
  const char* next = at + one->name.size();
  if (in_attribute && next[-1] != ';' && next < end && (*next == '=' || is_alphanumeric(*next))) return found;
  found.put(one->text);
  found.next = next;
  return found;
}

// `at` is at the ampersand.
inline Decoded reference_at(const char* at, const char* end, bool in_attribute) {
  if (end - at < 2) return {};
  if (at[1] == '#') return numeric_reference(at + 2, end);
  return is_alphanumeric(at[1]) ? named_reference(at + 1, end, in_attribute) : Decoded();
}

// Whether the text is what stands in the source. White space may be other white space.
inline bool is_literal(std::string_view source) { return source.find('&') == source.npos && source.find('\0') == source.npos; }

// The value of an attribute, or with `in_attribute` false the text of a title: decoded, line ends as "\n", NUL as U+FFFD.
inline std::string decoded(std::string_view source, bool in_attribute = true, bool with_references = true) {
  std::string value;
  const char *at = source.data(), *end = at + source.size();
  while (at < end) {
    const char* from = at;
    while (at < end && *at != '&' && *at != '\r' && *at != '\0') at++;
    value.append(from, at);
    if (at == end) break;
    if (*at == '\r') {
      at += at + 1 < end && at[1] == '\n' ? 2 : 1;
      value += '\n';
    } else if (*at == '\0') {
      at++;
      value += replacement;
    } else {
      Decoded one = with_references ? reference_at(at, end, in_attribute) : Decoded();
      if (one.size) value += one.text();
      else value += '&';
      at = one.size ? one.next : at + 1;
    }
  }
  return value;
}

}  // namespace unquilt::html
