// SPDX-License-Identifier: BSD-3-Clause
#include <claros/parameters.hpp>
#include <claros/trace.hpp>

#include <cmath>

namespace claros {

std::string trace_csv(const std::vector<TraceRow>& rows) {
  std::string text =
      "iteration,epoch,passes,seconds,value,gap,residual,estimator_error,rmse_truth,test_rmse,step,rank_or_support,sfo,sfo_indices,sso,hessian_products,hvp,lo,po,svd,matvec\n";
  const auto real = [](double value) { return std::isnan(value) ? std::string() : print_real(value); };
  for (const TraceRow& r : rows) {
    text += std::to_string(r.iteration) + ',' + std::to_string(r.epoch) + ',' + real(r.passes) + ',' + real(r.seconds) + ',' +
            real(r.value) + ',' + real(r.gap) + ',' + real(r.residual) + ',' + real(r.estimator_error) + ',' + real(r.rmse_truth) + ',' +
            real(r.test_rmse) + ',' + real(r.step) + ',' + (r.rank_or_support < 0 ? std::string() : std::to_string(r.rank_or_support));
    for (const Index count : {r.counts.sfo, r.counts.sfo_indices, r.counts.sso, r.counts.hessian_products, r.counts.hvp, r.counts.lo, r.counts.po,
                              r.counts.svd, r.counts.matvec})
      text += ',' + std::to_string(count);
    text += '\n';
  }
  return text;
}

}  // namespace claros
