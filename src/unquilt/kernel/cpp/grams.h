// Grams, blocks, leaves, lists: see docs/kernels.md for what each kernel computes.
#pragma once
#include <cstddef>
#include <cstdint>

namespace unquilt {

// Memory a kernel works in. It is kept between calls, so that calls of a few MB do not pay for page faults.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { give_back(); }

  // At least `bytes`, 64-byte aligned; what was there before is lost.
  void* room(size_t bytes);
  // At least `bytes`, 64-byte aligned; the first `used` bytes stay.
  void* grow(size_t bytes, size_t used);
  const void* data() const { return data_; }
  size_t size() const { return size_; }
  void give_back();

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

// The buffers of one thread. Each name has one use at a time.
struct Scratch {
  Buffer words;    // the words of one page
  Buffer grams;    // the grams of one page
  Buffer table;    // open-addressing tables
  Buffer rows;     // the distinct grams of all pages; the runs of a part
  Buffer starts;   // where each page's distinct grams start
  Buffer counts;   // how many rows go where
  Buffer places;   // where the next row of each part goes
  Buffer keys;     // the leaf being sorted
  Buffer values;   // the same
  Buffer merge;    // merge sort

  // Frees everything if it has become large.
  void cap();
};

// Pages that are cut into parts: page i has the number first + i and grams[starts[i]..starts[i + 1]), and gives
// rows if keep[i] is not 0. counts[window << bits | part] is the number of rows of a sub-block.
struct PartedPages {
  const uint64_t* grams;
  const int64_t* starts;
  const uint8_t* keep;
  size_t pages;
  uint64_t first;
  unsigned bits;
};

// The (gram, page) pairs of one part, as its sub-blocks hold them. They must be well formed.
struct PartRows {
  const uint64_t* rows;
  size_t size;
  size_t pairs;
  uint64_t part;
  unsigned bits;
  bool ascending;  // each sub-block's pages come behind those of the one before
};

struct Lists {
  const int64_t* weights;
  const int64_t* starts;
  const int64_t* pages;
  size_t lists;
  const int32_t* group;
  size_t pages_with_group;
  size_t groups;
};

enum class Overlap { done, page_without_group, group_out_of_range };

// What a SIMD level does with grams.
struct GramFunctions {
  // The grams of one page of n words, n >= k: n - k + 1 of them.
  void (*page_grams)(const uint64_t* words, size_t n, unsigned k, uint64_t* out);
  // The different ones among n grams, each where it first occurs; gives their number. `out` has room for n.
  size_t (*page_distinct)(const uint64_t* grams, size_t n, uint64_t* out, Scratch& scratch);

  // Fills counts, one number for each window and part.
  void (*count_rows)(const PartedPages& pages, uint64_t* counts);
  // Writes the sub-blocks; parts[p] is where part p starts.
  void (*write_rows)(const PartedPages& pages, const uint64_t* counts, const int64_t* parts, uint64_t* rows,
                     Scratch& scratch);
  // Words, grams and distinct grams of the kept pages, the last in scratch.rows, and the counts. Gives the
  // number of distinct grams; starts[i] is where those of page i start, words[i] its number of words.
  size_t (*text_grams)(const uint8_t* text, const int64_t* offsets, const uint8_t* keep, size_t pages, unsigned k,
                       unsigned bits, int64_t* starts, int64_t* words, uint64_t* counts, Scratch& scratch);

  // Sorts the pairs of a part by gram, then page.
  void (*sort_rows)(const PartRows& part, uint64_t* grams, int64_t* pages, Scratch& scratch);
  // Adds to counts[1..limit + 1]; false if the grams fall.
  bool (*count_frequencies)(const uint64_t* grams, size_t n, size_t limit, int64_t* counts);

  // Are (gram, page) sorted without repetition, and no page negative?
  bool (*is_sorted)(const uint64_t* grams, const int64_t* pages, size_t n);
  // Finds the different lists, kept in scratch; gives their number and the pages in all of them.
  void (*find_lists)(const uint64_t* grams, const int64_t* pages, size_t n, size_t limit, Scratch& scratch,
                     size_t* lists, size_t* members);
  // Writes what find_lists found: `lists` of them.
  void (*write_lists)(const int64_t* pages, size_t lists, const Scratch& scratch, uint64_t* hashes,
                      int64_t* weights, int64_t* starts, int64_t* members);

  // Adds to repeated and foreign; leaves the pairs of groups in scratch.rows, sorted.
  Overlap (*overlap)(const Lists& lists, int64_t* repeated, int64_t* foreign, Scratch& scratch, size_t* pairs);
  void (*write_pairs)(size_t pairs, const Scratch& scratch, int32_t* a, int32_t* b, int64_t* weight);
};

}  // namespace unquilt
