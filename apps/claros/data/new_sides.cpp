// SPDX-License-Identifier: BSD-3-Clause
#include "data/new_sides.hpp"

#include <claros/compose/spec.hpp>
#include <claros/error.hpp>
#include <claros/io/features.hpp>
#include <claros/io/ratings.hpp>
#include <claros/results/features.hpp>
#include <claros/results/fold_in.hpp>

#include <fmt/format.h>

#include "cli/messages.hpp"
#include "data/predict_rows.hpp"

namespace claros::cli {

namespace {

/// A row of X minimises a problem of its own where the nuclear norm is all that holds X.
void require_nuclear(const Spec& spec, const std::string& option) {
  const auto use = [&](const char* section) {
    const auto setting = spec.get(section, std::string(kUse));
    return setting ? setting->value : std::string();
  };
  const std::string set = use("set"), penalty = use("penalty"), smoother = use("smoother");
  const bool ball = set == "nuclear-ball" && penalty.empty(), norm = penalty == "nuclear" && set.empty();
  if (smoother.empty() && (ball || norm)) return;
  throw Error(ErrorKind::usage, option,
              "needs a run with the nuclear norm alone, and this one has set '" + set + "', penalty '" +
                  penalty + "' and smoother '" + smoother + "'",
              "run with set.use=nuclear-ball, or with penalty.use=nuclear");
}

/// For X = A M B' no row has a problem of its own.
void require_no_features(const Spec& spec, const std::string& option) {
  for (const char* key : {"row_features", "col_features"})
    if (const auto given = spec.get("objective", key); given && !given->value.empty())
      throw Error(ErrorKind::usage, option,
                  std::string("fits rows and columns by their ratings, and this run has objective.") + key,
                  "describe them by --row-features or --column-features");
}

/// Read as the training data was, with the ids as labels.
Ratings entries_of(const Spec& spec, const std::string& file) {
  RatingsOptions options;
  for (const auto& row : ratings_rows())
    if (const auto setting = spec.get("objective", row.info.name)) row.assign(options, setting->value);
  options.ids = "arbitrary";
  options.rows = options.cols = 0;
  Context context;
  context.messages = message_sink(false);
  return read_ratings(file, options, context);
}

void tell(const FoldedIn& folded, const std::string& side, const std::string& other,
          const std::string& file) {
  std::string text =
      fmt::format("{}: {} new {}s from {} entries", file,
                  folded.positions.size() - static_cast<std::size_t>(folded.replaced), side, folded.entries);
  if (folded.replaced > 0)
    text += fmt::format("; {} {}s of the training data are fitted anew, from this file alone",
                        folded.replaced, side);
  if (folded.unknown > 0)
    text += fmt::format("; {} entries of {}s without training entries are left out", folded.unknown, other);
  if (!folded.empty.empty())
    text += fmt::format(
        "; {} {}s have no other entries and get the mean and the {} biases alone, the first is '{}'",
        folded.empty.size(), side, other, folded.empty.front());
  report(text);
}

FoldedIn folded_file(const Arguments& arguments, const std::filesystem::path& folder, Solution& solution,
                     Side side, const std::string& file) {
  const Spec spec = Spec::read(folder / "spec.ini");
  const std::string option = side == Side::rows ? "--new-rows" : "--new-columns",
                    own = side == Side::rows ? "row" : "column",
                    other = side == Side::rows ? "column" : "row";
  require_nuclear(spec, option);
  require_no_features(spec, option);
  const auto loss = loss_of_run(arguments, folder);
  if (!loss)
    throw Error(ErrorKind::data, (folder / "spec.ini").string(), "does not name the loss of the model",
                "make the run again");
  FoldedIn folded = fold_in(solution, side, entries_of(spec, file), *loss, file);
  if (arguments.has("strict") && folded.unknown > 0)
    throw Error(
        ErrorKind::data, file,
        fmt::format("holds {} entries of {}s without an entry in the training data", folded.unknown, other),
        "remove them, or do not be strict");
  tell(folded, own, other, file);
  return folded;
}

void add_described_file(const std::filesystem::path& folder, Solution& solution, Side side,
                        const std::string& file) {
  Context context;
  context.messages = message_sink(false);
  const Features features =
      read_features(file, side == Side::rows ? "--row-features" : "--column-features", context);
  const Described told = add_described(solution, folder, side, features, file);
  report(fmt::format(
      "{}: {} new {}s by their features{}", file, told.added, side == Side::rows ? "row" : "column",
      told.present > 0 ? fmt::format("; {} are in the training data and stay as they are", told.present)
                       : ""));
}

}  // namespace

std::vector<Index> add_new_sides(const Arguments& arguments, const std::filesystem::path& folder,
                                 Solution& solution) {
  for (const auto& [option, side] : {std::pair{"row-features", Side::rows}, {"column-features", Side::cols}})
    if (const auto file = arguments.get(option)) add_described_file(folder, solution, side, *file);
  FoldedIn folded;
  if (const auto file = arguments.get("new-rows"))
    folded = folded_file(arguments, folder, solution, Side::rows, *file);
  if (const auto file = arguments.get("new-columns"))
    (void)folded_file(arguments, folder, solution, Side::cols, *file);
  return folded.positions;
}

}  // namespace claros::cli
