// Which elements are known, and what is so about each?
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace unquilt::html {

// What the tree has to know of an element; the words in capitals are those of the HTML standard.
enum : uint32_t {
  block = 1,           // begins and ends a run of text
  empty = 1 << 1,      // VOID: has no content and no end tag
  unseen = 1 << 2,     // nobody sees what is in it
  raw = 1 << 3,        // RAWTEXT: its content is text up to its end tag
  kept = 1 << 4,       // has a row among the elements, named or not
  gap = 1 << 5,        // a control or frame: stands between words
  special = 1 << 6,    // SPECIAL: an end tag of an inline element does not reach beyond it
  scope = 1 << 7,      // no end tag of a block element reaches beyond it
  closes_p = 1 << 8,   // its start tag ends an open paragraph
  in_head = 1 << 9,    // may stand in the head
  breaks_out = 1 << 10,  // its start tag ends an SVG or MathML element
  as_is = 1 << 11,     // white space counts as it is written
  hinge = 1 << 12,     // INTEGRATION POINT: an element of SVG or MathML that holds HTML
  heading = 1 << 13,
};

constexpr uint32_t box = block | special | closes_p;

#define UNQUILT_HTML_TAGS(TAG)                       \
  TAG("a", a, kept)                                  \
  TAG("abbr", abbr, kept)                            \
  TAG("acronym", acronym, 0)                         \
  TAG("address", address, box)                       \
  TAG("annotation", annotation, 0)                   \
  TAG("annotation-xml", annotation_xml, hinge)       \
  TAG("applet", applet, special | scope | unseen | gap) \
  TAG("area", area, special | empty)                 \
  TAG("article", article, box)                       \
  TAG("aside", aside, box)                           \
  TAG("audio", audio, unseen | gap)                  \
  TAG("b", b, breaks_out)                            \
  TAG("base", base, special | empty | in_head)       \
  TAG("basefont", basefont, special | empty | in_head) \
  TAG("bdi", bdi, 0)                                 \
  TAG("bdo", bdo, 0)                                 \
  TAG("bgsound", bgsound, special | empty | in_head) \
  TAG("big", big, breaks_out)                        \
  TAG("blockquote", blockquote, box | breaks_out)    \
  TAG("body", body, block | special | breaks_out)    \
  TAG("br", br, special | empty | breaks_out)        \
  TAG("button", button, block | special)             \
  TAG("canvas", canvas, unseen | gap)                \
  TAG("caption", caption, block | special | scope)   \
  TAG("center", center, box | breaks_out)            \
  TAG("cite", cite, 0)                               \
  TAG("code", code, breaks_out)                      \
  TAG("col", col, special | empty)                   \
  TAG("colgroup", colgroup, special)                 \
  TAG("data", data, 0)                               \
  TAG("datalist", datalist, unseen)                  \
  TAG("dd", dd, box | breaks_out)                    \
  TAG("del", del, 0)                                 \
  TAG("desc", desc, hinge)                           \
  TAG("details", details, box)                       \
  TAG("dfn", dfn, 0)                                 \
  TAG("dialog", dialog, block | closes_p)            \
  TAG("dir", dir, box)                               \
  TAG("div", div, box | breaks_out)                  \
  TAG("dl", dl, box | breaks_out)                    \
  TAG("dt", dt, box | breaks_out)                    \
  TAG("em", em, breaks_out)                          \
  TAG("embed", embed, special | empty | gap | breaks_out) \
  TAG("fieldset", fieldset, box)                     \
  TAG("figcaption", figcaption, box)                 \
  TAG("figure", figure, box)                         \
  TAG("font", font, 0)                               \
  TAG("footer", footer, box)                         \
  TAG("foreignobject", foreignobject, hinge)         \
  TAG("form", form, box)                             \
  TAG("frame", frame, special | empty)               \
  TAG("frameset", frameset, special)                 \
  TAG("h1", h1, box | heading | breaks_out)          \
  TAG("h2", h2, box | heading | breaks_out)          \
  TAG("h3", h3, box | heading | breaks_out)          \
  TAG("h4", h4, box | heading | breaks_out)          \
  TAG("h5", h5, box | heading | breaks_out)          \
  TAG("h6", h6, box | heading | breaks_out)          \
  TAG("head", head, special | in_head | breaks_out)  \
  TAG("header", header, box)                         \
  TAG("hgroup", hgroup, box)                         \
  TAG("hr", hr, box | empty | breaks_out)            \
  TAG("html", html, block | special | scope | in_head) \
  TAG("i", i, breaks_out)                            \
  TAG("iframe", iframe, special | raw | unseen | gap) \
  TAG("img", img, special | empty | breaks_out)      \
  TAG("input", input, special | empty | gap)         \
  TAG("ins", ins, 0)                                 \
  TAG("kbd", kbd, 0)                                 \
  TAG("keygen", keygen, special | empty | gap)       \
  TAG("label", label, 0)                             \
  TAG("legend", legend, block)                       \
  TAG("li", li, box | breaks_out)                    \
  TAG("link", link, special | empty | in_head)       \
  TAG("listing", listing, box | as_is | breaks_out)  \
  TAG("main", main, box)                             \
  TAG("map", map, 0)                                 \
  TAG("mark", mark, 0)                               \
  TAG("marquee", marquee, block | special | scope)   \
  TAG("math", math, 0)                               \
  TAG("menu", menu, box | breaks_out)                \
  TAG("meta", meta, special | empty | in_head | breaks_out) \
  TAG("meter", meter, unseen | gap)                  \
  TAG("mi", mi, hinge)                               \
  TAG("mn", mn, hinge)                               \
  TAG("mo", mo, hinge)                               \
  TAG("ms", ms, hinge)                               \
  TAG("mtext", mtext, hinge)                         \
  TAG("nav", nav, box)                               \
  TAG("nobr", nobr, breaks_out)                      \
  TAG("noembed", noembed, special | raw | unseen)    \
  TAG("noframes", noframes, special | raw | unseen | in_head) \
  TAG("noscript", noscript, special | raw | unseen | in_head) \
  TAG("object", object, special | scope | unseen | gap) \
  TAG("ol", ol, box | breaks_out)                    \
  TAG("optgroup", optgroup, block)                   \
  TAG("option", option, block)                       \
  TAG("output", output, 0)                           \
  TAG("p", p, box | breaks_out)                      \
  TAG("param", param, special | empty)               \
  TAG("picture", picture, 0)                         \
  TAG("plaintext", plaintext, box | raw | as_is)     \
  TAG("pre", pre, box | as_is | breaks_out)          \
  TAG("progress", progress, unseen | gap)            \
  TAG("q", q, 0)                                     \
  TAG("rb", rb, 0)                                   \
  TAG("rp", rp, unseen)                              \
  TAG("rt", rt, 0)                                   \
  TAG("rtc", rtc, 0)                                 \
  TAG("ruby", ruby, breaks_out)                      \
  TAG("s", s, breaks_out)                            \
  TAG("samp", samp, 0)                               \
  TAG("script", script, special | raw | unseen | in_head) \
  TAG("search", search, box)                         \
  TAG("section", section, box)                       \
  TAG("select", select, special | scope | unseen | gap) \
  TAG("slot", slot, 0)                               \
  TAG("small", small, breaks_out)                    \
  TAG("source", source, special | empty)             \
  TAG("span", span, breaks_out)                      \
  TAG("strike", strike, breaks_out)                  \
  TAG("strong", strong, breaks_out)                  \
  TAG("style", style, special | raw | unseen | in_head) \
  TAG("sub", sub, breaks_out)                        \
  TAG("summary", summary, box)                       \
  TAG("sup", sup, breaks_out)                        \
  TAG("svg", svg, unseen)                            \
  TAG("table", table, block | special | scope | closes_p | breaks_out) \
  TAG("tbody", tbody, block | special)               \
  TAG("td", td, block | special | scope)             \
  TAG("template", template_, special | scope | unseen | in_head) \
  TAG("textarea", textarea, special | raw | unseen | gap) \
  TAG("tfoot", tfoot, block | special)               \
  TAG("th", th, block | special | scope)             \
  TAG("thead", thead, block | special)               \
  TAG("time", time, kept)                            \
  TAG("title", title, special | raw | unseen | in_head | hinge) \
  TAG("tr", tr, block | special)                     \
  TAG("track", track, special | empty)               \
  TAG("tt", tt, breaks_out)                          \
  TAG("u", u, breaks_out)                            \
  TAG("ul", ul, box | breaks_out)                    \
  TAG("var", var, breaks_out)                        \
  TAG("video", video, unseen | gap)                  \
  TAG("wbr", wbr, special | empty)                   \
  TAG("xmp", xmp, box | raw | as_is)

// Numbers of the elements: tag::a, tag::abbr ... Number 0 is any element that is not listed.
namespace tag {
enum : uint16_t {
  other,
#define UNQUILT_ONE(name, word, kinds) word,
  UNQUILT_HTML_TAGS(UNQUILT_ONE)
#undef UNQUILT_ONE
      count
};
}  // namespace tag

struct TagRow {
  std::string_view name;
  uint32_t kinds;
};

inline constexpr TagRow tag_rows[] = {
    {"", 0},
#define UNQUILT_ONE(name, word, kinds) {name, kinds},
    UNQUILT_HTML_TAGS(UNQUILT_ONE)
#undef UNQUILT_ONE
};

constexpr size_t longest_tag = 16;

inline uint32_t kinds_of(uint16_t number) { return number < tag::count ? tag_rows[number].kinds : 0; }

// Finds an element's number by its name in small letters.
class TagIndex {
 public:
  constexpr TagIndex() {
    for (uint16_t number = 1; number < tag::count; number++) {
      size_t at = place(tag_rows[number].name);
      while (slots_[at]) at = (at + 1) % size;
      slots_[at] = number;
    }
  }
  uint16_t find(std::string_view name) const {
    for (size_t at = place(name); slots_[at]; at = (at + 1) % size)
      if (tag_rows[slots_[at]].name == name) return slots_[at];
    return tag::other;
  }

 private:
  static constexpr size_t size = 1024;
  static constexpr size_t place(std::string_view name) {
    uint32_t hash = 2166136261u;
    for (char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
    return (hash ^ (hash >> 15)) % size;
  }
  uint16_t slots_[size] = {};
};

inline constexpr TagIndex tag_index;

}  // namespace unquilt::html
