// Does the style of an element hide it?
#pragma once
#include <string_view>

#include "html_references.h"

namespace unquilt::html {

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

inline bool same(std::string_view text, std::string_view small_letters) {
  if (text.size() != small_letters.size()) return false;
  for (size_t i = 0; i < text.size(); i++)
    if (small(text[i]) != small_letters[i]) return false;
  return true;
}

// The first word, up to white space or "!".
inline std::string_view first_word(std::string_view value) {
  size_t length = 0;
  while (length < value.size() && !is_space(value[length]) && value[length] != '!') length++;
  return value.substr(0, length);
}

// `display: none` or `visibility: hidden` (or `collapse`), where nothing later in the attribute says otherwise.
inline bool style_hides(std::string_view style) {
  bool no_box = false, not_shown = false;
  while (!style.empty()) {
    size_t length = std::min(style.find(';'), style.size());
    std::string_view declaration = style.substr(0, length);
    style.remove_prefix(std::min(length + 1, style.size()));
    size_t colon = declaration.find(':');
    if (colon == std::string_view::npos) continue;
    std::string_view property = trimmed(declaration.substr(0, colon));
    std::string_view value = first_word(trimmed(declaration.substr(colon + 1)));
    if (same(property, "display")) no_box = same(value, "none");
    if (same(property, "visibility")) not_shown = same(value, "hidden") || same(value, "collapse");
  }
  return no_box || not_shown;
}

}  // namespace unquilt::html
