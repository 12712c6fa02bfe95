// How does the visible text come about, and where in it do its runs, elements and links stand?
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "html.h"
#include "html_references.h"
#include "html_utf8.h"

namespace unquilt::html {

// What a byte of the source can be in the text.
enum class Byte : uint8_t { letter, space, ampersand, nothing, perhaps_blank };

class Bytes {
 public:
  constexpr Bytes() {
    for (int c : {' ', '\n', '\t', '\r', '\f'}) kinds_[c] = Byte::space;
    for (int c : {0xC2, 0xE1, 0xE2, 0xE3, 0xEF}) kinds_[c] = Byte::perhaps_blank;
    kinds_[static_cast<int>('&')] = Byte::ampersand;
    kinds_[0] = Byte::nothing;
  }
  constexpr Byte operator[](char c) const { return kinds_[static_cast<uint8_t>(c)]; }

 private:
  Byte kinds_[256] = {};
};

inline constexpr Bytes byte_kinds;

// The length of the character at `at` if nobody can see it beside others: spaces that do not collapse, and what has
// no width. 0 for any other character.
inline size_t blank_at(const char* at, const char* end) {
  auto byte = [=](int i) { return static_cast<uint8_t>(at[i]); };
  if (end - at < 2) return 0;
  if (byte(0) == 0xC2) return byte(1) == 0xA0 || byte(1) == 0x85 ? 2 : 0;
  if (end - at < 3) return 0;
  uint32_t c = (byte(0) & 0xFu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
  bool blank = c == 0x1680 || (c >= 0x2000 && c <= 0x200B) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
               c == 0x3000 || c == 0xFEFF;
  return byte(0) >= 0xE0 && byte(0) < 0xF0 && blank ? 3 : 0;
}

inline std::string_view without_blanks_before(std::string_view text) {
  while (!text.empty()) {
    size_t length = is_space(text.front()) ? 1 : blank_at(text.data(), text.data() + text.size());
    if (!length) break;
    text.remove_prefix(length);
  }
  return text;
}

// Writes text, runs, elements and links. White space is written when it comes, and taken back at the end of a run: what
// counts is `solid_`, the end of the last character that can be seen. Places are counted in code points, once.
class Text {
 public:
  enum Run { run_begin, run_end, run_element, run_anchor };
  enum Element { element_begin, element_end, element_parent, element_tag, element_block };
  enum Link { link_begin, link_end, link_element };

  explicit Text(Page& page) : page_(page) {}

  // Adds a piece of the source. Nothing of a tag may be in it.
  void add(const char* at, const char* end, bool as_is, bool with_references = true) {
    while (at < end) {
      switch (byte_kinds[*at]) {
        case Byte::space:
          if (*at == '\r' && at + 1 < end && at[1] == '\n') at++;
          space(*at++, as_is);
          break;
        case Byte::nothing:
          if (!with_references) put(replacement);
          at++;
          break;
        case Byte::ampersand:
          at = with_references ? reference(at, end, as_is) : letters(at, end, true);
          break;
        case Byte::perhaps_blank:
          if (size_t length = blank_at(at, end)) {
            if (in_run_) page_.text.append(at, length);
            at += length;
            break;
          }
          [[fallthrough]];
        case Byte::letter: at = letters(at, end, false);
      }
    }
  }

  // A control stands here: what is before and behind it are two words.
  void add_gap() { space(' ', false); }

  // The line ends, the run goes on.
  void end_line() {
    if (!in_run_) return;
    take_back_blanks();
    page_.text += '\n';
  }

  void end_run() {
    if (!in_run_) return;
    take_back_blanks();
    int32_t end = place(), begin = page_.runs[run() + run_begin];
    if (link_ >= 0 && in_link_) anchor_ += end - std::max(begin, page_.links[link_at(link_begin)]);
    page_.runs[run() + run_end] = end;
    page_.runs[run() + run_anchor] = anchor_;
    in_run_ = false;
  }

  // Gives the row of a new element inside the one of row `parent`, or `parent` where there are too many.
  int32_t open_element(int32_t parent, uint16_t tag, bool is_block) {
    size_t row = page_.elements.size() / element_columns;
    if (row >= most_elements) return parent;
    page_.elements.insert(page_.elements.end(), {place(), -1, parent, tag, is_block});
    moved_ = true;
    return innermost_ = static_cast<int32_t>(row);
  }

  void close_element(int32_t row) {
    page_.elements[at(row, element_end)] = place();
    innermost_ = page_.elements[at(row, element_parent)];
    moved_ = true;
  }

  // A link begins with the next character that can be seen and goes on until it is closed. Gives false where there are too
  // many.
  bool open_link(int32_t element, bool lasts) {
    close_link();
    size_t row = page_.links.size() / link_columns;
    if (row >= most_links) return false;
    page_.links.insert(page_.links.end(), {place(), place(), element});
    if (lasts) link_ = static_cast<int32_t>(row);
    moved_ = true;
    return true;
  }

  void close_link() {
    if (link_ < 0) return;
    if (in_link_) {
      int32_t begin = page_.links[link_at(link_begin)], end = place();
      page_.links[link_at(link_end)] = end;
      if (in_run_) anchor_ += std::max(0, end - std::max(begin, page_.runs[run() + run_begin]));
    }
    link_ = -1;
    in_link_ = false;
  }

  bool in_link() const { return link_ >= 0; }

  // Of the page's text, in bytes, as far as it can be seen.
  size_t size() const { return solid_; }

  void finish() {
    end_run();
    close_link();
  }

 private:
  static size_t at(int32_t row, Element column) { return static_cast<size_t>(row) * element_columns + column; }
  size_t link_at(Link column) const { return static_cast<size_t>(link_) * link_columns + column; }
  size_t run() const { return page_.runs.size() - run_columns; }

  void space(char c, bool as_is) {
    if (!in_run_) return;
    char last = page_.text.back();
    if (as_is) page_.text += c == '\r' ? '\n' : c;
    else if (last != ' ' && last != '\n') page_.text += ' ';
  }

  // Copies from `at` on, where there is a letter, all that needs no look; gives the place behind it.
  const char* letters(const char* at, const char* end, bool with_ampersand) {
    const char* from = at;
    at += with_ampersand || byte_kinds[*at] == Byte::perhaps_blank;
    while (at < end) {
      Byte kind = byte_kinds[*at];
      bool goes_on = kind == Byte::letter || (kind == Byte::perhaps_blank && !blank_at(at, end)) ||
                     (*at == ' ' && at + 1 < end && byte_kinds[at[1]] == Byte::letter);
      if (!goes_on) break;
      at++;
    }
    put({from, static_cast<size_t>(at - from)});
    return at;
  }

  const char* reference(const char* at, const char* end, bool as_is) {
    Decoded one = reference_at(at, end, false);
    if (!one.size) return letters(at, end, true);
    if (one.size == 1 && is_space(one.bytes[0])) space(one.bytes[0], as_is);
    else if (!blank_at(one.bytes, one.bytes + one.size)) put(one.text());
    else if (in_run_) page_.text += one.text();
    return one.next;
  }

  void put(std::string_view text) {
    if (moved_ || !in_run_) arrive();
    page_.text += text;
    solid_ = page_.text.size();
  }

  // Something that can be seen comes next: here begins the run, what was opened since, and the link.
  void arrive() {
    if (!in_run_ && !page_.text.empty()) page_.text += '\n';
    solid_ = page_.text.size();
    int32_t here = place();
    if (!in_run_) {
      page_.runs.insert(page_.runs.end(), {here, here, innermost_, 0});
      anchor_ = 0;
      in_run_ = true;
    }
    auto rows = static_cast<int32_t>(page_.elements.size() / element_columns);
    for (; arrived_ < rows; arrived_++)
      if (page_.elements[at(arrived_, element_end)] < 0) page_.elements[at(arrived_, element_begin)] = here;
    if (link_ >= 0 && !in_link_) {
      page_.links[link_at(link_begin)] = here;
      in_link_ = true;
    }
    // The run is in the innermost element that is still open.
    int32_t& row = page_.runs[run() + run_element];
    while (page_.elements[at(row, element_end)] >= 0) row = page_.elements[at(row, element_parent)];
    moved_ = false;
  }

  void take_back_blanks() { page_.text.resize(solid_); }

  // The number of code points up to `solid_`.
  int32_t place() {
    const char* text = page_.text.data();
    if (counted_ < solid_) points_ += static_cast<int32_t>(count_points(text + counted_, text + solid_));
    counted_ = solid_;
    return points_;
  }

  Page& page_;
  size_t solid_ = 0, counted_ = 0;
  int32_t points_ = 0, anchor_ = 0;
  int32_t innermost_ = 0;  // the row of the element in which the text comes
  int32_t arrived_ = 0;    // the rows before this one begin where they say
  int32_t link_ = -1;      // the row of the link that is open
  bool in_run_ = false, in_link_ = false;
  bool moved_ = true;  // elements or links were opened or closed since the last letter
};

}  // namespace unquilt::html
