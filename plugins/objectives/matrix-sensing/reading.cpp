// SPDX-License-Identifier: BSD-3-Clause
#include "reading.hpp"

#include "sparse_list.hpp"

#include <claros/dataset.hpp>
#include <claros/error.hpp>
#include <claros/world.hpp>
#include <shared/losses/sample_rows.hpp>

#include <array>
#include <utility>

namespace matrix_sensing {

using namespace claros;

namespace {

using Kind = Measurements::Kind;

const std::array<std::string, 4> kNames{"dense", "sparse", "rank-one", "symmetric"};  // in the order of Kind
std::string name(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

/// Not of automatic.
Kind kind_named(Rows rows) {
  return rows == Rows::dense      ? Kind::dense
         : rows == Rows::sparse   ? Kind::sparse
         : rows == Rows::rank_one ? Kind::rank_one
                                  : Kind::symmetric;
}

[[noreturn]] void refuse(const std::string& key, const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::usage, key, what, remedy);
}

/// A file does not tell its form: a row of 9 numbers is a 3 x 3 matrix, or a vector of 9.
Kind kind_of(const Options& o) {
  if (o.measurements != Rows::automatic) return kind_named(o.measurements);
  refuse("measurements", "a file does not tell what its rows are",
         "say measurements = dense (vec(A_i)), sparse (a list i, row, column, value), rank-one "
         "(a_i, with b_i in right) "
         "or symmetric (a_i of a_i a_i')");
}

void require_options(const Options& o, Kind kind) {
  if (kind == Kind::rank_one && o.right.empty())
    refuse("right", "measurements a_i' X b_i need the b_i too",
           "give right = FILE, or take measurements = symmetric");
  if (kind != Kind::rank_one && !o.right.empty())
    refuse("right", "is given, and " + name(kind) + " measurements have no right rows",
           "leave it out, or take measurements = rank-one");
  const bool sizes = o.rows > 0 && o.cols > 0;
  if ((kind == Kind::dense || kind == Kind::sparse) && !sizes)
    refuse(o.rows > 0 ? "cols" : "rows", name(kind) + " measurements do not tell the size of X",
           "give rows and cols");
  if (kind == Kind::symmetric && o.rows > 0 && o.cols > 0 && o.rows != o.cols)
    refuse("cols",
           "X is " + Shape::matrix(o.rows, o.cols).text() + ", and of measurements a_i' X a_i it is square",
           "leave rows and cols out");
}

void require_side(Index asked, Index found, const char* key, const std::string& where) {
  if (asked == 0 || asked == found) return;
  throw Error(ErrorKind::data, where,
              "has rows of " + std::to_string(found) + " numbers; " + key + " is " + std::to_string(asked),
              std::string("leave ") + key + " out, or fix the file");
}

/// Requires the length of dense measurements.
void require_length(const Options& o, Index found, const std::string& where) {
  if (found == o.rows * o.cols) return;
  throw Error(ErrorKind::data, where,
              "has rows of " + std::to_string(found) + " numbers; " + Shape::matrix(o.rows, o.cols).text() +
                  " takes " + std::to_string(o.rows * o.cols),
              "give rows and cols of the matrices, whose columns stand one after the "
              "other in a row");
}

/// Nothing that the rows have is lost silently.
void refuse_row_terms(const Design& design, const std::string& where) {
  if (design.weights.empty() && design.offset.empty()) return;
  throw Error(ErrorKind::usage, design.weights.empty() ? "offset" : "weights",
              "the rows (" + where + ") have " + (design.weights.empty() ? "offsets" : "weights") +
                  ", which measurements of a matrix do not take",
              "leave them out");
}

/// The rows of the file; of parts on several ranks without their entries.
std::shared_ptr<const Design> read_left(const Options& o, const Context& context,
                                        std::shared_ptr<DesignParts>& parts) {
  if (!is_part_pattern(o.data, context))
    return std::make_shared<const Design>(read_design(context.resolve(o.data), o.design, context));
  parts = std::make_shared<DesignParts>(part_files(o.data, context), o.design, context, World::here());
  if (World::here().size() > 1) return std::make_shared<const Design>(parts->head());
  return std::make_shared<const Design>(std::exchange(parts, nullptr)->whole());
}

Measurements read(const Options& o, const Context& context, std::shared_ptr<DesignParts>& parts) {
  const Kind kind = kind_of(o);
  require_options(o, kind);
  if (kind == Kind::sparse && is_part_pattern(o.data, context))
    refuse("data", "names parts, and the list of sparse measurements is one file", "join the parts");
  if (kind == Kind::sparse) return read_sparse_list(o, context);
  const std::string where = origin_of(o, context);
  Measurements made{kind, o.rows, o.cols, read_left(o, context, parts)};
  refuse_row_terms(*made.left, where);
  const Index length = made.left->cols;
  if (kind == Kind::dense) {
    require_length(o, length, where);
    return made;
  }
  require_side(o.rows, length, "rows", where);
  made.rows = length;
  if (kind == Kind::rank_one) {
    const auto right = context.resolve(o.right);
    made.right = sdk::read_sample_rows(right, context);
    if (made.right->rows != made.left->rows)
      throw Error(ErrorKind::data, right.string(),
                  "has " + std::to_string(made.right->rows) + " rows for " + std::to_string(made.left->rows) +
                      " measurements",
                  "give one b_i an a_i");
  }
  made.cols = made.right ? made.right->cols : length;
  require_side(o.cols, made.cols, "cols", made.right ? o.right : where);
  return made;
}

/// Those that the data section, or a program, made: measurements, or rows that are vec(A_i).
std::shared_ptr<const Measurements> made_for(const Options& o, const Context& context) {
  if (!context.data) return nullptr;
  if (auto made = context.data->measurements()) return made;
  const auto design = context.data->design();
  if (!design || o.measurements != Rows::dense) return nullptr;
  require_options(o, Kind::dense);
  require_length(o, design->cols, "[data]");
  refuse_row_terms(*design, "[data]");
  return std::make_shared<const Measurements>(Measurements{Kind::dense, o.rows, o.cols, design});
}

}  // namespace

const EnumWords<Rows>& rows_words() {
  static const EnumWords<Rows> words{{Rows::automatic, "auto"},
                                     {Rows::dense, "dense"},
                                     {Rows::sparse, "sparse"},
                                     {Rows::rank_one, "rank-one"},
                                     {Rows::symmetric, "symmetric"}};
  return words;
}

const EnumWords<Drawing>& drawing_words() {
  static const EnumWords<Drawing> words{{Drawing::none, "none"},
                                        {Drawing::gaussian, "gaussian"},
                                        {Drawing::rank_one, "rank-one"},
                                        {Drawing::symmetric, "symmetric"}};
  return words;
}

std::string origin_of(const Options& options, const Context& context) {
  if (options.data.empty()) return "[data]";
  return is_part_pattern(options.data, context) ? options.data : context.resolve(options.data).string();
}

void require_no_draws(const Options& o) {
  const std::string why = "is of an expectation, and draws is none",
                    remedy = "leave it out, or give draws = gaussian";
  if (!o.truth.empty()) refuse("truth", why, remedy);
  if (o.noise > 0.0) refuse("noise", why, remedy);
  if (o.held_out.is_number()) refuse("held_out", why, remedy);
}

std::vector<double> targets_of(const Measurements& measurements, const Options& o, const Context& context) {
  std::vector<double> y = measurements.left->response;
  if (o.responses == Responses::squares) return y;
  if (measurements.kind != Kind::symmetric)
    refuse("responses", "is magnitudes, |<a_i, x>|, and the measurements are " + name(measurements.kind),
           "take measurements = symmetric, or leave responses out");
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] < 0.0)
      throw Error(ErrorKind::data, origin_of(o, context),
                  "response " + std::to_string(i + 1) + " is " + print_real(y[i]) + "; a magnitude is >= 0",
                  "give |<a_i, x>|, or responses = squares");
    y[i] *= y[i];
  }
  return y;
}

std::shared_ptr<const Measurements> measurements_of(const Options& options, const Context& context,
                                                    std::shared_ptr<DesignParts>& parts) {
  if (!options.data.empty() && context.data)
    refuse("data", "names '" + options.data + "', and the [data] section makes data too", "keep one of them");
  if (!options.data.empty()) return std::make_shared<const Measurements>(read(options, context, parts));
  const auto made = made_for(options, context);
  if (!made)
    refuse("data",
           "matrix-sensing needs measurements" +
               std::string(context.data ? ", which the data of [data] does not have" : ""),
           "give data = FILE, a [data] section that makes some (data.use = synthetic-sensing), or "
           "of rows that are the A_i measurements = dense");
  if (options.measurements != Rows::automatic && kind_named(options.measurements) != made->kind)
    refuse("measurements",
           "is " + word_of(rows_words(), options.measurements) + ", and the data makes " + name(made->kind) +
               " ones",
           "leave measurements = auto");
  if ((options.rows > 0 && options.rows != made->rows) || (options.cols > 0 && options.cols != made->cols))
    refuse(options.rows > 0 && options.rows != made->rows ? "rows" : "cols",
           "the data measures " + Shape::matrix(made->rows, made->cols).text() + " matrices",
           "leave rows and cols out");
  if (!options.right.empty())
    refuse("right", "is given, and the measurements come from the [data] section", "leave it out");
  return made;
}

}  // namespace matrix_sensing
