// SPDX-License-Identifier: BSD-3-Clause
#include <claros/tree_sum.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace claros {

namespace {

/// Arrays up to this size cost less in one message to all than in two to each.
constexpr std::size_t kSmall = 2048;

struct Node {
  Index first, last;
  Index middle() const { return first + (last - first) / 2; }
  Node left() const { return {first, middle()}; }
  Node right() const { return {middle(), last}; }
};

/// The largest nodes below `node` that lie within `range`, in their order.
void nodes_within(Node node, ChunkRange range, std::vector<Node>& found) {
  if (node.first >= range.last || node.last <= range.first) return;
  if (node.first >= range.first && node.last <= range.last) return found.push_back(node);
  nodes_within(node.left(), range, found);
  nodes_within(node.right(), range, found);
}

void add_to(std::span<double> sum, std::span<const double> more) {
  for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += more[j];
}

/// The sum of a node of this rank. A node that has nothing to add is left out, which changes no bit: a sum
/// that begins with 0 is never -0.
class LocalSums {
 public:
  explicit LocalSums(const AddChunk& add) : add_(add) {}
  void operator()(Node node, std::span<double> out) {
    if (!sum(node, out, 0)) std::fill(out.begin(), out.end(), 0.0);
  }

 private:
  bool sum(Node node, std::span<double> out, std::size_t depth) {
    if (node.last - node.first == 1) {
      std::fill(out.begin(), out.end(), 0.0);
      return add_(node.first, out);
    }
    if (!sum(node.left(), out, depth + 1)) return sum(node.right(), out, depth + 1);
    if (rooms_.size() <= depth) rooms_.resize(depth + 1);
    rooms_[depth].resize(out.size());
    const std::span<double> other(rooms_[depth]);  // stays where it is if rooms_ grows
    if (sum(node.right(), other, depth + 1)) add_to(out, other);
    return true;
  }

  const AddChunk& add_;
  std::vector<std::vector<double>> rooms_;  // one a depth
};

/// The upper tree. It leads from the sums of the ranks' nodes, in the order of the chunks, to that of the
/// root, which overwrites them.
class UpperTree {
 public:
  UpperTree(const std::vector<Node>& nodes, std::span<double> sums, std::size_t size)
      : nodes_(nodes), sums_(sums), size_(size) {}
  std::span<double> sum(Node node) {
    if (nodes_[next_].first == node.first && nodes_[next_].last == node.last)
      return sums_.subspan(next_++ * size_, size_);
    const std::span<double> left = sum(node.left());
    add_to(left, sum(node.right()));
    return left;
  }

 private:
  const std::vector<Node>& nodes_;
  std::span<double> sums_;
  std::size_t size_, next_ = 0;
};

/// Numbers that are written before they are read.
class Room {
 public:
  explicit Room(std::size_t size) : numbers_(std::make_unique_for_overwrite<double[]>(size)), size_(size) {}
  std::span<double> span() const { return {numbers_.get(), size_}; }

 private:
  std::unique_ptr<double[]> numbers_;
  std::size_t size_;
};

class Sum {
 public:
  Sum(World& world, const char* what, Index chunks)
      : world_(world), what_(what), root_{0, chunks}, ranks_(static_cast<std::size_t>(world.size())) {
    for (int r = 0; r < world.size(); ++r) {
      start_.push_back(all_.size());
      nodes_within(root_, chunks_of_rank(chunks, r, world.size()), all_);
    }
    start_.push_back(all_.size());
  }

  void operator()(std::span<double> out, const AddChunk& add) {
    const std::size_t p = out.size();
    const Room several(count(me()) > 1 ? count(me()) * p : 0);  // the sum of one node is made in `out`
    const std::span<double> sums = count(me()) > 1 ? several.span() : out.first(count(me()) * p);
    fill(sums, p, add);
    const bool small = p <= kSmall;
    const auto from = [&](std::size_t r) { return small ? 0 : p * r / ranks_; };
    const auto to = [&](std::size_t r) { return small ? p : p * (r + 1) / ranks_; };
    const std::size_t size = to(me()) - from(me());
    const Room received(all_.size() * size);
    if (count(me()) > 1 && !small) {
      const Room parts(sums.size());
      collect(parted(sums, parts.span(), p, from, to), received.span(), size, from, to);
    } else {
      collect(sums, received.span(), size, from, to);
    }
    const std::span<const double> part = UpperTree(all_, received.span(), size).sum(root_);
    if (small) return void(std::copy(part.begin(), part.end(), out.begin()));
    std::vector<std::span<const double>> send(ranks_, part);
    std::vector<std::span<double>> receive;
    for (std::size_t r = 0; r < ranks_; ++r) receive.push_back(out.subspan(from(r), to(r) - from(r)));
    world_.exchange(what_, send, receive);
  }

 private:
  std::size_t me() const { return static_cast<std::size_t>(world_.rank()); }
  std::size_t count(std::size_t r) const { return start_[r + 1] - start_[r]; }

  void fill(std::span<double> sums, std::size_t p, const AddChunk& add) {
    LocalSums local(add);
    for (std::size_t k = 0; k < count(me()); ++k) local(all_[start_[me()] + k], sums.subspan(k * p, p));
  }

  /// The sums of this rank's nodes, cut by the ranks that go on with them: for rank r those of all nodes.
  template <class From, class To>
  std::span<const double> parted(std::span<const double> sums, std::span<double> parts, std::size_t p,
                                 From from, To to) const {
    auto next = parts.begin();
    for (std::size_t r = 0; r < ranks_; ++r)
      for (std::size_t k = 0; k < count(me()); ++k) {
        const auto some = sums.subspan(k * p + from(r), to(r) - from(r));
        next = std::copy(some.begin(), some.end(), next);
      }
    return parts;
  }

  /// received <- the parts of this rank of all nodes of all ranks. `parts`: a part a rank, or, where all get
  /// the same, one.
  template <class From, class To>
  void collect(std::span<const double> parts, std::span<double> received, std::size_t size, From from,
               To to) {
    std::vector<std::span<const double>> send;
    std::vector<std::span<double>> receive;
    for (std::size_t r = 0; r < ranks_; ++r) {
      send.push_back(parts.subspan(count(me()) * from(r), count(me()) * (to(r) - from(r))));
      receive.push_back(received.subspan(start_[r] * size, count(r) * size));
    }
    world_.exchange(what_, send, receive);
  }

  World& world_;
  const char* what_;
  Node root_;
  std::size_t ranks_;
  std::vector<Node> all_;           // of all ranks, in the order of the chunks
  std::vector<std::size_t> start_;  // of a rank's nodes in it
};

}  // namespace

ChunkRange chunks_of_rank(Index chunks, int rank, int size) noexcept {
  return {chunks * rank / size, chunks * (rank + 1) / size};
}

namespace {

/// The error of this rank's own work, as all ranks throw it.
Error of_rank(const World& world, const std::exception& caught) {
  const std::string rank = "rank " + std::to_string(world.rank());
  if (const auto* error = dynamic_cast<const Error*>(&caught)) {
    std::vector<Complaint> complaints = error->complaints();
    for (Complaint& complaint : complaints) complaint.what += " (on " + rank + ")";
    return {error->kind(), std::move(complaints)};
  }
  if (dynamic_cast<const std::bad_alloc*>(&caught))
    return {ErrorKind::data, rank, "is out of memory",
            "start fewer ranks on a machine, or use more machines"};
  return {ErrorKind::plugin, rank, caught.what()};
}

}  // namespace

void tree_sum(World& world, const char* what, Index chunks, std::span<double> out, const AddChunk& add) {
  if (world.size() == 1) return LocalSums(add)({0, chunks}, out);
  Sum(world, what, chunks)(out, [&](Index chunk, std::span<double> partial) -> bool {
    try {
      return add(chunk, partial);
    } catch (const std::exception& caught) {
      world.fail(what, of_rank(world, caught));
      throw;  // which fail has done
    }
  });
}

}  // namespace claros
