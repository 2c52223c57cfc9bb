// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/held_out_ranking.hpp>

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/io/text_input.hpp>

#include <utility>

namespace claros {

namespace {

const Training& training_of(const Composition& composition, const std::string& metric) {
  auto* predictor = query<Predictor>(*composition.objective);
  const auto test = composition.effective.get("objective", "test");
  if (predictor && predictor->training().entries && test && !test->value.empty())
    return predictor->training();
  throw Error(ErrorKind::usage, "path", metric + " needs entries that are held out, and none are given",
              "give objective.test = FILE of matrix-completion");
}

Pairs pairs_of(const Composition& composition, const Training& training) {
  const auto word = [&](const char* key) {
    const auto setting = composition.effective.get("objective", key);
    return setting ? setting->value : std::string();
  };
  const auto or_auto = [&](const char* key) { return word(key).empty() ? "auto" : word(key); };
  TextInput input(composition.context.resolve(word("test")));
  return read_pairs(input, training,
                    {.delimiter = or_auto("delimiter"),
                     .header = or_auto("header"),
                     .columns = word("columns"),
                     .decimal = or_auto("decimal"),
                     .skips_unknown = true});
}

SeenColumns columns_of(const Pattern& entries) {
  SeenColumns seen(static_cast<std::size_t>(entries.rows()));
  for (std::size_t e = 0; e < entries.row().size(); ++e)
    seen[static_cast<std::size_t>(entries.row()[e])].push_back(entries.col()[e]);
  return seen;
}

}  // namespace

std::optional<RankingMetric> RankingMetric::parse(const std::string& text) {
  const auto at = std::min(text.find('@'), text.size());
  for (const auto& [name, number] : {std::pair{"precision", &RankingQuality::precision},
                                     {"recall", &RankingQuality::recall},
                                     {"map", &RankingQuality::map},
                                     {"ndcg", &RankingQuality::ndcg}})
    if (text.substr(0, at) == name && at < text.size()) try {
        const Index count = parse_integer(text.substr(at + 1));
        if (count >= 1) return RankingMetric{text, number, count};
      } catch (const Error&) {  // no number: no metric
      }
  return std::nullopt;
}

HeldOutRanking::HeldOutRanking(const Composition& composition, RankingMetric metric, double least)
    : training_(training_of(composition, metric.name)),
      metric_(std::move(metric)),
      least_(least),
      held_(pairs_of(composition, training_)),
      seen_(columns_of(*training_.entries)),
      rescaled_(query<Rescaled>(*composition.objective)) {
  const std::string file = composition.effective.get("objective", "test")->value;
  if (ranking_quality(
          Solution::of(Element(Shape::matrix(training_.rows.count, training_.cols.count)), training_), held_,
          least_, 1, seen_)
          .rows == 0)
    throw Error(
        ErrorKind::data, file,
        "expected a relevant entry in a row and a column of the training data, which is not one of its "
        "entries; found none",
        "give other entries, or a smaller value from which they are relevant");
}

double HeldOutRanking::operator()(const Element& x) const {
  return ranking_quality(Solution::of(rescaled_ ? rescaled_->original(x) : x, training_), held_, least_,
                         metric_.count, seen_).*
         metric_.number;
}

}  // namespace claros
