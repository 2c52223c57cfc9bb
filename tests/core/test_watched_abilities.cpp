// SPDX-License-Identifier: BSD-3-Clause
// Abilities behind watchers: those of core, of the SDK, and of anybody else.
#include <doctest/doctest.h>
#include <claros/sdk/estimators/gradient_theory.hpp>
#include <claros/sdk/sets/split_set.hpp>
#include <claros/watch/watcher.hpp>
#include <shared/algorithms/difference_parts.hpp>
#include <shared/entry_terms.hpp>
#include <shared/penalties/composed_penalty.hpp>
#include <shared/sets/spectral_sum.hpp>
#include <shared/term_chunks.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

using namespace claros;

namespace {

[[noreturn]] void fail() { throw std::out_of_range("an array of the plugin"); }

/// Throws in every function of every ability.
class Faulty final : public Component,
                     public sdk::SpectralSum,
                     public sdk::SplitSet,
                     public sdk::GradientTheory,
                     public sdk::ComposedPenalty,
                     public sdk::EntryTerms,
                     public sdk::DifferenceParts,
                     public sdk::TermChunks {
 public:
  Form spectral_sum() const override { fail(); }
  std::vector<Component*> parts() override { fail(); }
  void split(const Element&, std::vector<Element>) override { fail(); }
  Steps theory_steps() const override { fail(); }
  const LinearOperator& map(const Shape&) override { fail(); }
  Shape image_shape() const override { fail(); }
  double squared_norm() override { fail(); }
  ProximalOracle& outer() override { fail(); }
  void follow_dual(std::span<const double>) override { fail(); }
  sdk::TakenEntries take_entries() override { fail(); }
  Objective& convex_part() override { fail(); }
  void add_subtracted_gradient(const Element&, double, Element&) override { fail(); }
  std::unique_ptr<sdk::TermChunk> chunk(Index, Index) override { return std::make_unique<Chunk>(); }
  void release() override { fail(); }
  Constants constants_of(const sdk::ChunkFacts&, double) const override { fail(); }
  Index square_size() const override { fail(); }
  bool needs_eigenvalue() const override { fail(); }
  bool has_dual() const override { fail(); }
  Index fingerprint() const override { fail(); }
  void* ability(std::string_view id) noexcept override {
    return offer<sdk::SpectralSum, sdk::SplitSet, sdk::GradientTheory, sdk::ComposedPenalty, sdk::EntryTerms,
                 sdk::DifferenceParts, sdk::TermChunks>(this, id);
  }

 private:
  class Chunk final : public sdk::TermChunk {
   public:
    double value(const Element&) override { fail(); }
    double add_gradient(const Element&, double, std::span<double>) override { fail(); }
    void add_gradient(const Element&, std::span<const Index>, double, std::span<double>) override { fail(); }
    std::unique_ptr<Hessian> hessian(const Element&, bool, std::span<const Index>) override { fail(); }
    double conjugate(const Element&, double) override { fail(); }
    void add_square(const Element&, double, std::span<double>) override { fail(); }
    sdk::ChunkFacts facts() override { fail(); }
    sdk::RoundingSums rounding(const Element&, double) override { fail(); }
  };
};

std::shared_ptr<Component> behind_a_watcher(std::shared_ptr<Component> component) {
  return watched(std::move(component), Watch(Kind::set, "set/faulty", std::make_shared<Ledger>()));
}

/// An ability of somebody else, with its watcher and without.
class Own {
 public:
  static constexpr std::string_view kAbility = "test.own/1";
  static constexpr std::string_view kWords = "an ability of a test";
  struct Watched;
  virtual ~Own() = default;
  virtual double number() const = 0;
};
struct Own::Watched final : Watcher<Own> {
  using Watcher::Watcher;
  double number() const override {
    return call([&] { return inner_.number(); });
  }
};
class HasOwn final : public Component, public Own {
 public:
  double number() const override { return 7.0; }
  void* ability(std::string_view id) noexcept override { return offer<Own>(this, id); }
};

}  // namespace

#define CHECK_NAMED(call) \
  CHECK_THROWS_WITH_AS(   \
      call, doctest::Contains("set/faulty: threw std::out_of_range: an array of the plugin"), Error)

TEST_CASE("watched abilities: what an ability of the SDK throws is an error with the component's name") {
  const auto component = behind_a_watcher(std::make_shared<Faulty>());
  const Element x(Shape::vector(1));
  std::vector<double> g(1);
  CHECK_NAMED((void)query<sdk::SpectralSum>(*component)->spectral_sum());
  auto* split = query<sdk::SplitSet>(*component);
  CHECK_NAMED((void)split->parts());
  CHECK_NAMED(split->split(x, {}));
  CHECK_NAMED((void)query<sdk::GradientTheory>(*component)->theory_steps());
  auto* composed = query<sdk::ComposedPenalty>(*component);
  CHECK_NAMED((void)composed->map(x.shape()));
  CHECK_NAMED((void)composed->image_shape());
  CHECK_NAMED((void)composed->squared_norm());
  CHECK_NAMED((void)composed->outer());
  CHECK_NAMED(composed->follow_dual(g));
  CHECK_NAMED((void)query<sdk::EntryTerms>(*component)->take_entries());
  auto* difference = query<sdk::DifferenceParts>(*component);
  CHECK_NAMED((void)difference->convex_part());
  Element gradient(x.shape());
  CHECK_NAMED(difference->add_subtracted_gradient(x, 1.0, gradient));
  auto* chunks = query<sdk::TermChunks>(*component);
  CHECK_NAMED(chunks->release());
  CHECK_NAMED((void)chunks->constants_of({}, 1.0));
  CHECK_NAMED((void)chunks->square_size());
  CHECK_NAMED((void)chunks->needs_eigenvalue());
  CHECK_NAMED((void)chunks->has_dual());
  CHECK_NAMED((void)chunks->fingerprint());
  const auto chunk = chunks->chunk(0, 1);
  CHECK_NAMED((void)chunk->value(x));
  CHECK_NAMED((void)chunk->add_gradient(x, 1.0, g));
  CHECK_NAMED(chunk->add_gradient(x, std::span<const Index>(), 1.0, g));
  CHECK_NAMED((void)chunk->hessian(x, true, {}));
  CHECK_NAMED((void)chunk->conjugate(x, 1.0));
  CHECK_NAMED(chunk->add_square(x, 1.0, g));
  CHECK_NAMED((void)chunk->facts());
  CHECK_NAMED((void)chunk->rounding(x, 1.0));
}

TEST_CASE("watched abilities: an ability that core does not know brings its watcher and its words") {
  const auto inner = std::make_shared<HasOwn>();
  const auto component = behind_a_watcher(inner);
  Own* own = query<Own>(*component);
  REQUIRE(own != nullptr);
  CHECK(own != static_cast<Own*>(inner.get()));
  CHECK(own == query<Own>(*component));
  CHECK(own->number() == 7.0);
  const auto known = known_abilities();
  const auto at = std::ranges::find(known, Own::kAbility, &KnownAbility::id);
  REQUIRE(at != known.end());
  CHECK(at->words == Own::kWords);
}

TEST_CASE(
    "watched abilities: every known ability has an id of its own and words, and all but two a watcher") {
  std::set<std::string_view> ids, unwatched;
  for (const KnownAbility& ability : known_abilities()) {
    CHECK(ids.insert(ability.id).second);
    CHECK_FALSE(ability.words.empty());
    if (!ability.watch) unwatched.insert(ability.id);
  }
  // Data is read by a reader that contains it, and a resisting oracle is asked by watchers.
  CHECK(unwatched == std::set<std::string_view>{"claros.dataset/1", "claros.adversary/1"});
}
