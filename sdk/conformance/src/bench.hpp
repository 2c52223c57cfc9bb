// SPDX-License-Identifier: BSD-3-Clause
/// @file bench.hpp  What a test works with: its component, its random numbers, and how it fails.
#pragma once

#include <claros/doctor/doctor.hpp>
#include <claros/element/element.hpp>
#include <claros/random.hpp>

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace claros::doctor {

using Numbers = std::vector<double>;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The kinds that tests are about.
inline const std::vector<Kind> kObjectives{Kind::objective, Kind::smoother}, kPenalty{Kind::penalty},
    kEstimator{Kind::estimator};

/// Thrown by a test: what it saw, where, and the likely mistake.
struct Failed {
  std::string observed, where, mistake;
};
/// Thrown by a test that does not apply.
struct Skipped {
  std::string reason;
};

inline std::string words_of(const std::string& text) { return text; }
inline std::string words_of(const char* text) { return text; }
inline std::string words_of(double value) { return print_real(value); }
inline std::string words_of(Index value) { return std::to_string(value); }
inline std::string words_of(std::size_t value) { return std::to_string(value); }
inline std::string words_of(int value) { return std::to_string(value); }
/// Texts and numbers in one text.
template <class... Parts>
std::string said(const Parts&... parts) {
  return (words_of(parts) + ...);
}

using Settings = std::vector<Setting>;
/// "radius=1 engine=dense", or "the defaults".
std::string settings_text(const Settings& settings);
/// {"radius=1"} as settings.
Settings settings_of(const std::vector<std::string>& words);

class Bench {
 public:
  /// `told` hears every place that is tried; may be empty.
  /// `seconds` is the time of the test.
  Bench(const Subject& subject, const std::string& test, std::function<void(const std::string&)> told = {},
        double seconds = kInfinity);

  const Subject& subject() const noexcept { return subject_; }
  RandomStream& random() noexcept { return random_; }
  /// Shapes to try: those that were asked for, or else 1 x 1, a vector, wide, tall and square. For a set that
  /// takes none of these: vectors of 2, 3 and 4.
  std::vector<Shape> shapes() const;

  /// Settings to try, in this order:
  /// - what was asked for, with the kit's value for each parameter that has no usable default;
  /// - `choices` of it;
  /// - each real at 0.2, 0.6 and 3;
  /// - `count` draws of numbers, booleans and words within their ranges.
  /// Some of them may be impossible together. If `count` is 0, only the first is returned.
  std::vector<Settings> variants(int count);
  /// `settings`, and then one change at a time to what they leave open:
  /// - every word of every choice, and the number 1 if it is allowed instead of a word;
  /// - 1, 2, 3 and 7 for integers;
  /// - every component of Claros in each role.
  std::vector<Settings> choices(const Settings& settings) const;
  /// The settings that were asked for, with the kit's stand-ins.
  Settings settings() const;
  std::shared_ptr<Component> make(const Settings& settings, const Context& context = {}) const {
    return make_with_parts(settings, context).front();
  }
  /// The component, and behind it those that fill its roles and whose states a run saves: not those that it
  /// starts anew itself.
  std::vector<std::shared_ptr<Component>> make_with_parts(const Settings& settings,
                                                          const Context& context) const;
  /// The context of a component of seed `seed`.
  Context context(int threads = 1) const;

  /// True if case number `k` of `all` is still to be tried. The first one always is; others are while half of
  /// the test's time is left.
  bool tries(std::size_t k, std::size_t all);
  /// The cases that were left out for lack of time; empty if none were.
  const std::string& left_out() const noexcept { return left_out_; }
  /// Names what is being tried, in failures.
  void at(std::string place) {
    place_ = std::move(place);
    if (told_) told_(place_);
  }
  const std::string& place() const noexcept { return place_; }
  [[noreturn]] void fail(const std::string& observed, const std::string& mistake) const {
    throw Failed{observed, place_, mistake};
  }
  void require(bool holds, const std::string& observed, const std::string& mistake) const {
    if (!holds) fail(observed, mistake);
  }
  /// left <= right + slack, where NaN fails.
  void at_most(double left, double right, double slack, const std::string& what,
               const std::string& mistake) const {
    if (!(left <= right + slack))
      fail(said(what, ": ", left, " is above ", right, " (slack ", slack, ")"), mistake);
  }
  /// |left - right| <= slack.
  void equal(double left, double right, double slack, const std::string& what,
             const std::string& mistake) const {
    if (!(std::abs(left - right) <= slack) && left != right)
      fail(said(what, ": ", left, " and ", right, " differ by more than ", slack), mistake);
  }

  Numbers normals(Index n);
  /// Normal entries times `scale`, some of them 0 and some equal.
  Numbers point(const Shape& shape, double scale);
  Index index(Index n) { return random_.index(n); }

 private:
  /// True if the set takes a variable of that shape with its first settings.
  bool takes(const Shape& shape) const;
  Settings with_parts(Settings settings, const Context& context) const;
  std::vector<std::string> usual_parts(const Role& role) const;
  Setting sampled(const ParameterInfo& row);
  /// The components of Claros that may fill a role of the subject.
  std::vector<std::string> parts_for(const Role& role) const;

  const Subject& subject_;
  RandomStream random_;
  std::string place_, left_out_;
  std::function<void(const std::string&)> told_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double seconds_;
};

/// A named test of some kinds.
struct Test {
  TestInfo info;
  void (*run)(Bench&);
  std::string crash = {};  ///< the likely mistake when it crashes, where that is not the usual one
};
using Tests = std::vector<Test>;
const Tests& all_tests();

// One file a topic.
Tests descriptor_tests();
Tests common_tests();
Tests state_tests();
Tests loss_tests();
Tests domain_tests();
Tests gradient_tests();
Tests objective_tests();
Tests curvature_tests();
Tests duality_tests();
Tests oracle_tests();
Tests projection_tests();
Tests prox_tests();
Tests penalty_tests();
Tests certificate_tests();
Tests protocol_tests();
Tests moment_tests();
Tests tracking_tests();
Tests algorithm_tests();
Tests data_tests();

/// The point of those coordinates, column-major; for a product, one block after the other.
Element element_of(const Shape& shape, const Numbers& x);
/// The coordinates of a point, likewise.
Numbers numbers_of(const Element& x);
double dot(const Numbers& x, const Numbers& y);
double length(const Numbers& x);
/// a x + b y.
Numbers combined(double a, const Numbers& x, double b, const Numbers& y);
double distance(const Numbers& x, const Numbers& y);
/// "(1, 2, 3, ...)": the first few.
std::string numbers_text(const Numbers& x);
bool finite(const Numbers& x);
bool holds_nan(const Numbers& x);
/// True if both have the same bits; NaN equals NaN.
bool same_bits(const Numbers& x, const Numbers& y);

/// The outcome of a call. `refused`: it threw a claros::Error of kind usage, data or numerical, whose text
/// must say what is wrong; Claros adds where.
enum class Answer { given, refused };
/// Runs `call`; foreign exceptions and Error(plugin) fail the test.
template <class Call>
Answer answered(const Bench& bench, Call&& call) {
  try {
    call();
    return Answer::given;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::plugin)
      bench.fail(error.what(),
                 "a plugin throws claros::Error of kind usage, data or numerical, and nothing else");
    for (const Complaint& c : error.complaints())
      bench.require(!c.what.empty(), said("an error that does not say what is wrong: '", error.what(), "'"),
                    "say what was expected, what was found, and a remedy");
    return Answer::refused;
  } catch (const Failed&) {
    throw;
  } catch (const Skipped&) {
    throw;
  } catch (const std::exception& error) {
    bench.fail(said("threw an exception that is not a claros::Error: ", error.what()),
               "report trouble as claros::Error");
  }
}

}  // namespace claros::doctor
