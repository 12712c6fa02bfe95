// What does a page declare of itself, and what are its elements called? Bounded in number and size.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "html.h"
#include "html_style.h"
#include "html_tokens.h"

namespace unquilt::html {

constexpr size_t longest_fact = 65536, longest_data = size_t{1} << 20, most_said = size_t{1} << 22;
constexpr size_t longest_item = 1000, longest_names = 1000;

// As much of a text as fits into `size` bytes without half a character.
inline std::string_view cut(std::string_view text, size_t size) {
  if (text.size() <= size) return text;
  while (size && (text[size] & 0xC0) == 0x80) size--;
  return text.substr(0, size);
}

// Adds the words of a text in small letters (those of ASCII), each behind one blank.
inline void add_words(std::string& words, std::string_view text) {
  bool apart = true;
  for (char c : text) {
    if (!is_space(c)) {
      if (apart && !words.empty()) words += ' ';
      words += small(c);
    }
    apart = is_space(c);
  }
}

inline std::string plain_words(std::string_view text) {
  std::string words;
  add_words(words, text);
  return words;
}

class Facts {
 public:
  explicit Facts(Page& page) : page_(page) {}

  // Gives the number of the fact, or -1 if there are too many or too long ones.
  int32_t add(const char* kind, std::string name, std::string value, size_t longest = longest_fact) {
    if (value.size() > longest) value.resize(cut(value, longest).size());
    if (name.size() > longest_names) name.resize(cut(name, longest_names).size());
    if (page_.facts.size() >= most_facts || value.size() + name.size() > most_said - said_) return -1;
    said_ += value.size() + name.size();
    page_.facts.push_back({kind, std::move(name), std::move(value)});
    return static_cast<int32_t>(page_.facts.size() - 1);
  }

  // Adds to the value of a fact that is the text of its element.
  void add_text(int32_t fact, std::string_view text) {
    std::string& value = page_.facts[static_cast<size_t>(fact)].value;
    text = cut(text, longest_item - std::min(longest_item, value.size()));
    if (text.size() > most_said - said_) return;
    said_ += text.size();
    value += text;
  }

  void of_meta(const Tag& tag) {
    if (!tag.has(attribute::content)) return;
    for (auto [which, kind] : {std::pair(attribute::property, "meta"), std::pair(attribute::name, "meta"),
                               std::pair(attribute::http_equiv, "http-equiv")})
      if (tag.says(which)) add(kind, plain_words(tag.value(which)), tag.value(attribute::content));
  }

  void of_link(const Tag& tag) {
    if (tag.says(attribute::rel) && tag.has(attribute::href))
      add("link", plain_words(tag.value(attribute::rel)), tag.value(attribute::href));
  }

  void of_base(const Tag& tag) {
    if (tag.has(attribute::href) && !std::exchange(has_base_, true)) add("base", "href", tag.value(attribute::href));
  }

  void of_html(const Tag& tag) {
    uint8_t which = tag.has(attribute::lang) ? attribute::lang : attribute::xml_lang;
    if (tag.has(which) && !std::exchange(has_language_, true)) add("html", "lang", tag.value(which));
  }

  // The date that an element gives, under the number of its row.
  void of_attribute(const char* kind, int32_t row, const Tag& tag, uint8_t which) {
    if (tag.says(which)) add(kind, std::to_string(row), tag.value(which));
  }

  // One fact for each property. Gives the last one's number if its value is the text of the element, else -1.
  int32_t of_item(const Tag& tag) {
    if (!tag.says(attribute::itemprop)) return -1;
    uint8_t which = tag.has(attribute::content)    ? attribute::content
                    : tag.has(attribute::datetime) ? attribute::datetime
                    : tag.number == tag::link      ? attribute::href
                                                   : attribute::none;
    std::string properties = plain_words(tag.value(attribute::itemprop));
    std::string value = which == attribute::none ? std::string() : tag.value(which);
    int32_t last = -1;
    for (size_t begin = 0; begin < properties.size();) {
      size_t end = std::min(properties.find(' ', begin), properties.size());
      last = add("itemprop", properties.substr(begin, end - begin), value);
      begin = end + 1;
    }
    return which == attribute::none ? last : -1;
  }

  // The row of an element's id, class and role among the names of the page.
  int32_t names_of(const Tag& tag) {
    names_.clear();
    for (uint8_t which : {attribute::id, attribute::class_, attribute::role})
      if (tag.says(which)) {
        if (is_literal(tag.values[which])) add_words(names_, tag.values[which]);
        else add_words(names_, tag.value(which));
      }
    return row_of(cut(names_, longest_names));
  }

 private:
  static constexpr size_t places = 4096, probes = 8;

  // The same names come again and again. Where many have one hash, a row comes twice.
  int32_t row_of(std::string_view names) {
    if (page_.names.empty()) page_.names.emplace_back();
    if (names.empty()) return 0;
    if (rows_.empty()) rows_.resize(places + probes);
    uint32_t hash = 2166136261u;
    for (char c : names) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
    int32_t* place = &rows_[(hash ^ hash >> 15) % places];
    for (int32_t* last = place + probes; place < last && *place; place++)
      if (page_.names[static_cast<size_t>(*place)] == names) return *place;
    auto row = static_cast<int32_t>(page_.names.size());
    page_.names.emplace_back(names);
    *place = row;
    return row;
  }

  Page& page_;
  std::vector<int32_t> rows_;
  std::string names_;  // those of the last element
  size_t said_ = 0;
  bool has_base_ = false, has_language_ = false;
};

}  // namespace unquilt::html
