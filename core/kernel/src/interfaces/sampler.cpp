// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/sampler.hpp>

#include <unordered_set>

namespace claros {

Batch Sampler::draw(Index size, bool replacement) {
  if (terms_ == kUnbounded) {
    const auto first = static_cast<Index>(stream_.position());
    stream_.seek(stream_.position() + static_cast<std::uint64_t>(size));
    return Batch::range(first, size);
  }
  batch_.clear();
  if (replacement) {
    for (Index k = 0; k < size; ++k) batch_.push_back(stream_.index(terms_));
    return Batch::of(batch_);
  }
  if (size > terms_)
    throw Error(ErrorKind::usage, "batch",
                std::to_string(size) + " distinct components of " + std::to_string(terms_),
                "lower the batch, or sample with replacement");
  // Floyd's algorithm: `size` distinct indices from `size` draws.
  std::unordered_set<Index> chosen;
  for (Index j = terms_ - size; j < terms_; ++j) {
    const Index candidate = stream_.index(j + 1);
    batch_.push_back(chosen.insert(candidate).second ? candidate : (chosen.insert(j), j));
  }
  return Batch::of(batch_);
}

Batch Sampler::draw(Index size, const Importance& importance) {
  batch_.clear();
  weights_.clear();
  for (Index k = 0; k < size; ++k) {
    batch_.push_back(importance.draw(stream_));
    weights_.push_back(importance.weight(batch_.back()));
  }
  return Batch::of(batch_, weights_);
}

}  // namespace claros
