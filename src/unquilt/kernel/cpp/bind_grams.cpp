// The kernels from grams to overlap for Python: checks, outputs, and the interpreter's lock released in between.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "arrays.h"
#include "grams.h"
#include "level.h"

namespace nb = nanobind;

namespace unquilt {

// --- scratch ---------------------------------------------------------------------------------------

namespace {

constexpr size_t line_bytes = 64;
constexpr size_t kept_bytes = size_t{64} << 20;

// Asks for large pages where memory is large, as numpy does: to touch 4 KB for the first time can cost as much as to
// sort the 500 rows in it.
void prefer_large_pages([[maybe_unused]] void* data, [[maybe_unused]] size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr uintptr_t page = 4096;
  constexpr size_t large = size_t{4} << 20;
  if (bytes < large) return;
  uintptr_t from = (reinterpret_cast<uintptr_t>(data) + page - 1) / page * page;
  uintptr_t to = (reinterpret_cast<uintptr_t>(data) + bytes) / page * page;
  madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);  // advice: nothing is lost if it fails
#endif
}

template <class T> void resize(Output<T>& output, size_t size) {
  output.resize(size);
  prefer_large_pages(output.data(), size * sizeof(T));
}

void* allocate(size_t bytes) {
  if (bytes > SIZE_MAX - line_bytes) throw std::bad_alloc();
  size_t lines = (bytes + line_bytes - 1) / line_bytes * line_bytes;
#if defined(_WIN32)
  void* data = _aligned_malloc(lines, line_bytes);
#else
  void* data = std::aligned_alloc(line_bytes, lines);
#endif
  if (!data) throw std::bad_alloc();
  prefer_large_pages(data, lines);
  return data;
}

void release(void* data) {
#if defined(_WIN32)
  _aligned_free(data);
#else
  std::free(data);
#endif
}

}  // namespace

void* Buffer::room(size_t bytes) {
  if (bytes <= size_ && data_) return data_;
  give_back();
  size_t wanted = bytes ? bytes : line_bytes;
  data_ = allocate(wanted);
  size_ = wanted;
  return data_;
}

void* Buffer::grow(size_t bytes, size_t used) {
  if (bytes <= size_ && data_) return data_;
  void* larger = allocate(bytes ? bytes : line_bytes);
  if (used) std::memcpy(larger, data_, used);
  release(data_);
  data_ = larger;
  size_ = bytes ? bytes : line_bytes;
  return data_;
}

void Buffer::give_back() {
  if (data_) release(data_);
  data_ = nullptr;
  size_ = 0;
}

void Scratch::cap() {
  Buffer* all[] = {&words, &grams, &table, &rows, &starts, &counts, &places, &keys, &values, &merge};
  size_t bytes = 0;
  for (Buffer* buffer : all) bytes += buffer->size();
  if (bytes <= kept_bytes) return;
  for (Buffer* buffer : all) buffer->give_back();
}

// --- bindings --------------------------------------------------------------------------------------

namespace {

// This thread's scratch for the time of a call.
class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() { scratch_.cap(); }
  Scratch& operator*() { return scratch_; }
  Scratch* operator->() { return &scratch_; }

 private:
  static thread_local Scratch scratch_;
};
thread_local Scratch Work::scratch_;

const GramFunctions& kernels() { return *level().grams; }

// A whole number from `least` to `most`.
int64_t integer(nb::handle object, const char* kernel, const char* name, int64_t least, int64_t most) {
  nb::object number = nb::steal(PyNumber_Index(object.ptr()));
  if (!number) {
    PyErr_Clear();
    throw nb::type_error((std::string(kernel) + ": `" + name + "` is of type " +
                          nb::type_name(object.type()).c_str() + "; pass a whole number").c_str());
  }
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow || value < least || value > most)
    wrong_value(kernel, std::string("`") + name + "` is " + nb::str(number).c_str() + "; pass a number from " +
                            std::to_string(least) + " to " + std::to_string(most));
  return value;
}

constexpr int64_t most_bits = 16;
constexpr int64_t most_k = 64;

size_t piece(const Input<int64_t>& starts, size_t i) { return static_cast<size_t>(starts[i + 1] - starts[i]); }

const uint8_t* bytes_of(const Input<Bool>& keep) { return reinterpret_cast<const uint8_t*>(keep.data); }

void same_size(const char* kernel, const char* a, size_t size_a, const char* b, size_t size_b) {
  if (size_a != size_b)
    wrong_value(kernel, std::string("`") + a + "` has " + std::to_string(size_a) + " entries and `" + b + "` " +
                            std::to_string(size_b) + "; pass as many of both");
}

nb::tuple grams(nb::handle words_array, nb::handle starts_array, nb::handle k_number) {
  auto words = input<uint64_t>(words_array, "grams", "words");
  auto starts = input<int64_t>(starts_array, "grams", "starts");
  size_t pages = check_offsets(starts, words.size, "grams", "starts", "words");
  auto k = static_cast<unsigned>(integer(k_number, "grams", "k", 1, most_k));
  Output<int64_t> out_starts(pages + 1);
  Output<uint64_t> out;
  {
    nb::gil_scoped_release unlocked;
    int64_t total = 0;
    for (size_t i = 0; i < pages; i++) {
      out_starts[i] = total;
      if (piece(starts, i) >= k) total += static_cast<int64_t>(piece(starts, i) - k + 1);
    }
    out_starts[pages] = total;
    resize(out, static_cast<size_t>(total));
    for (size_t i = 0; i < pages; i++)
      if (piece(starts, i) >= k)
        kernels().page_grams(words.data + starts[i], piece(starts, i), k, out.data() + out_starts[i]);
  }
  return nb::make_tuple(out.to_numpy(), out_starts.to_numpy());
}

nb::tuple distinct(nb::handle grams_array, nb::handle starts_array) {
  auto grams = input<uint64_t>(grams_array, "distinct", "grams");
  auto starts = input<int64_t>(starts_array, "distinct", "starts");
  size_t pages = check_offsets(starts, grams.size, "distinct", "starts", "grams");
  Output<int64_t> out_starts(pages + 1);
  Output<uint64_t> out;
  {
    nb::gil_scoped_release unlocked;
    Work work;
    resize(out, static_cast<size_t>(starts[pages] - starts[0]));
    size_t found = 0;
    for (size_t i = 0; i < pages; i++) {
      out_starts[i] = static_cast<int64_t>(found);
      found += kernels().page_distinct(grams.data + starts[i], piece(starts, i), out.data() + found, *work);
    }
    out_starts[pages] = static_cast<int64_t>(found);
    out.resize(found);
  }
  return nb::make_tuple(out.to_numpy(), out_starts.to_numpy());
}

// How many counts blocks of so many pages have: one for each part of each window.
size_t count_of(size_t pages, unsigned bits) {
  size_t window = size_t{1} << bits;
  return (pages + window - 1) / window * window;
}

uint64_t* zero_counts(size_t count, Scratch& scratch) {
  auto* counts = static_cast<uint64_t*>(scratch.counts.room(count * sizeof(uint64_t)));
  std::memset(counts, 0, count * sizeof(uint64_t));
  return counts;
}

// Where each part starts; the last entry is the number of all words of all parts.
void find_parts(const uint64_t* counts, size_t count, unsigned bits, int64_t* parts) {
  size_t window = size_t{1} << bits;
  std::memset(parts, 0, (window + 1) * sizeof(int64_t));
  for (size_t i = 0; i < count; i++)
    if (counts[i]) parts[(i & (window - 1)) + 1] += static_cast<int64_t>(counts[i] + 2);
  for (size_t p = 0; p < window; p++) parts[p + 1] += parts[p];
}

nb::tuple blocks(nb::handle grams_array, nb::handle starts_array, nb::handle first_number, nb::handle keep_array,
                 nb::handle bits_number) {
  auto grams = input<uint64_t>(grams_array, "blocks", "grams");
  auto starts = input<int64_t>(starts_array, "blocks", "starts");
  size_t pages = check_offsets(starts, grams.size, "blocks", "starts", "grams");
  auto keep = input<Bool>(keep_array, "blocks", "keep");
  same_size("blocks", "keep", keep.size, "starts[1:]", pages);
  int64_t first = integer(first_number, "blocks", "first", 0, INT64_MAX - static_cast<int64_t>(pages));
  auto bits = static_cast<unsigned>(integer(bits_number, "blocks", "bits", 0, most_bits));
  Output<int64_t> parts((size_t{1} << bits) + 1);
  Output<uint64_t> rows;
  {
    nb::gil_scoped_release unlocked;
    Work work;
    PartedPages parted = {grams.data, starts.data, bytes_of(keep), pages, static_cast<uint64_t>(first), bits};
    size_t count = count_of(pages, bits);
    uint64_t* counts = zero_counts(count, *work);
    kernels().count_rows(parted, counts);
    find_parts(counts, count, bits, parts.data());
    resize(rows, static_cast<size_t>(parts[parts.size() - 1]));
    kernels().write_rows(parted, counts, parts.data(), rows.data(), *work);
  }
  return nb::make_tuple(rows.to_numpy(), parts.to_numpy());
}

nb::tuple gram_blocks(nb::handle text_array, nb::handle offsets_array, nb::handle first_number,
                      nb::handle keep_array, nb::handle k_number, nb::handle bits_number) {
  auto text = input<uint8_t>(text_array, "gram_blocks", "text");
  auto offsets = input<int64_t>(offsets_array, "gram_blocks", "offsets");
  size_t pages = check_offsets(offsets, text.size, "gram_blocks", "offsets", "text");
  auto keep = input<Bool>(keep_array, "gram_blocks", "keep");
  same_size("gram_blocks", "keep", keep.size, "offsets[1:]", pages);
  int64_t first = integer(first_number, "gram_blocks", "first", 0, INT64_MAX - static_cast<int64_t>(pages));
  auto k = static_cast<unsigned>(integer(k_number, "gram_blocks", "k", 1, most_k));
  auto bits = static_cast<unsigned>(integer(bits_number, "gram_blocks", "bits", 0, most_bits));
  Output<int64_t> parts((size_t{1} << bits) + 1), words(pages), found(pages);
  Output<uint64_t> rows;
  {
    nb::gil_scoped_release unlocked;
    Work work;
    size_t count = count_of(pages, bits);
    uint64_t* counts = zero_counts(count, *work);
    auto* starts = static_cast<int64_t*>(work->starts.room((pages + 1) * sizeof(int64_t)));
    kernels().text_grams(text.data, offsets.data, bytes_of(keep), pages, k, bits, starts, words.data(), counts, *work);
    for (size_t i = 0; i < pages; i++) found[i] = starts[i + 1] - starts[i];
    find_parts(counts, count, bits, parts.data());
    resize(rows, static_cast<size_t>(parts[parts.size() - 1]));
    PartedPages parted = {static_cast<const uint64_t*>(work->rows.data()), starts, bytes_of(keep), pages,
                          static_cast<uint64_t>(first), bits};
    kernels().write_rows(parted, counts, parts.data(), rows.data(), *work);
  }
  return nb::make_tuple(rows.to_numpy(), parts.to_numpy(), words.to_numpy(), found.to_numpy());
}

// Walks the headers of a part's sub-blocks and raises ValueError where one is wrong.
PartRows check_rows(const Input<uint64_t>& rows, int64_t part, unsigned bits) {
  PartRows found = {rows.data, rows.size, 0, static_cast<uint64_t>(part), bits, true};
  const uint64_t last_first = static_cast<uint64_t>(INT64_MAX) - ((uint64_t{1} << bits) - 1);
  uint64_t end = 0;  // of the pages of the sub-block before
  for (size_t at = 0; at < rows.size;) {
    const auto where = [&] { return "the sub-block at index " + std::to_string(at) + " of `rows` "; };
    if (rows.size - at < 2) wrong_value("leaf_sort", where() + "has no second header word; pass whole sub-blocks");
    uint64_t first = rows[at], count = rows[at + 1];
    if (count > rows.size - at - 2)
      wrong_value("leaf_sort", where() + "says it has " + std::to_string(count) + " rows, but " +
                                   std::to_string(rows.size - at - 2) + " are left; pass whole sub-blocks");
    if (first > last_first)
      wrong_value("leaf_sort", where() + "starts at page " + std::to_string(first) + ", which is too large");
    if (first < end) found.ascending = false;
    end = first + (uint64_t{1} << bits);
    found.pairs += static_cast<size_t>(count);
    at += 2 + static_cast<size_t>(count);
  }
  return found;
}

nb::tuple leaf_sort(nb::handle rows_array, nb::handle part_number, nb::handle bits_number) {
  auto rows = input<uint64_t>(rows_array, "leaf_sort", "rows");
  auto bits = static_cast<unsigned>(integer(bits_number, "leaf_sort", "bits", 0, most_bits));
  int64_t part = integer(part_number, "leaf_sort", "part", 0, (int64_t{1} << bits) - 1);
  PartRows checked = check_rows(rows, part, bits);
  Output<uint64_t> grams;
  Output<int64_t> pages;
  {
    nb::gil_scoped_release unlocked;
    Work work;
    resize(grams, checked.pairs);
    resize(pages, checked.pairs);
    kernels().sort_rows(checked, grams.data(), pages.data(), *work);
  }
  return nb::make_tuple(grams.to_numpy(), pages.to_numpy());
}

nb::object frequencies(nb::handle grams_array, nb::handle limit_number) {
  auto grams = input<uint64_t>(grams_array, "frequencies", "grams");
  auto limit = static_cast<size_t>(integer(limit_number, "frequencies", "limit", 1, INT64_MAX / 16));
  Output<int64_t> counts(limit + 2);
  bool sorted;
  {
    nb::gil_scoped_release unlocked;
    std::memset(counts.data(), 0, counts.size() * sizeof(int64_t));
    sorted = kernels().count_frequencies(grams.data, grams.size, limit, counts.data());
  }
  if (!sorted) wrong_value("frequencies", "`grams` falls; pass sorted grams");
  return counts.to_numpy();
}

nb::tuple posting_lists(nb::handle grams_array, nb::handle pages_array, nb::handle limit_number) {
  auto grams = input<uint64_t>(grams_array, "posting_lists", "grams");
  auto pages = input<int64_t>(pages_array, "posting_lists", "pages");
  same_size("posting_lists", "grams", grams.size, "pages", pages.size);
  auto limit = static_cast<size_t>(integer(limit_number, "posting_lists", "limit", 2, INT64_MAX));
  Output<uint64_t> hashes;
  Output<int64_t> weights, starts, members;
  bool sorted;
  {
    nb::gil_scoped_release unlocked;
    Work work;
    sorted = kernels().is_sorted(grams.data, pages.data, grams.size);
    if (sorted) {
      size_t lists = 0, total = 0;
      kernels().find_lists(grams.data, pages.data, grams.size, limit, *work, &lists, &total);
      resize(hashes, lists);
      resize(weights, lists);
      resize(starts, lists + 1);
      resize(members, total);
      kernels().write_lists(pages.data, lists, *work, hashes.data(), weights.data(), starts.data(), members.data());
    }
  }
  if (!sorted)
    wrong_value("posting_lists",
                "(gram, page) are not sorted, come twice, or have a negative page; pass what `leaf_sort` gives");
  return nb::make_tuple(hashes.to_numpy(), weights.to_numpy(), starts.to_numpy(), members.to_numpy());
}

nb::tuple overlap(nb::handle weights_array, nb::handle starts_array, nb::handle pages_array, nb::handle group_array,
                  nb::handle groups_number) {
  auto weights = input<int64_t>(weights_array, "overlap", "weights");
  auto starts = input<int64_t>(starts_array, "overlap", "starts");
  auto pages = input<int64_t>(pages_array, "overlap", "pages");
  size_t lists = check_offsets(starts, pages.size, "overlap", "starts", "pages");
  same_size("overlap", "weights", weights.size, "starts[1:]", lists);
  auto group = input<int32_t>(group_array, "overlap", "group");
  auto groups = static_cast<size_t>(integer(groups_number, "overlap", "groups", 0, int64_t{INT32_MAX} + 1));
  Output<int64_t> repeated(groups), foreign(groups), weight;
  Output<int32_t> a, b;
  Overlap fault;
  {
    nb::gil_scoped_release unlocked;
    Work work;
    std::fill_n(repeated.data(), groups, int64_t{0});
    std::fill_n(foreign.data(), groups, int64_t{0});
    Lists given = {weights.data, starts.data, pages.data, lists, group.data, group.size, groups};
    size_t pairs = 0;
    fault = kernels().overlap(given, repeated.data(), foreign.data(), *work, &pairs);
    if (fault == Overlap::done) {
      resize(a, pairs);
      resize(b, pairs);
      resize(weight, pairs);
      kernels().write_pairs(pairs, *work, a.data(), b.data(), weight.data());
    }
  }
  if (fault == Overlap::page_without_group)
    wrong_value("overlap", "`pages` has a number outside `group`, which has " + std::to_string(group.size) +
                               " entries; pass a group for every page");
  if (fault == Overlap::group_out_of_range)
    wrong_value("overlap", "`group` has a number that is neither -1 nor below `groups`, which is " +
                               std::to_string(groups) + "; number the groups from 0");
  return nb::make_tuple(repeated.to_numpy(), foreign.to_numpy(), a.to_numpy(), b.to_numpy(), weight.to_numpy());
}

}  // namespace
}  // namespace unquilt

void bind_grams(nb::module_& m) {
  using namespace unquilt;
  using nb::arg;
  m.def("grams", grams, arg("words").none(), arg("starts").none(), arg("k").none());
  m.def("distinct", distinct, arg("grams").none(), arg("starts").none());
  m.def("blocks", blocks, arg("grams").none(), arg("starts").none(), arg("first").none(), arg("keep").none(),
        arg("bits").none());
  m.def("gram_blocks", gram_blocks, arg("text").none(), arg("offsets").none(), arg("first").none(),
        arg("keep").none(), arg("k").none(), arg("bits").none());
  m.def("leaf_sort", leaf_sort, arg("rows").none(), arg("part").none(), arg("bits").none());
  m.def("frequencies", frequencies, arg("grams").none(), arg("limit").none());
  m.def("posting_lists", posting_lists, arg("grams").none(), arg("pages").none(), arg("limit").none());
  m.def("overlap", overlap, arg("weights").none(), arg("starts").none(), arg("pages").none(), arg("group").none(),
        arg("groups").none());
}
