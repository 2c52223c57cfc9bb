// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_world.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <utility>

namespace claros::mpi {

namespace {

constexpr int kNumbers = 1, kWaiting = 2;              // tags
constexpr std::size_t kPiece = std::size_t{1} << 27U;  // numbers in one message
constexpr int kText = 192;                             // of the name of a call

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Adds the time of a scope.
class Timed {
 public:
  explicit Timed(double& sum) : sum_(sum) {}
  ~Timed() { sum_ += seconds_since(begin_); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& sum_;
  Clock::time_point begin_ = Clock::now();
};

/// Waiting: at first at full speed, as MPI itself does; then other processes may have the core.
class Turns {
 public:
  void next() {
    if (++turns_ > kAtFullSpeed) ::sched_yield();
  }

 private:
  static constexpr Index kAtFullSpeed = 1000;
  Index turns_ = 0;
};

}  // namespace

MpiWorld::MpiWorld(MPI_Comm ranks, double patience, int lines)
    : ranks_(ranks), patience_(patience), lines_(lines) {
  MPI_Comm_rank(ranks_, &rank_);
  MPI_Comm_size(ranks_, &size_);
}

MpiWorld::~MpiWorld() = default;

Index MpiWorld::largest(const char* what, Index value) {
  const Timed timed(traffic_.seconds);
  ++traffic_.calls;
  return agree(what, value, nullptr);
}

void MpiWorld::exchange(const char* what, const std::vector<std::span<const double>>& send,
                        const std::vector<std::span<double>>& receive) {
  const Timed timed(traffic_.seconds);
  ++traffic_.calls;
  (void)agree(what, 0, nullptr);
  std::vector<MPI_Request> requests;
  const auto pieces = [](std::size_t size, const std::function<void(std::size_t, int)>& use) {
    for (std::size_t from = 0; from < size; from += kPiece)
      use(from, static_cast<int>(std::min(kPiece, size - from)));
  };
  for (int r = 0; r < size_; ++r) {
    const auto& to = receive[static_cast<std::size_t>(r)];
    if (r != rank_)
      pieces(to.size(), [&](std::size_t from, int count) {
        MPI_Irecv(to.data() + from, count, MPI_DOUBLE, r, kNumbers, ranks_, &requests.emplace_back());
      });
  }
  for (int k = 1; k < size_; ++k) {
    const int r = (rank_ + k) % size_;  // not all to the same one first
    const auto& of = send[static_cast<std::size_t>(r)];
    traffic_.bytes += static_cast<Index>(of.size_bytes());
    pieces(of.size(), [&](std::size_t from, int count) {
      MPI_Isend(of.data() + from, count, MPI_DOUBLE, r, kNumbers, ranks_, &requests.emplace_back());
    });
  }
  const auto me = static_cast<std::size_t>(rank_);
  std::copy(send[me].begin(), send[me].end(), receive[me].begin());
  wait(what, [&](int& done) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
  });
}

void MpiWorld::fail(const char* what, const Error& error) {
  (void)agree(what, 0, &error);
  throw error;
}

Index MpiWorld::agree(const char* what, Index value, const Error* error) {
  if (apart_)
    throw Error(ErrorKind::numerical, "rank " + std::to_string(rank_),
                "cannot go on: the ranks no longer work together", "");
  ++calls_;
  const Index hash = text_number(what);
  Heading all{error ? size_ - rank_ : 0, hash, -hash, value};
  allreduce(all, what);
  const bool same = all.call == -all.minus;
  apart_ = !same;
  if (all.failed > 0) throw_error_of(size_ - static_cast<int>(all.failed), error);
  if (!same) throw_difference(what);
  return all.value;
}

void MpiWorld::allreduce(Heading& heading, const char* what) {
  static_assert(sizeof(Heading) == 4 * sizeof(Index));
  const Heading mine = heading;
  MPI_Request request;
  MPI_Iallreduce(&mine, &heading, 4, MPI_INT64_T, MPI_MAX, ranks_, &request);
  wait(what, [&](int& done) { MPI_Test(&request, &done, MPI_STATUS_IGNORE); });
}

void MpiWorld::wait(const char* what, const std::function<void(int&)>& test) {
  const auto begin = Clock::now();
  double next = patience_;
  Turns turns;
  for (int done = 0;; turns.next()) {
    test(done);
    if (done) return;
    if (seconds_since(begin) < next) continue;
    next += patience_;
    tell_of_waiting(what);
  }
}

/// The ranks that wait tell each other, for a tenth of the patience; the others have not come. The first of
/// them that waits writes the line.
void MpiWorld::tell_of_waiting(const char* what) {
  const Index call = calls_;
  for (int r = 0; r < size_; ++r) {
    MPI_Request request;
    if (r == rank_) continue;
    MPI_Isend(&call, 1, MPI_INT64_T, r, kWaiting, ranks_, &request);  // so short that it is sent at once
    MPI_Request_free(&request);
  }
  std::vector<bool> waits(static_cast<std::size_t>(size_), false);
  waits[static_cast<std::size_t>(rank_)] = true;
  for (const auto begin = Clock::now(); seconds_since(begin) < 0.25 * patience_;) {
    int found = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kWaiting, ranks_, &found, &status);
    if (!found) {
      ::usleep(1000);
      continue;
    }
    Index theirs = 0;
    MPI_Recv(&theirs, 1, MPI_INT64_T, status.MPI_SOURCE, kWaiting, ranks_, MPI_STATUS_IGNORE);
    if (theirs + 1 >= call) waits[static_cast<std::size_t>(status.MPI_SOURCE)] = true;
  }
  std::vector<int> missing;
  for (int r = 0; r < size_; ++r)
    if (!waits[static_cast<std::size_t>(r)]) missing.push_back(r);
  if (missing.empty() || std::find(waits.begin(), waits.end(), true) - waits.begin() != rank_) return;
  const std::string line = "claros: rank " + std::to_string(rank_) + " has waited " +
                           std::to_string(static_cast<Index>(patience_)) + " s or more in '" + what +
                           "' for " + rank_list(missing) + "\n";
  if (::write(lines_, line.data(), line.size()) < 0) return;
}

/// All ranks come here, the one that failed included.
void MpiWorld::throw_error_of(int rank, const Error* own) {
  std::vector<std::string> words;
  if (rank == rank_)
    for (const Complaint& c : own->complaints()) words.insert(words.end(), {c.where, c.what, c.remedy});
  Index about[2] = {static_cast<Index>(words.size()),
                    own && rank == rank_ ? static_cast<Index>(own->kind()) : 0};
  MPI_Bcast(about, 2, MPI_INT64_T, rank, ranks_);
  words.resize(static_cast<std::size_t>(about[0]));
  for (std::string& word : words) {
    Index length = static_cast<Index>(word.size());
    MPI_Bcast(&length, 1, MPI_INT64_T, rank, ranks_);
    word.resize(static_cast<std::size_t>(length));
    MPI_Bcast(word.data(), static_cast<int>(length), MPI_CHAR, rank, ranks_);
  }
  std::vector<Complaint> complaints;
  for (std::size_t k = 0; k + 2 < words.size(); k += 3)
    complaints.push_back({words[k], words[k + 1], words[k + 2]});
  throw Error(static_cast<ErrorKind>(about[1]), std::move(complaints));
}

/// The ranks say where they are.
void MpiWorld::throw_difference(const char* what) {
  std::array<char, kText> mine{};
  std::strncpy(mine.data(), what, mine.size() - 1);
  std::vector<char> all(static_cast<std::size_t>(size_) * kText);
  MPI_Allgather(mine.data(), kText, MPI_CHAR, all.data(), kText, MPI_CHAR, ranks_);
  std::string text;
  for (int r = 0; r < std::min(size_, 8); ++r)
    text += (r ? ", rank " : "rank ") + std::to_string(r) + " '" +
            std::string(all.data() + static_cast<std::ptrdiff_t>(r) * kText) + "'";
  throw Error(ErrorKind::numerical, "ranks", "do not make the same calls: " + text,
              "a rank has ended its run, or computes other numbers: use the same machine type everywhere");
}

}  // namespace claros::mpi
