// How is a source cut into start tags, end tags and text? As the HTML standard's tokenizer does; what comes out of it are
// places in the source, nothing is copied.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "html_references.h"
#include "html_tags.h"

namespace unquilt::html {

// The attributes that mean something to the text, the links or the facts.
namespace attribute {
enum : uint8_t {
  id, class_, role, hidden, style, href, rel, name, property, content, http_equiv, itemprop, datetime, title,
  lang, xml_lang, type, open, shadowrootmode, encoding, count,
  none = count
};
}  // namespace attribute

inline uint8_t attribute_of(const char* at, size_t length) {
  auto is = [=](const char* name) {
    for (size_t i = 0; i < length; i++)
      if (small(at[i]) != name[i]) return false;
    return true;
  };
  using namespace attribute;
  switch (length) {
    case 2: return is("id") ? id : none;
    case 3: return is("rel") ? rel : none;
    case 4:
      return is("href")   ? href
             : is("type") ? type
             : is("name") ? name
             : is("role") ? role
             : is("lang") ? lang
             : is("open") ? open
                          : none;
    case 5: return is("class") ? class_ : is("style") ? style : is("title") ? title : none;
    case 6: return is("hidden") ? hidden : none;
    case 7: return is("content") ? content : none;
    case 8:
      return is("property")   ? property
             : is("itemprop") ? itemprop
             : is("datetime") ? datetime
             : is("xml:lang") ? xml_lang
             : is("encoding") ? encoding
                              : none;
    case 10: return is("http-equiv") ? http_equiv : none;
    case 14: return is("shadowrootmode") ? shadowrootmode : none;
    default: return none;
  }
}

// A tag of which the first attribute of a name counts.
struct Tag {
  uint16_t number;        // in tag_rows
  bool closed;            // ends with "/>"
  std::string_view name;  // as written
  uint32_t given;         // bits of the attributes it has
  std::string_view values[attribute::count];

  bool has(uint8_t which) const { return given >> which & 1; }
  bool says(uint8_t which) const { return has(which) && !values[which].empty(); }
  std::string value(uint8_t which) const { return has(which) ? decoded(values[which]) : std::string(); }
};

inline const char* find(const char* at, const char* end, char c) {
  const void* found = at < end ? std::memchr(at, c, static_cast<size_t>(end - at)) : nullptr;
  return found ? static_cast<const char*>(found) : end;
}

inline bool starts_with(const char* at, const char* end, std::string_view small_letters) {
  if (static_cast<size_t>(end - at) < small_letters.size()) return false;
  for (size_t i = 0; i < small_letters.size(); i++)
    if (small(at[i]) != small_letters[i]) return false;
  return true;
}

// Ends the name of a tag.
inline bool ends_name(const char* at, const char* end) { return at < end && (is_space(*at) || *at == '/' || *at == '>'); }

// Reads a name in small letters into `tag`; `at` is at its first letter.
inline const char* read_name(const char* at, const char* end, Tag& tag) {
  const char* begin = at;
  char letters[longest_tag];
  size_t length = 0;
  for (; at < end && !ends_name(at, end); at++, length++)
    if (length < longest_tag) letters[length] = small(*at);
  tag.name = {begin, length};
  tag.number = length <= longest_tag ? tag_index.find({letters, length}) : uint16_t{tag::other};
  return at;
}

// Reads a value; `at` is behind the "=". Gives `end` where the source ends within.
inline const char* read_value(const char* at, const char* end, std::string_view& value) {
  while (at < end && is_space(*at)) at++;
  if (at < end && (*at == '"' || *at == '\'')) {
    const char* close = find(at + 1, end, *at);
    value = {at + 1, static_cast<size_t>(close - at - 1)};
    return close < end ? close + 1 : end;
  }
  const char* begin = at;
  while (at < end && !is_space(*at) && *at != '>') at++;
  value = {begin, static_cast<size_t>(at - begin)};
  return at;
}

// Reads the attributes and the ">" of a tag. Gives nullptr where the source ends within the tag, which is no tag then.
inline const char* read_attributes(const char* at, const char* end, Tag& tag) {
  tag.given = 0;
  tag.closed = false;
  while (true) {
    const char* skipped = at;
    while (at < end && (is_space(*at) || *at == '/')) at++;
    if (at == end) return nullptr;
    if (*at == '>') {
      tag.closed = at > skipped && at[-1] == '/';  // the "/" of `<a href=/>` belongs to its value
      return at + 1;
    }
    const char* begin = at++;  // a name may begin with "="
    while (at < end && !is_space(*at) && *at != '/' && *at != '>' && *at != '=') at++;
    uint8_t which = attribute_of(begin, static_cast<size_t>(at - begin));
    while (at < end && is_space(*at)) at++;
    std::string_view value;
    if (at < end && *at == '=') at = read_value(at + 1, end, value);
    if (which == attribute::none || tag.has(which)) continue;
    tag.given |= 1u << which;
    tag.values[which] = value;
  }
}

// The end of a comment, behind its ">"; `at` is behind "<!--".
inline const char* comment_end(const char* at, const char* end) {
  if (at < end && *at == '>') return at + 1;
  if (end - at > 1 && at[0] == '-' && at[1] == '>') return at + 2;
  for (const char* close = find(at, end, '>'); close < end; close = find(close + 1, end, '>')) {
    const char* dashes = close - (close > at && close[-1] == '!') - 2;
    if (dashes >= at && dashes[0] == '-' && dashes[1] == '-') return close + 1;
  }
  return end;
}

// The end of what begins with "<!" or "<?", or with "</" and no letter.
inline const char* declaration_end(const char* at, const char* end) {
  if (starts_with(at, end, "<!--")) return comment_end(at + 4, end);
  const char* close = find(at, end, '>');
  return close < end ? close + 1 : end;
}

// Where the end tag of a raw text element begins, or `end`.
inline const char* raw_end(const char* at, const char* end, std::string_view name) {
  for (at = find(at, end, '<'); at < end; at = find(at + 1, end, '<'))
    if (end - at > 1 && at[1] == '/' && starts_with(at + 2, end, name) && ends_name(at + 2 + name.size(), end)) return at;
  return end;
}

// Where the end tag of a script begins: within a comment a script may hold `<script>` and `</script>` itself.
inline const char* script_end(const char* at, const char* end) {
  enum { plain, comment, within } state = plain;
  while (at < end) {
    if (state == plain) at = find(at, end, '<');
    if (state == plain && starts_with(at, end, "<!--")) {
      state = comment;
      at++;  // its dashes may be those of "-->" too
    } else if (state != plain && starts_with(at, end, "-->")) {
      state = plain;
    } else if (state == comment && starts_with(at, end, "<script") && ends_name(at + 7, end)) {
      state = within;
    } else if (starts_with(at, end, "</script") && ends_name(at + 8, end)) {
      if (state != within) return at;
      state = comment;
    }
    if (at < end) at++;
  }
  return end;
}

}  // namespace unquilt::html
