// SPDX-License-Identifier: BSD-3-Clause
// ensmallen_fista DESIGN.bin LAMBDA TOLERANCE OUTPUT: the Lasso by ensmallen's FISTA; prints the seconds of
// the fit.
#include <armadillo>
#include <ensmallen.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <vector>

namespace {

/// (1/2n) ||A x - y||^2, with A' in memory, so that both products read columns.
struct LeastSquares {
  arma::mat transposed;
  arma::vec y;

  double Evaluate(const arma::mat& x) const { return 0.5 * arma::dot(residual(x), residual(x)) / count(); }
  void Gradient(const arma::mat& x, arma::mat& g) const { g = transposed * residual(x) / count(); }
  double EvaluateWithGradient(const arma::mat& x, arma::mat& g) const {
    const arma::vec r = residual(x);
    g = transposed * r / count();
    return 0.5 * arma::dot(r, r) / count();
  }

 private:
  arma::vec residual(const arma::mat& x) const { return transposed.t() * x - y; }
  double count() const { return static_cast<double>(y.n_elem); }
};

LeastSquares read(const char* path) {
  std::ifstream in(path, std::ios::binary);
  std::uint32_t words[6];
  std::int64_t sizes[2];
  in.read(reinterpret_cast<char*>(words), sizeof words)
      .read(reinterpret_cast<char*>(sizes), sizeof sizes)
      .ignore(24);
  const auto rows = static_cast<arma::uword>(sizes[0]), cols = static_cast<arma::uword>(sizes[1]);
  LeastSquares f;
  f.y.set_size(rows);
  in.read(reinterpret_cast<char*>(f.y.memptr()), static_cast<std::streamsize>(rows * sizeof(double)));
  if (words[4] == sizeof(float)) {
    arma::fmat single(cols, rows);
    in.read(reinterpret_cast<char*>(single.memptr()),
            static_cast<std::streamsize>(single.n_elem * sizeof(float)));
    f.transposed = arma::conv_to<arma::mat>::from(single);
  } else {
    f.transposed.set_size(cols, rows);
    in.read(reinterpret_cast<char*>(f.transposed.memptr()),
            static_cast<std::streamsize>(f.transposed.n_elem * sizeof(double)));
  }
  return f;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  LeastSquares f = read(argv[1]);
  arma::mat x(f.transposed.n_rows, 1);
  ens::FISTA<ens::L1Penalty> fista(ens::L1Penalty(std::atof(argv[2])), 100000, std::atof(argv[3]));
  const auto begin = std::chrono::steady_clock::now();
  fista.Optimize(f, x);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::ofstream(argv[4], std::ios::binary)
      .write(reinterpret_cast<const char*>(x.memptr()),
             static_cast<std::streamsize>(x.n_elem * sizeof(double)));
  std::printf("%g\n", seconds);
}
