// SPDX-License-Identifier: BSD-3-Clause
// Data as programs and files hold them.
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <claros/io/design_blocks.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/design_writer.hpp>
#include <claros/io/memory_data.hpp>
#include <claros/random.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace bench {

using namespace claros;
namespace fs = std::filesystem;

namespace {

constexpr Index kColumns = 500;

struct Arrays {
  std::vector<double> a, y, w, o;
  Index rows = 0;

  explicit Arrays(double megabytes) : rows(static_cast<Index>(megabytes * 1e6 / 8.0) / kColumns) {
    RandomStream stream(1, Purpose::test);
    a.resize(static_cast<std::size_t>(rows * kColumns));
    for (double& entry : a) entry = stream.uniform() - 0.5;
    for (Index i = 0; i < rows; ++i)
      y.push_back(stream.normal()), w.push_back(1.0 + stream.uniform()), o.push_back(stream.normal());
  }
  std::shared_ptr<const Dataset> referenced(const RowFacts& facts = {}) const {
    return data_from_rows(a, rows, kColumns, y, Entries::referenced, facts);
  }
  /// The numbers of the rows, read as columns.
  std::shared_ptr<const Dataset> by_columns(Entries entries) const {
    return data_from_columns(a, rows, kColumns, y, entries);
  }
};

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("claros-bench-data-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

Composition composed(const std::shared_ptr<const Dataset>& data, const std::vector<std::string>& words) {
  Spec spec;
  spec.assign({"objective.use=linear-model", "penalty.use=l1", "penalty.lambda=0.01",
               "algorithm.use=proximal-gradient", "stop.iterations=20"});
  spec.assign(words);
  HostParts parts;
  parts.data = data;
  return compose(everything(), spec, parts, {});
}

/// Milliseconds of a full gradient at a point, after one that touches memory.
double gradient_milliseconds(const Composition& c) {
  Objective& f = *c.problem().objective;
  const Element x =
      Element::dense(f.shape(), std::vector<double>(static_cast<std::size_t>(f.shape().size()), 0.01));
  return 1e3 * seconds_of([&] {
           Element point(x), g(f.shape());
           point.drop_images();
           point.add(1e-9, x);
           f.add_gradient(point, Batch::all(), 1.0, g);
         });
}

/// Medians by turns: `first` and `second` in milliseconds.
std::pair<double, double> gradients(const Composition& first, const Composition& second, int repeats) {
  std::vector<double> a, b;
  (void)gradient_milliseconds(first), (void)gradient_milliseconds(second);
  for (int k = 0; k < repeats; ++k)
    a.push_back(gradient_milliseconds(first)), b.push_back(gradient_milliseconds(second));
  return {median(a), median(b)};
}

void print_allocation(double megabytes, const char* what, const std::vector<std::string>& words,
                      std::shared_ptr<const Dataset> (*data)(const Arrays&)) {
  const Outcome plain = in_child([&] {
    const Arrays arrays(megabytes);
    return std::vector<double>{static_cast<double>(arrays.rows)};
  });
  const Outcome solved = in_child([&] {
    const Arrays arrays(megabytes);
    const auto began = std::chrono::steady_clock::now();
    const Composition c = composed(data(arrays), words);
    (void)run(c, run_settings(c));
    return std::vector<double>{
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count()};
  });
  if (!plain.ok || !solved.ok) return;
  const double beside = solved.peak_megabytes - plain.peak_megabytes;
  fmt::print("  {} of {:.0f} MB: {:.1f} MB beside it ({:.1f}%), {:.2f} s\n", what, megabytes, beside,
             100.0 * beside / megabytes, solved.numbers.front());
}

void print_allocations(double megabytes) {
  const std::vector<std::string> steps{}, coordinates{"algorithm.use=working-set"};
  print_allocation(megabytes, "20 proximal gradient steps on referenced rows", steps,
                   [](const Arrays& arrays) { return arrays.referenced(); });
  print_allocation(megabytes, "the same on referenced columns", steps,
                   [](const Arrays& arrays) { return arrays.by_columns(Entries::referenced); });
  print_allocation(megabytes, "the same on columns copied to rows", steps,
                   [](const Arrays& arrays) { return arrays.by_columns(Entries::copied); });
  print_allocation(megabytes, "a working set on referenced columns", coordinates,
                   [](const Arrays& arrays) { return arrays.by_columns(Entries::referenced); });
  print_allocation(megabytes, "the same on columns copied to rows", coordinates,
                   [](const Arrays& arrays) { return arrays.by_columns(Entries::copied); });
}

void print_conversions(const Arrays& arrays, const Folder& folder) {
  const fs::path text = folder / "rows.svm";
  {
    std::ofstream out(text);
    const Index rows = std::max<Index>(1, arrays.rows / 8);
    for (Index i = 0; i < rows; ++i) {
      out << arrays.y[static_cast<std::size_t>(i)];
      for (Index j = 0; j < kColumns; j += 4)
        out << ' ' << j + 1 << ':' << arrays.a[static_cast<std::size_t>(i * kColumns + j)];
      out << '\n';
    }
  }
  const auto convert = [&](const fs::path& from, const fs::path& to) {
    return seconds_of([&] {
      DesignWriter writer(to, false);
      const auto blocks = open_design_blocks(from);
      for (Design block; blocks->next(block);) writer.add(block, blocks->where());
      writer.finish();
    });
  };
  double seconds = convert(text, folder / "text.design");
  fmt::print("  convert LIBSVM text of {:.0f} MB: {:.0f} MB/s\n",
             1e-6 * static_cast<double>(fs::file_size(text)),
             1e-6 * static_cast<double>(fs::file_size(text)) / seconds);
  write_design(folder / "raw", *arrays.referenced()->design());
  seconds = convert(folder / "raw", folder / "stored");
  fmt::print("  convert raw binary of {:.0f} MB: {:.0f} MB/s\n",
             1e-6 * static_cast<double>(fs::file_size(folder / "raw")),
             1e-6 * static_cast<double>(fs::file_size(folder / "raw")) / seconds);
}

void print_tables(const Arrays& arrays, const Folder& folder) {
  const fs::path numbers = folder / "numbers.csv", text = folder / "text.csv";
  const Index rows = std::max<Index>(1, arrays.rows / 16);
  for (const auto& [path, categories] : {std::pair{numbers, false}, {text, true}}) {
    std::ofstream out(path);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < kColumns; ++j) {
        if (categories && j % 10 == 0)
          out << "level" << (i + j) % 7 << ',';
        else
          out << arrays.a[static_cast<std::size_t>(i * kColumns + j)] << ',';
      }
      out << arrays.y[static_cast<std::size_t>(i)] << '\n';
    }
  }
  for (const auto& [path, what] : {std::pair{numbers, "numbers"}, {text, "numbers and categories"}}) {
    DesignOptions options;
    options.table.header = "no";
    const double seconds = seconds_of([&, file = path] { (void)read_design(file, options); });
    fmt::print("  table of {}, {:.0f} MB: {:.0f} MB/s\n", what,
               1e-6 * static_cast<double>(fs::file_size(path)),
               1e-6 * static_cast<double>(fs::file_size(path)) / seconds);
  }
}

void print_gradients(const Arrays& arrays, const Folder& folder, int repeats) {
  const Composition memory = composed(arrays.referenced(), {});
  const Composition mapped =
      composed(nullptr, {"objective.data=" + (folder / "stored").string(), "objective.memory=map"});
  const auto [in_memory, in_file] = gradients(memory, mapped, repeats);
  fmt::print("  full gradient: {:.1f} ms from memory, {:.2f} x from a mapped file in the page cache\n",
             in_memory, in_file / in_memory);
  const Composition weighted = composed(arrays.referenced({.weights = arrays.w}), {}),
                    shifted = composed(arrays.referenced({.offset = arrays.o}), {});
  const auto [plain, with_weights] = gradients(memory, weighted, repeats);
  const auto [again, with_offset] = gradients(memory, shifted, repeats);
  fmt::print("  with weights of rows {:.2f} x, with offsets {:.2f} x\n", with_weights / plain,
             with_offset / again);
}

}  // namespace

void data_access(int repeats, double megabytes) {
  fmt::print("Data as programs and files hold them\n");
  print_allocations(megabytes);
  const Arrays arrays(megabytes);
  const Folder folder;
  print_conversions(arrays, folder);
  print_tables(arrays, folder);
  print_gradients(arrays, folder, repeats);
}

}  // namespace bench
