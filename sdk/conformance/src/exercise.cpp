// SPDX-License-Identifier: BSD-3-Clause
#include "exercise.hpp"

#include <claros/element/parallel.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/loss.hpp>
#include <claros/proximal_oracle.hpp>

#include <algorithm>
#include <optional>

#include "objectives.hpp"

namespace claros::doctor {

namespace {

void keep(Numbers& all, const Numbers& some) { all.insert(all.end(), some.begin(), some.end()); }
void keep(Numbers& all, const Element& x) { keep(all, numbers_of(x)); }

/// Records the result of `call`, or that it refused.
template <class Call>
void ask(Numbers& all, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::plugin) throw;
    all.push_back(-1e9 - static_cast<double>(error.kind()));
  }
}

Numbers some_numbers(RandomStream& random, Index n) {
  Numbers values(static_cast<std::size_t>(n));
  random.fill_normal(values);
  return values;
}

std::vector<Shape> exercise_shapes(const Bench& bench, bool large) {
  std::vector<Shape> shapes = bench.shapes();
  if (large && bench.subject().shapes.empty()) shapes = {Shape::vector(600), Shape::matrix(25, 16)};
  return shapes;
}

/// A component and its work, cut into pieces.
class Worker {
 public:
  Worker(const Bench& bench, const Settings& settings, const Work& work)
      : bench_(bench), work_(work), settings_(settings), random_(work.inputs, Purpose::test, 60) {
    switch (bench.subject().entry.kind) {
      case Kind::objective:
      case Kind::smoother:
        prepare_objective();
        return;
      case Kind::set:
      case Kind::penalty:
        prepare_oracles();
        return;
      case Kind::estimator:
        driven_.emplace(bench, settings, 0, work.inputs);
        pieces_ = 14;
        return;
      case Kind::algorithm:
        composed_ =
            std::make_unique<Composed>(bench, settings, sides(bench, settings).back(), false, work.inputs);
        composed_->start(composed_->somewhere(some_numbers(random_, composed_->shape().size())));
        pieces_ = 14;
        return;
      case Kind::loss:
        component_ = bench.make(settings, bench.context(work.threads));
        pieces_ = 4;
        return;
      case Kind::data:
        pieces_ = 1;
    }
  }

  bool done() const { return next_ >= pieces_; }
  void piece() {
    const ThreadScope scope(work_.threads);
    ++next_;
    switch (bench_.subject().entry.kind) {
      case Kind::objective:
      case Kind::smoother:
        return ask_objective();
      case Kind::set:
      case Kind::penalty:
        return ask_oracles();
      case Kind::estimator:
        return keep(all_, driven_->next(driven_->point(work_.inputs * 100 + next_)));
      case Kind::algorithm:
        composed_->algorithm().step();
        keep(all_, composed_->algorithm().iterate());
        return keep(all_, composed_->algorithm().answer());
      case Kind::loss:
        return ask_loss();
      case Kind::data:
        return ask_data();
    }
  }
  const Numbers& all() const { return all_; }

 private:
  void prepare_objective() {
    objective_ = make_any_objective(bench_, settings_, work_.large ? 9000 : 24, work_.threads);
    pieces_ = 4;
  }
  void ask_objective() {
    Objective& f = *objective_;
    const Element x = dense(f, inside(f, some_numbers(random_, f.shape().size()))),
                  d = dense(f, inside(f, some_numbers(random_, f.shape().size())));
    const Index n = f.terms();
    const Batch batch = n == kUnbounded ? Batch::range(3, 4) : Batch::range(0, std::min<Index>(n, 3));
    Element g(f.shape()), h(f.shape()), k(f.shape());
    ask(all_, [&] { all_.push_back(f.value(x)); });
    ask(all_, [&] { f.add_gradient(x, n == kUnbounded ? batch : Batch::all(), 1.0, g), keep(all_, g); });
    ask(all_, [&] { f.add_gradient_difference(x, d, batch, 0.5, h), keep(all_, h); });
    if (auto* curvature = query<Curvature>(f))
      ask(all_, [&] { curvature->add_hessian_product(x, d, batch, 1.0, k), keep(all_, k); });
  }

  void prepare_oracles() {
    component_ = bench_.make(settings_, bench_.context(work_.threads));
    shapes_ = exercise_shapes(bench_, work_.large);
    pieces_ = 3 * shapes_.size();
  }
  void ask_oracles() {
    const Shape& shape = shapes_[(next_ - 1) % shapes_.size()];
    const Element c = Element::dense(shape, some_numbers(random_, shape.size()));
    if (auto* oracle = query<LinearOracle>(*component_))
      for (const bool confirm : {false, true})
        ask(all_, [&] {
          Element vertex;
          all_.push_back(oracle->minimize(c, {1e-6, confirm}, vertex).value);
          keep(all_, vertex);
        });
    if (auto* oracle = query<ProximalOracle>(*component_))
      ask(all_, [&] {
        Element x;
        oracle->apply(c, 0.3, x, {});
        keep(all_, x);
        all_.push_back(oracle->value(x));
      });
  }

  void ask_loss() {
    auto& psi = static_cast<Loss&>(*component_);
    if (psi.of_classes()) psi.set_classes(2);
    const Index n = work_.large ? 9000 : 24;
    const Numbers z = some_numbers(random_, n * psi.outputs()),
                  y(static_cast<std::size_t>(n), psi.accepts(1.0) ? 1.0 : 0.0);
    Numbers out(z.size());
    ask(all_, [&] { all_.push_back(psi.sum(z, y)); });
    ask(all_, [&] { psi.derivative(z, y, out), keep(all_, out); });
    ask(all_, [&] { psi.second_derivative(z, y, out), keep(all_, out); });
    if (psi.has_conjugate())
      ask(all_, [&] { psi.derivative(z, y, out), all_.push_back(psi.conjugate(out, y, {})); });
  }

  void ask_data() {
    const auto component = bench_.make(settings_, bench_.context(work_.threads));
    const auto* data = query<Dataset>(*component);
    if (!data) return;
    if (const auto ratings = data->ratings()) {
      keep(all_, ratings->value);
      for (const auto& positions : {ratings->row, ratings->col})
        all_.insert(all_.end(), positions.begin(), positions.end());
    }
    if (const auto design = data->design()) {
      Numbers row(static_cast<std::size_t>(design->cols));
      for (Index i = 0; i < design->rows; ++i) design->row(i, row), keep(all_, row);
      keep(all_, design->response);
    }
    if (const Element* truth = data->truth()) keep(all_, *truth);
  }

  const Bench& bench_;
  Work work_;
  Settings settings_;
  RandomStream random_;
  Numbers all_;
  std::size_t next_ = 0, pieces_ = 0;
  std::shared_ptr<Objective> objective_;
  std::shared_ptr<Component> component_;
  std::vector<Shape> shapes_;
  std::optional<Driven> driven_;
  std::unique_ptr<Composed> composed_;
};

}  // namespace

Numbers exercise(const Bench& bench, const Settings& settings, const Work& work) {
  Worker worker(bench, settings, work);
  while (!worker.done()) worker.piece();
  return worker.all();
}

Numbers exercise_in_turns(const Bench& bench, const Settings& settings, const Work& work) {
  Work other = work;
  other.inputs += 1000;
  Worker first(bench, settings, work), second(bench, settings, other);
  while (!first.done()) {
    second.piece();
    first.piece();
  }
  return first.all();
}

}  // namespace claros::doctor
