// SPDX-License-Identifier: BSD-3-Clause
// Errors as values: every complaint says where, what and what to do about it. Nothing here throws.
#include <claros/host.hpp>
#include <claros/io/memory_data.hpp>

#include <cstdio>
#include <vector>

namespace {

void show(const claros::Error& error) {
  for (const claros::Complaint& complaint : error.complaints())
    std::printf("where:  %s\nwhat:   %s\nremedy: %s\n\n", complaint.where.c_str(), complaint.what.c_str(),
                complaint.remedy.c_str());
}

}  // namespace

int main() {
  const claros::Catalog catalog = claros::Catalog::standard();
  claros::Solver solver(catalog);
  solver.objective("linear-modle")
      .constraint("l1-ball", {{"radius", -1}, {"raduis", 2}})
      .stop_when({{"iterations", 100}});
  const auto refused = solver.algorithm("frank-wolfe").try_solve();
  if (!refused) show(refused.error());  // all that is wrong, at once

  const std::vector<double> a{1, 2, 3, 4}, y{1, 2, 3};
  const auto data = claros::attempt([&] { return claros::data_from_rows(a, 2, 2, y); });
  if (!data) show(data.error());

  const auto sound = solver.objective("linear-model")
                         .data(claros::data_from_rows(a, 2, 2, std::span(y).first(2)))
                         .constraint("l1-ball", {{"radius", 1}})
                         .try_solve();
  std::printf("now it %s\n", sound && sound->status == claros::Status::iterations ? "runs" : "does not run");
}
