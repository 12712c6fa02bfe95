// A page is read from its first byte to its last, once: what comes is put where it belongs at once.
#include "html.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "html_facts.h"
#include "html_stack.h"
#include "html_style.h"
#include "html_tags.h"
#include "html_text.h"
#include "html_tokens.h"
#include "html_utf8.h"

namespace unquilt::html {
namespace {

constexpr size_t deepest_row = 512;  // an element farther in has no row: who walks outwards needs a bound

class Reader {
 public:
  Reader(std::string_view source, Page& page)
      : at_(source.data()), end_(at_ + source.size()), page_(page), text_(page), facts_(page) {}

  void read() {
    if (starts_with(at_, end_, "\xEF\xBB\xBF")) at_ += 3;
    page_.text.reserve(static_cast<size_t>(end_ - at_) / 3);
    tag_.number = tag::html;
    tag_.given = 0;
    push(false);
    while (at_ < end_) {
      const char* next = find(at_, end_, '<');
      if (next > at_) add_text(at_, next);
      at_ = next < end_ ? markup(next) : end_;
    }
    text_.finish();
    while (stack_.depth()) pop();
  }

 private:
  // ---- Text ----

  void add_text(const char* begin, const char* end, bool with_references = true) {
    const Open& top = stack_.top();
    if (top.hidden) {
      if (top.fact >= 0) facts_.add_text(top.fact, decoded({begin, static_cast<size_t>(end - begin)}, false, with_references));
      return;
    }
    if (before_body()) {
      if (std::all_of(begin, end, [](char c) { return is_space(c) || c == '\0'; })) return;
      open_body(nullptr);
    }
    text_.add(begin, end, stack_.top().as_is, with_references);
  }

  bool shown() const { return !stack_.top().hidden; }

  // What stands in a template of the head is no part of the body.
  bool before_body() const { return !in_body_ && stack_.depth() == 1; }

  void end_run() {
    if (shown()) text_.end_run();
  }

  // ---- Markup: gives the place behind it ----

  // `at` is at a "<".
  const char* markup(const char* at) {
    char next = end_ - at > 1 ? at[1] : '\0';
    if (small(next) >= 'a' && small(next) <= 'z') return start_tag(at + 1);
    if (next == '/' && end_ - at > 2) {
      char letter = small(at[2]);
      return letter >= 'a' && letter <= 'z' ? end_tag(at + 2) : declaration_end(at, end_);
    }
    if (next == '!' && stack_.top().foreign && starts_with(at, end_, "<![cdata[")) return character_data(at + 9);
    if (next == '!' || next == '?') return declaration_end(at, end_);
    const char* behind = find(at + 1, end_, '<');
    add_text(at, behind);
    return behind;
  }

  const char* character_data(const char* at) {
    std::string_view rest(at, static_cast<size_t>(end_ - at));
    size_t length = std::min(rest.find("]]>"), rest.size());
    add_text(at, at + length, false);
    return at + std::min(length + 3, rest.size());
  }

  const char* start_tag(const char* at) {
    at = read_attributes(read_name(at, end_, tag_), end_, tag_);
    if (!at) return end_;
    if (stack_.top().foreign && !stack_.top().hinge) {
      if (!(kinds_of(tag_.number) & breaks_out)) {
        if (!tag_.closed) push(true);
        return at;
      }
      while (stack_.top().foreign && !stack_.top().hinge) pop();
    }
    return start(at);
  }

  const char* end_tag(const char* at) {
    at = read_attributes(read_name(at, end_, tag_), end_, tag_);
    if (!at) return end_;
    uint16_t number = stack_.number(tag_.number, tag_.name);
    if (stack_.top().foreign) {
      if (stack_.last(number) > stack_.barrier(of_html)) {
        pop_to(number);
        return at;
      }
      if (number != tag::br && number != tag::p) return at;
      while (stack_.top().foreign) pop();
    }
    end(number);
    return at;
  }

  // ---- Start tags ----

  const char* start(const char* at) {
    uint16_t number = tag_.number;
    uint32_t kinds = kinds_of(number);
    if (number == tag::html || number == tag::body || number == tag::head) {
      outermost(number);
      return at;
    }
    if (before_body() && !(kinds & in_head)) open_body(nullptr);
    if (!make_room(number, kinds)) return at;
    if (shown() && !hides()) separate(number, kinds);
    if (kinds & raw) return raw_text(at, kinds);
    bool foreign = number == tag::svg || number == tag::math;
    if (kinds & empty) declare(-1);
    else if (!foreign || !tag_.closed) push(foreign);
    return at;
  }

  void separate(uint16_t number, uint32_t kinds) {
    if (kinds & block) text_.end_run();
    else if (number == tag::br) text_.end_line();
    else if (kinds & gap) text_.add_gap();
  }

  void outermost(uint16_t number) {
    if (number == tag::head || stack_.last(tag::template_)) return;
    if (number == tag::html) facts_.of_html(tag_);
    if (number == tag::body && before_body()) return open_body(&tag_);
    // A second tag adds what the first has not said.
    auto row = static_cast<size_t>(number == tag::body);
    if (row < page_.name_rows.size() && !page_.name_rows[row]) page_.name_rows[row] = facts_.names_of(tag_);
  }

  // Also where there is no such tag. It is never hidden: scripts that show the page hide it first.
  void open_body(const Tag* tag) {
    in_body_ = true;
    Open body;
    body.number = tag::body;
    body.own_row = true;
    body.row = text_.open_element(0, tag::body, true);
    page_.name_rows.push_back(tag ? facts_.names_of(*tag) : 0);
    stack_.push(body);
  }

  // Ends what a start tag ends. Gives false where the tag means nothing in its place.
  bool make_room(uint16_t number, uint32_t kinds) {
    switch (number) {
      case tag::li: end_item(tag::li, tag::li); break;
      case tag::dd:
      case tag::dt: end_item(tag::dd, tag::dt); break;
      case tag::a:
        text_.close_link();
        if (stack_.last(tag::a) > stack_.barrier(of_inline)) pop_to(tag::a);
        break;
      case tag::button: end_in(tag::button, of_scope); break;
      case tag::option:
      case tag::optgroup:
        if (stack_.top().number == tag::option) pop();
        if (number == tag::optgroup && stack_.top().number == tag::optgroup) pop();
        break;
      case tag::rb:
      case tag::rt:
      case tag::rp:
      case tag::rtc:
        while (is_ruby_part(stack_.top().number)) pop();
        break;
      case tag::input:
      case tag::textarea: end_in(tag::select, of_scope); break;
      case tag::select:
        if (!stack_.has(tag::select, of_scope)) break;
        pop_to(tag::select);
        return false;
      case tag::form:
        if (in_form_) return false;
        in_form_ = true;
        break;
      case tag::table:
        if (stack_.last(tag::table) > std::max({stack_.last(tag::td), stack_.last(tag::th), stack_.last(tag::caption)}))
          end_in(tag::table, of_table);
        break;
      case tag::caption:
      case tag::colgroup:
      case tag::col:
      case tag::tbody:
      case tag::thead:
      case tag::tfoot: return back_to_table({});
      case tag::tr: return back_to_table({tag::tbody, tag::thead, tag::tfoot});
      case tag::td:
      case tag::th: return back_to_table({tag::tr, tag::tbody, tag::thead, tag::tfoot});
      default: break;
    }
    if (kinds & closes_p) end_in(tag::p, of_button);
    if (kinds & heading && kinds_of(stack_.top().number) & heading) pop();
    return true;
  }

  static bool is_ruby_part(uint16_t number) {
    return number == tag::rb || number == tag::rt || number == tag::rp || number == tag::rtc;
  }

  // `<li>` ends an item, unless another element that is no mere division is between.
  void end_item(uint16_t one, uint16_t other) {
    uint16_t place = stack_.barrier(of_item), number = stack_.number_at(place);
    if (number == one || number == other) pop_until(place);
  }

  // Ends all inside the table, or inside the nearest of some elements in it. Gives false outside of tables.
  bool back_to_table(std::initializer_list<uint16_t> within) {
    uint16_t place = stack_.barrier(of_table);
    if (stack_.number_at(place) != tag::table) return false;
    for (uint16_t number : within) place = std::max(place, stack_.last(number));
    while (stack_.depth() > place) pop();
    return true;
  }

  bool hides() const {
    return tag_.has(attribute::hidden) || (tag_.says(attribute::style) && style_hides(tag_.value(attribute::style))) ||
           (tag_.number == tag::dialog && !tag_.has(attribute::open)) ||
           (tag_.number == tag::input && same(trimmed(tag_.value(attribute::type)), "hidden"));
  }

  bool is_unseen() const {
    bool shadow = tag_.number == tag::template_ && tag_.has(attribute::shadowrootmode);
    return hides() || (kinds_of(tag_.number) & unseen && !shadow);
  }

  void push(bool foreign) {
    Open one;
    one.hidden = stack_.top().hidden;
    one.as_is = stack_.top().as_is;
    if (stack_.full()) pop();
    one.number = stack_.number(tag_.number, tag_.name);
    uint32_t kinds = kinds_of(one.number);
    one.foreign = foreign;
    one.hinge = foreign && kinds & hinge && (one.number != tag::annotation_xml || holds_html());
    one.as_is |= (kinds & as_is) != 0;
    // In SVG and MathML these names are of other elements.
    bool unseen_there = tag_.number == tag::svg || tag_.number == tag::annotation || tag_.number == tag::annotation_xml;
    one.hidden |= one.number != tag::html && (foreign ? unseen_there || hides() : is_unseen());
    one.row = stack_.top().row;
    if (!one.hidden && !foreign) {
      int32_t names = facts_.names_of(tag_);
      if ((names || kinds & (block | kept)) && stack_.depth() < deepest_row) open_row(one, names, kinds & block);
    }
    if (!foreign) one.fact = declare(one.own_row ? one.row : -1);
    one.text = text_.size();
    stack_.push(one);
  }

  bool holds_html() const {
    std::string encoding = plain_words(tag_.value(attribute::encoding));
    return encoding == "text/html" || encoding == "application/xhtml+xml";
  }

  void open_row(Open& one, int32_t names, bool is_block) {
    int32_t parent = stack_.depth() ? stack_.top().row : -1;
    one.row = text_.open_element(parent, one.number < tag::count ? one.number : uint16_t{tag::other}, is_block);
    one.own_row = one.row != parent;
    if (one.own_row) page_.name_rows.push_back(names);
  }

  // What the tag says of the page, and the link it begins. `row` is that of its element, or -1. Gives the fact whose value
  // will be the element's text, or -1.
  int32_t declare(int32_t row) {
    if (stack_.last(tag::template_)) return -1;
    switch (tag_.number) {
      case tag::meta: facts_.of_meta(tag_); break;
      case tag::link: facts_.of_link(tag_); break;
      case tag::base: facts_.of_base(tag_); break;
      case tag::time: facts_.of_attribute("time", row, tag_, attribute::datetime); break;
      case tag::abbr: facts_.of_attribute("abbr", row, tag_, attribute::title); break;
      case tag::a:
      case tag::area: link(row >= 0 ? row : stack_.top().row); break;
      default: break;
    }
    return facts_.of_item(tag_);
  }

  void link(int32_t row) {
    if (!tag_.has(attribute::href) || !text_.open_link(row, tag_.number == tag::a)) return;
    link_depth_ = stack_.depth();
    page_.hrefs.push_back(tag_.value(attribute::href));
    page_.rels.push_back(plain_words(tag_.value(attribute::rel)));
  }

  // An element whose content is one piece of text up to its end tag.
  const char* raw_text(const char* at, uint32_t kinds) {
    uint16_t number = tag_.number;
    const char* close = number == tag::plaintext ? end_
                        : number == tag::script  ? script_end(at, end_)
                                                 : raw_end(at, end_, tag_rows[number].name);
    std::string_view content(at, static_cast<size_t>(close - at));
    if (!(kinds & unseen)) {
      push(false);
      add_text(at, close, false);
      pop();
    } else if (!stack_.last(tag::template_)) {
      if (number == tag::title) facts_.add("title", "", decoded(cut(content, longest_fact), false));
      if (number == tag::script && is_data(tag_.value(attribute::type)) && content.size() <= longest_data)
        facts_.add("json-ld", "", decoded(content, false, false), longest_data);
    }
    if (close == end_) return end_;
    close = read_attributes(close + 2 + tag_rows[number].name.size(), end_, tag_);
    return close ? close : end_;
  }

  static bool is_data(const std::string& type) {
    return same(first_word(trimmed(std::string_view(type).substr(0, type.find(';')))), "application/ld+json");
  }

  // ---- End tags ----

  void end(uint16_t number) {
    switch (number) {
      case tag::html:
      case tag::head:
      case tag::body: return;
      case tag::br:
        if (shown() && in_body_) text_.end_line();
        return;
      case tag::p:
        if (stack_.has(tag::p, of_button)) pop_to(tag::p);
        else end_run();
        return;
      case tag::li: return end_in(tag::li, of_list);
      case tag::h1:
      case tag::h2:
      case tag::h3:
      case tag::h4:
      case tag::h5:
      case tag::h6: return end_heading();
      case tag::form:
        in_form_ = false;
        if (stack_.top().number == tag::form) pop();
        return;
      case tag::template_:
        if (stack_.last(tag::template_)) pop_to(tag::template_);
        return;
      case tag::table:
      case tag::tbody:
      case tag::thead:
      case tag::tfoot:
      case tag::tr:
      case tag::td:
      case tag::th:
      case tag::caption: return end_in(number, of_table);
      case tag::a: text_.close_link(); break;
      default: break;
    }
    bool whole = kinds_of(number) & special || number == tag::dialog;
    end_in(number, whole ? of_scope : of_inline);
  }

  // Any end tag of a heading ends any heading.
  void end_heading() {
    uint16_t place = 0;
    for (uint16_t one : {tag::h1, tag::h2, tag::h3, tag::h4, tag::h5, tag::h6}) place = std::max(place, stack_.last(one));
    if (place && place >= stack_.barrier(of_scope)) pop_until(place);
  }

  void end_in(uint16_t number, Barrier barrier) {
    if (stack_.has(number, barrier)) pop_to(number);
  }

  void pop_to(uint16_t number) { pop_until(stack_.last(number)); }

  void pop_until(uint16_t place) {
    while (stack_.depth() >= place) pop();
  }

  void pop() {
    const Open& top = stack_.top();
    uint32_t kinds = kinds_of(top.number);
    if (!top.hidden) {
      if (kinds & block && !top.foreign) text_.end_run();
      if (top.fact >= 0) facts_.add_text(top.fact, text_since(top.text));
      if (top.own_row) text_.close_element(top.row);
    }
    // A link goes on behind the end of the paragraph it was opened in, but not behind that of a table cell.
    if (kinds & scope && text_.in_link() && link_depth_ >= stack_.depth()) text_.close_link();
    stack_.pop();
  }

  // Of a long text only the first part is looked at: many elements may have the same text.
  std::string_view text_since(size_t begin) const {
    std::string_view text = std::string_view(page_.text).substr(begin, text_.size() - begin);
    return without_blanks_before(cut(text, 2 * longest_item));
  }

  const char* at_;
  const char* end_;
  Page& page_;
  Text text_;
  Facts facts_;
  Stack stack_;
  Tag tag_ = {};
  size_t link_depth_ = 0;  // how many elements were open when the link began
  bool in_body_ = false, in_form_ = false;
};

}  // namespace

Page read(std::string_view source) {
  Page page;
  std::string mended;
  if (!is_utf8(source)) {
    mended = as_utf8(source);
    source = mended;
  }
  page.source_points = static_cast<int64_t>(count_points(source.data(), source.data() + source.size()));
  Reader(source, page).read();
  return page;
}

std::vector<std::string> tag_names() {
  std::vector<std::string> names;
  for (const TagRow& row : tag_rows) names.emplace_back(row.name);
  return names;
}

}  // namespace unquilt::html
