// `words`, `spans` and `fingerprints` for Python: checks, outputs, and the interpreter's lock released in between.
#include <nanobind/nanobind.h>

#include "arrays.h"
#include "level.h"
#include "words.h"
#include "words_table.h"

namespace nb = nanobind;
using namespace unquilt;

namespace {

// The pages of a call: page i is text[offsets[i], offsets[i+1]).
struct Pages {
  Input<uint8_t> text;
  Input<int64_t> offsets;
  size_t count;

  Pages(nb::handle text_array, nb::handle offsets_array, const char* kernel)
      : text(input<uint8_t>(text_array, kernel, "text")),
        offsets(input<int64_t>(offsets_array, kernel, "offsets")),
        count(check_offsets(offsets, text.size, kernel, "offsets", "text")) {}

  const uint8_t* page(size_t i) const { return text.data + offsets[i]; }
  size_t size(size_t i) const { return offsets[i + 1] - offsets[i]; }
  // A guess, so that outputs seldom have to move while they grow.
  size_t likely_words() const { return (offsets[count] - offsets[0]) / 5; }
};

nb::tuple words(nb::handle text, nb::handle offsets) {
  Pages pages(text, offsets, "words");
  Output<uint64_t> found;
  Output<int64_t> starts(pages.count + 1);
  found.make_room(pages.likely_words());
  {
    nb::gil_scoped_release unlocked;
    starts[0] = 0;
    for (size_t i = 0; i < pages.count; i++) {
      uint64_t* room = found.make_room(most_words(pages.size(i)));
      found.grow(level().words->page_words(pages.page(i), pages.size(i), room));
      starts[i + 1] = found.size();
    }
  }
  return nb::make_tuple(found.to_numpy(), starts.to_numpy());
}

nb::tuple spans(nb::handle text, nb::handle offsets) {
  Pages pages(text, offsets, "spans");
  Output<uint64_t> found;
  Output<int64_t> starts(pages.count + 1), begin, end;
  found.make_room(pages.likely_words());
  begin.make_room(pages.likely_words());
  end.make_room(pages.likely_words());
  {
    nb::gil_scoped_release unlocked;
    starts[0] = 0;
    for (size_t i = 0; i < pages.count; i++) {
      size_t most = most_words(pages.size(i));
      size_t count = level().words->page_spans(pages.page(i), pages.size(i), found.make_room(most),
                                               begin.make_room(most), end.make_room(most));
      found.grow(count);
      begin.grow(count);
      end.grow(count);
      starts[i + 1] = found.size();
    }
  }
  return nb::make_tuple(found.to_numpy(), starts.to_numpy(), begin.to_numpy(), end.to_numpy());
}

uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9;
  x ^= x >> 27;
  x *= 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

void fingerprint(const uint64_t* words, size_t count, uint64_t* halves) {
  uint64_t a = mix(1), b = mix(2);
  for (size_t i = 0; i < count; i++) {
    a = mix(a ^ words[i]) + 0x9E3779B97F4A7C15;
    b = mix(b ^ words[i]) + 0x9E3779B97F4A7C15;
  }
  halves[0] = mix(a ^ count);
  halves[1] = mix(b ^ count);
}

nb::object fingerprints(nb::handle words_array, nb::handle starts_array) {
  auto words = input<uint64_t>(words_array, "fingerprints", "words");
  auto starts = input<int64_t>(starts_array, "fingerprints", "starts");
  size_t count = check_offsets(starts, words.size, "fingerprints", "starts", "words");
  Output<uint64_t> halves(2 * count);
  {
    nb::gil_scoped_release unlocked;
    for (size_t i = 0; i < count; i++)
      fingerprint(words.data + starts[i], starts[i + 1] - starts[i], &halves[2 * i]);
  }
  return halves.to_numpy();
}

}  // namespace

void bind_words(nb::module_& m) {
  using nb::arg;
  m.attr("WORDS_VERSION") = words_version;
  m.def("words", words, arg("text").none(), arg("offsets").none(),
        "Give (words, starts): the hashes of the words of the pages text[offsets[i]:offsets[i+1]].");
  m.def("spans", spans, arg("text").none(), arg("offsets").none(),
        "Give (words, starts, begin, end): also where each word stands, in code points of its page.");
  m.def("fingerprints", fingerprints, arg("words").none(), arg("starts").none(),
        "Give two numbers a page, equal on pages with the same words in the same order.");
}
