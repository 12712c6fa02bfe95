// The boundary between numpy and the kernels: what comes in is checked here, what goes out is owned by
// the array that carries it. Errors are one sentence: thing, fact, remedy.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace unquilt {

namespace nb = nanobind;

// An element of a bool array. Such an array is read as bytes: one that is neither 0 nor 1
// would be undefined behaviour as a C++ bool.
struct Bool {
  uint8_t byte;
  explicit operator bool() const { return byte != 0; }
};

// numpy's name of an element type.
template <class T> struct Dtype;
template <> struct Dtype<uint8_t> { static constexpr const char* name = "uint8"; };
template <> struct Dtype<int32_t> { static constexpr const char* name = "int32"; };
template <> struct Dtype<int64_t> { static constexpr const char* name = "int64"; };
template <> struct Dtype<uint64_t> { static constexpr const char* name = "uint64"; };
template <> struct Dtype<Bool> { static constexpr const char* name = "bool"; };

template <class T> bool has_dtype(nb::dlpack::dtype dtype) {
  if constexpr (std::is_same_v<T, Bool>) return dtype == nb::dtype<bool>();
  else return dtype == nb::dtype<T>();
}

// What a kernel reads: `data[0..size)`, kept alive by `array`.
template <class T> struct Input {
  const T* data = nullptr;
  size_t size = 0;
  nb::ndarray<nb::ro> array;

  const T& operator[](size_t i) const { return data[i]; }
  const T* begin() const { return data; }
  const T* end() const { return data + size; }
};

// Raises TypeError: "words: `text` is an array of int8; pass ...".
[[noreturn]] inline void wrong_type(const char* kernel, const char* name, const char* dtype, const std::string& fact) {
  std::string thing = std::string(kernel) + ": `" + name + "` is " + fact;
  throw nb::type_error((thing + "; pass a one-dimensional, C-contiguous numpy array of " + dtype).c_str());
}

// Raises ValueError: "words: `offsets` falls at index 3; it must never fall".
[[noreturn]] inline void wrong_value(const char* kernel, const std::string& sentence) {
  throw nb::value_error((std::string(kernel) + ": " + sentence).c_str());
}

// Checks that `object` is an array as docs/kernels.md wants it, and gives its elements.
template <class T> Input<T> input(nb::handle object, const char* kernel, const char* name) {
  auto refuse = [=](const std::string& fact) { wrong_type(kernel, name, Dtype<T>::name, fact); };
  if (!nb::isinstance(object, nb::module_::import_("numpy").attr("ndarray")))
    refuse(std::string("of type ") + nb::type_name(object.type()).c_str());
  nb::object dtype = object.attr("dtype"), flags = object.attr("flags");
  std::string dtype_name = nb::str(nb::handle(dtype)).c_str();  // names a foreign byte order too
  size_t dimensions = nb::cast<size_t>(object.attr("ndim"));
  if (dtype_name != Dtype<T>::name) refuse("an array of " + dtype_name);
  if (dimensions != 1) refuse("an array of " + std::to_string(dimensions) + " dimensions");
  if (!nb::cast<bool>(flags.attr("c_contiguous"))) refuse("not contiguous");
  if (!nb::cast<bool>(flags.attr("aligned"))) refuse("not aligned in memory");
  Input<T> in;
  if (!nb::try_cast(object, in.array) || !has_dtype<T>(in.array.dtype()) || in.array.ndim() != 1)
    refuse("not readable as an array");
  in.data = static_cast<const T*>(in.array.data());
  in.size = in.array.size();
  return in;
}

// Checks offsets into the `size` elements of the array called `of`: at least one, from 0 or more, never falling,
// none beyond `size`. Gives the number of pieces.
inline size_t check_offsets(const Input<int64_t>& offsets, size_t size, const char* kernel, const char* name,
                            const char* of) {
  std::string thing = std::string("`") + name + "` ";
  if (offsets.size == 0) wrong_value(kernel, thing + "is empty; it needs one entry more than there are pages or lists");
  if (offsets[0] < 0) wrong_value(kernel, thing + "starts below zero; it must start at 0 or more");
  for (size_t i = 1; i < offsets.size; i++)
    if (offsets[i] < offsets[i - 1])
      wrong_value(kernel, thing + "falls at index " + std::to_string(i) + "; it must never fall");
  int64_t last = offsets[offsets.size - 1];
  if (static_cast<uint64_t>(last) > size)
    wrong_value(kernel, thing + "ends at " + std::to_string(last) + ", beyond the " + std::to_string(size) +
                            " elements of `" + of + "`; it must end there or before");
  return offsets.size - 1;
}

// A growing array that a numpy array can take over. Plain elements only. Its memory comes from malloc, so
// that growing moves pages instead of bytes where the system can, and unused room costs nothing.
template <class T> class Output {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Output() = default;
  explicit Output(size_t size) { resize(size); }
  Output(Output&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        room_(std::exchange(other.room_, 0)) {}
  Output& operator=(Output&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    return *this;
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() { std::free(data_); }

  T* data() { return data_; }
  T* end() { return data_ + size_; }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }

  // Makes room for `more` elements behind those there are, and gives the place of the first.
  T* make_room(size_t more) {
    if (more > room_ - size_) reserve(more > room_ / 2 ? size_ + more : room_ + room_ / 2);
    return data_ + size_;
  }
  // Counts elements written behind end(), into room that was made.
  void grow(size_t count) { size_ += count; }
  // New elements are not initialised.
  void resize(size_t size) {
    if (size > room_) reserve(size);
    size_ = size;
  }
  void push(T value) {
    *make_room(1) = value;
    size_++;
  }
  // The numpy array of the elements; this is empty afterwards. Needs the interpreter's lock.
  nb::object to_numpy() {
    reserve(size_);
    T* data = std::exchange(data_, nullptr);
    size_t size = std::exchange(size_, 0);
    room_ = 0;
    nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner));
  }

 private:
  void reserve(size_t room) {
    if (room > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    void* data = std::realloc(data_, room ? room * sizeof(T) : 1);
    if (!data) throw std::bad_alloc();
    data_ = static_cast<T*>(data);
    room_ = room;
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t room_ = 0;
};

}  // namespace unquilt
