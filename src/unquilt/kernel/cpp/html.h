// What a person can see of a page, and what the page says of itself: docs/kernels.md has the rules.
//
// html_tokens.h cuts the source into tags and text, html_stack.h knows which elements are open, html_text.h
// writes the text and where everything stands in it, html_facts.h keeps what the page declares.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unquilt::html {

// No page has more elements, links or facts than these: what a page of 10 MB can cost is bounded.
constexpr size_t most_elements = 200000, most_links = 200000, most_facts = 10000;
constexpr size_t most_source = size_t{1} << 30;  // places are 32-bit numbers

struct Fact {
  const char* kind;
  std::string name, value;
};

// Columns: see docs/kernels.md. `names` are different ones, `name_rows` says which of them an element has.
struct Page {
  std::string text;
  std::vector<int32_t> runs, elements, links;
  std::vector<int32_t> name_rows;
  std::vector<std::string> names, hrefs, rels;
  std::vector<Fact> facts;
  int64_t source_points = 0;
};

constexpr size_t run_columns = 4, element_columns = 5, link_columns = 3;

Page read(std::string_view source);

// The names of the elements that are known, by their numbers; number 0 is any other.
std::vector<std::string> tag_names();

}  // namespace unquilt::html
