// The words of a page: see docs/words.md for the rules and docs/kernels.md for the hashes.
#pragma once
#include <cstddef>
#include <cstdint>

namespace unquilt {

constexpr int words_version = 1;

// A page of n bytes has at most this many words. Two neighbouring words without a byte between them
// need one that begins with a CJK or South East Asian character, which takes three bytes or more. So if
// s words are shorter than three bytes and b words are not, at least s - 1 - b pairs of short neighbours
// have a separator between them, and n >= s + 3b + (s - 1 - b) = 2(s + b) - 1.
constexpr size_t most_words(size_t bytes) { return bytes / 2 + (bytes & 1); }

// What a SIMD level does with words. Both give the number of words, never read beyond text + size, and want room
// for most_words(size) entries in each array they write.
struct WordFunctions {
  size_t (*page_words)(const uint8_t* text, size_t size, uint64_t* words);
  // Also where each word stands: half open, in code points of the page's text.
  size_t (*page_spans)(const uint8_t* text, size_t size, uint64_t* words, int64_t* begin, int64_t* end);
};

// What docs/words.md says of each code point (words_table.h). The kind of code point c is
// words_second[(words_first[c >> words_shift] << words_shift) + the low bits of c]; the lowest three bits of
// words_kinds[kind] are its class, the others what folding adds to c.
constexpr int words_shift = 7;
extern const uint8_t words_first[];
extern const uint8_t words_second[];
extern const int32_t words_kinds[];

// Inside each level's namespace, for the other kernels of that level:
//   static size_t page_words(const uint8_t* text, size_t size, uint64_t* words);

}  // namespace unquilt
