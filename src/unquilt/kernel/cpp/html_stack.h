// Which elements are open, and which of them can a tag end?
//
// The standard answers by walks over all open elements; on a page of 50,000 open ones that is quadratic. Here every open
// element carries the places of the nearest ones that stop such a walk, and of the next of its own name.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "html_references.h"
#include "html_tags.h"

namespace unquilt::html {

// What stops the search for an element that an end tag or a start tag may end. The standard's names: element scope,
// button scope, list item scope, table scope; then the walk of `<li>` and of an inline end tag, and the HTML namespace.
enum Barrier : uint8_t { of_scope, of_button, of_list, of_table, of_item, of_inline, of_html, barriers };

struct Open {
  uint16_t number = 0;  // of its name
  uint16_t same = 0;    // the place of the next one of its name
  uint16_t barrier[barriers] = {};
  bool hidden = false, as_is = false;
  bool foreign = false;  // an element of SVG or MathML
  bool hinge = false;    // ... that holds HTML
  bool own_row = false;  // else `row` is that of an element around it
  int32_t row = 0;
  int32_t fact = -1;  // the fact whose value is its text
  size_t text = 0;    // where that begins
};

class Stack {
 public:
  static constexpr size_t most_open = 65535;

  Stack() : open_(1), last_(tag::count + most_names) {}

  const Open& top() const { return open_.back(); }
  Open& top() { return open_.back(); }
  // Elements are counted from 1; 0 is none.
  size_t depth() const { return open_.size() - 1; }
  bool full() const { return depth() == most_open; }
  uint16_t last(uint16_t number) const { return last_[number]; }
  uint16_t barrier(Barrier which) const { return open_.back().barrier[which]; }
  uint16_t number_at(uint16_t place) const { return open_[place].number; }
  bool has(uint16_t number, Barrier which) const { return last_[number] && last_[number] >= barrier(which); }

  void push(Open one) {
    auto place = static_cast<uint16_t>(open_.size());
    const Open& below = open_.back();
    for (int which = 0; which < barriers; which++)
      one.barrier[which] = stops(one, static_cast<Barrier>(which)) ? place : below.barrier[which];
    one.same = last_[one.number];
    last_[one.number] = place;
    open_.push_back(one);
  }

  void pop() {
    last_[open_.back().number] = open_.back().same;
    open_.pop_back();
  }

  // The number of an element's name: of a name that is not listed, one of this page only.
  uint16_t number(uint16_t listed, std::string_view name) {
    if (listed != tag::other || name.size() > longest_name) return listed;
    std::string letters;
    for (char c : name) c ? letters += small(c) : letters += replacement;
    auto known = names_.find(letters);
    if (known != names_.end()) return known->second;
    if (names_.size() == most_names) return tag::other;
    return names_.emplace(std::move(letters), static_cast<uint16_t>(tag::count + names_.size())).first->second;
  }

 private:
  static constexpr size_t most_names = 1000, longest_name = 100;

  static bool stops(const Open& one, Barrier which) {
    if (which == of_html) return !one.foreign;
    if (one.foreign) return one.hinge && which != of_table;
    uint32_t kinds = kinds_of(one.number);
    switch (which) {
      case of_button: return kinds & scope || one.number == tag::button;
      case of_list: return kinds & scope || one.number == tag::ol || one.number == tag::ul;
      case of_table: return one.number == tag::html || one.number == tag::table || one.number == tag::template_;
      case of_item:
        return kinds & special && one.number != tag::address && one.number != tag::div && one.number != tag::p;
      case of_inline: return kinds & special;
      default: return kinds & scope;
    }
  }

  std::vector<Open> open_;
  std::vector<uint16_t> last_;
  std::unordered_map<std::string, uint16_t> names_;
};

}  // namespace unquilt::html
