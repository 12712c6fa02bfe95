// `html` for Python: checks, outputs, and the interpreter's lock released in between.
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "html.h"

namespace nb = nanobind;
using namespace unquilt;

namespace {

nb::object as_str(const std::string& text) {
  PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
  if (!made) throw nb::python_error();
  return nb::steal(made);
}

nb::list as_list(const std::vector<std::string>& texts) {
  nb::list list;
  for (const std::string& text : texts) list.append(as_str(text));
  return list;
}

// Takes the numbers over: a page of 10 MB may have 40 MB of them.
nb::object as_array(std::vector<int32_t>& values) {
  auto kept = std::make_unique<std::vector<int32_t>>(std::move(values));
  nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<std::vector<int32_t>*>(p); });
  int32_t* data = kept->data();
  return nb::cast(nb::ndarray<nb::numpy, int32_t, nb::ndim<1>>(data, {kept.release()->size()}, owner));
}

// The names of each element; equal ones are one object.
nb::list names_of(const html::Page& page) {
  nb::list different = as_list(page.names);
  PyObject* names = PyList_New(static_cast<Py_ssize_t>(page.name_rows.size()));
  if (!names) throw nb::python_error();
  for (size_t i = 0; i < page.name_rows.size(); i++) {
    PyObject* one = PyList_GET_ITEM(different.ptr(), page.name_rows[i]);
    PyList_SET_ITEM(names, static_cast<Py_ssize_t>(i), Py_NewRef(one));
  }
  return nb::steal<nb::list>(names);
}

nb::list facts_of(const html::Page& page) {
  nb::list facts;
  for (const html::Fact& fact : page.facts) facts.append(nb::make_tuple(fact.kind, as_str(fact.name), as_str(fact.value)));
  return facts;
}

nb::tuple page_of(nb::handle source_array) {
  auto source = input<uint8_t>(source_array, "html", "source");
  if (source.size > html::most_source)
    wrong_value("html", "`source` has " + std::to_string(source.size) + " bytes; pass at most 2^30");
  html::Page page;
  {
    nb::gil_scoped_release unlocked;
    page = html::read({reinterpret_cast<const char*>(source.data), source.size});
  }
  return nb::make_tuple(as_str(page.text), as_array(page.runs), as_array(page.elements), names_of(page), facts_of(page),
                        as_array(page.links), as_list(page.hrefs), as_list(page.rels), page.source_points);
}

}  // namespace

void bind_html(nb::module_& m) {
  m.attr("HTML_TAGS") = nb::tuple(as_list(html::tag_names()));
  m.def("html", page_of, nb::arg("source").none(),
        "Give (text, runs, elements, names, facts, links, hrefs, rels, characters) of a page's HTML in UTF-8.");
}
