// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/plan.hpp>
#include <claros/other_names.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace claros {

namespace {

using Names = std::vector<OtherName>;
using Words = std::vector<std::string>;

constexpr const char *kSkl = "scikit-learn", *kGlm = "glmnet", *kFw = "FrankWolfe.jl", *kCvx = "CVX, CVXPY",
                     *kDeep = "PyTorch, Optax", *kPapers = "papers", *kScipy = "SciPy",
                     *kStats = "statsmodels", *kSkglm = "skglm", *kR = "R", *kLifelines = "lifelines",
                     *kImplicit = "implicit";

void component(Names& all, const std::string& section, const Words& names, const Words& means,
               const char* library) {
  for (const std::string& name : names) all.push_back({section, "use", name, means, {}, library});
}

void advise(Names& all, const std::string& section, const Words& names, const std::string& advice,
            const char* library) {
  for (const std::string& name : names) all.push_back({section, "use", name, {}, advice, library});
}

void key(Names& all, const std::string& section, const Words& names, const std::string& place,
         const char* library) {
  for (const std::string& name : names) all.push_back({section, name, {}, {place + "=*"}, {}, library});
}

void advise_key(Names& all, const std::string& section, const Words& names, const std::string& advice,
                const char* library) {
  for (const std::string& name : names) all.push_back({section, name, {}, {}, advice, library});
}

void advise_value(Names& all, const std::string& section, const std::string& key, const Words& values,
                  const std::string& advice, const char* library) {
  for (const std::string& value : values) all.push_back({section, key, value, {}, advice, library});
}

constexpr const char
    *kInverse = "write penalty.lambda = 1/(n C), or 1/(2 n C) of squared-hinge, where the data has n rows",
    *kVariance =
        "write objective.standardize=yes, which makes variances 1: normalize made the "
        "lengths of columns 1, and scale of R divides by n - 1";

void add_algorithms(Names& all) {
  const std::string use = "algorithm.use=", prox = use + "proximal-gradient";
  const auto with = [&](const std::string& estimator) { return Words{prox, "estimator.use=" + estimator}; };
  component(all, "algorithm", {"fista", "apg", "apgm", "nesterov", "accelerated-proximal-gradient"},
            {prox, "algorithm.accelerate=yes"}, kPapers);
  component(all, "algorithm",
            {"ista", "pgd", "projected-gradient", "gradient-descent", "gd", "forward-backward"},
            {prox, "algorithm.accelerate=no"}, kPapers);
  component(all, "algorithm", {"prox-svrg", "svrg"}, with("svrg"), kPapers);
  component(all, "algorithm", {"prox-saga", "saga"}, with("saga"), kSkl);
  component(all, "algorithm", {"prox-sgd", "sgd"}, with("sg"), kSkl);
  component(all, "algorithm", {"conditional-gradient", "fw"}, {use + "frank-wolfe"}, kFw);
  component(all, "algorithm", {"away-frank-wolfe", "afw"}, {use + "away-step"}, kFw);
  component(all, "algorithm", {"pairwise-frank-wolfe", "pfw"}, {use + "pairwise"}, kFw);
  component(all, "algorithm", {"blended-pairwise-conditional-gradient", "bpcg"}, {use + "blended-pairwise"},
            kFw);
  component(all, "algorithm", {"fcfw"}, {use + "fully-corrective"}, kPapers);
  component(all, "algorithm", {"stochastic-frank-wolfe", "sfw"}, {use + "frank-wolfe", "estimator.use=sg"},
            kFw);
  component(all, "algorithm", {"celer"}, {use + "working-set"}, kPapers);
  component(all, "algorithm", {"proximal-newton"}, {use + "prox-newton"}, kPapers);
  const std::string leave_out = ", or leave [algorithm] out: Claros chooses a method that fits";
  advise(all, "algorithm", {"adam", "adamw", "adagrad", "rmsprop"},
         "no adaptive step sizes here: write algorithm.use=proximal-gradient with estimator.use=svrg or sg" +
             leave_out,
         kDeep);
  advise(all, "algorithm", {"newton-cg", "newton", "newton-cholesky", "trust-constr", "irls"},
         "write algorithm.use=prox-newton (second order) or lbfgs" + leave_out, kScipy);
  component(all, "algorithm", {"l-bfgs", "lbfgsb", "l-bfgs-b", "bfgs"}, {use + "lbfgs"}, kScipy);
  advise(all, "algorithm",
         {"als", "alternating-least-squares", "svd", "funk-svd", "svd++", "bpr", "softimpute"},
         "write algorithm.use=factored, which works on the factors of the matrix" + leave_out, kPapers);
  advise(all, "algorithm", {"pdhg", "chambolle-pock"}, "write algorithm.use=primal-dual" + leave_out, kCvx);
  advise(all, "algorithm", {"douglas-rachford", "drs"},
         "write algorithm.use=three-operator for a penalty and a set, else proximal-gradient" + leave_out,
         kCvx);
  advise(all, "algorithm",
         {"ecos", "scs", "osqp", "mosek", "gurobi", "clarabel", "sedumi", "sdpt3", "highs", "ipopt",
          "interior-point"},
         "no general cone solver here: name the objective, the penalty and the set" + leave_out, kCvx);
  advise(all, "algorithm", {"liblinear", "sag", "lars", "lasso-lars"},
         "write algorithm.use=coordinate-descent, or proximal-gradient with estimator.use=sag" + leave_out,
         kSkl);
}

/// A name is taken if it stands for the same problem, scale and intercept included; else it is advised on.
void add_objectives(Names& all) {
  const std::string model = "objective.use=linear-model", intercept = "objective.intercept=yes",
                    units = "objective.standardize=no";
  component(all, "objective", {"linear-regression"}, {model, intercept}, kSkl);
  component(all, "objective", {"lasso"}, {model, "penalty.use=l1", intercept, units}, kSkl);
  component(all, "objective", {"elasticnet", "elastic-net"},
            {model, "penalty.use=elastic-net", intercept, units}, kSkl);
  component(all, "objective", {"least-squares", "regression", "ols"}, {model}, kStats);
  component(all, "objective", {"logit"}, {model, "objective.loss=logistic"}, kStats);
  component(all, "objective", {"poisson-regression"}, {model, "objective.loss=poisson"}, kStats);
  component(all, "objective", {"collaborative-filtering", "recommender", "ratings"},
            {"objective.use=matrix-completion"}, kPapers);
  advise(all, "objective", {"als", "svd", "matrix-factorization"},
         "write objective.use=matrix-completion; Claros chooses a penalty and an algorithm", kPapers);
  advise(all, "objective", {"implicit"},
         "write objective.use=matrix-completion objective.implicit=yes objective.unobserved=0.05", kPapers);
  advise(all, "objective", {"bpr", "warp", "lightfm"},
         "write objective.use=matrix-completion objective.implicit=yes objective.unobserved=0.05 with the "
         "penalty nuclear; claros path chooses its lambda",
         kImplicit);
  advise(
      all, "objective",
      {"random-forest", "decision-tree", "xgboost", "lightgbm", "gradient-boosting", "knn", "neural-network"},
      "models are linear in the columns here: write objective.use=linear-model", kSkl);
  advise(
      all, "objective", {"rosenbrock", "custom", "function"},
      "write a function of your own as a plugin (claros new-plugin objective NAME), or in Python an object "
      "that claros.solve(objective=...) takes",
      kScipy);
  advise(all, "objective", {"assignment"}, "write objective.use=linear set.use=birkhoff", kPapers);
  advise(all, "objective", {"lp"}, "write objective.use=linear set.use=polytope set.program=FILE", kPapers);
  advise(all, "objective", {"qp"}, "write objective.use=quadratic", kPapers);
  advise(all, "objective", {"glm"}, "write objective.use=linear-model objective.loss=NAME", kStats);
  advise(all, "objective", {"ridge"},
         "write objective.use=linear-model objective.intercept=yes objective.standardize=no "
         "penalty.use=ridge penalty.lambda=L, where L is alpha / n of n rows",
         kSkl);
  advise(
      all, "objective", {"logistic-regression"},
      "write objective.use=linear-model objective.loss=logistic; scikit-learn adds objective.intercept=yes "
      "objective.standardize=no penalty.use=ridge penalty.lambda=L, where L is 1/(n C) of n rows",
      kSkl);
  advise(all, "objective", {"poisson-regressor"},
         "write objective.use=linear-model objective.loss=poisson objective.intercept=yes "
         "objective.standardize=no penalty.use=ridge penalty.lambda=L, where L is alpha",
         kSkl);
  advise(
      all, "objective", {"softimpute", "soft-impute"},
      "write objective.use=matrix-completion penalty.use=nuclear penalty.lambda=L, where L is the lambda of "
      "softImpute over the number of ratings: it adds the squared errors up, and Claros takes their mean",
      kR);
  advise(all, "objective", {"svm", "svc", "linear-svc", "linearsvc"},
         "write objective.use=linear-model objective.loss=squared-hinge penalty.use=ridge penalty.lambda=L, "
         "where L is 1/(2 n C) of LinearSVC",
         kSkl);
  advise(all, "objective", {"logistic", "squared", "huber", "poisson", "quantile", "mse"},
         "a loss belongs to a linear model: write objective.use=linear-model objective.loss=NAME", kSkl);
  const std::string loss = "objective.loss";
  component(all, loss, {"log", "log-loss", "log_loss", "binomial", "bernoulli"}, {loss + "=logistic"}, kSkl);
  component(all, loss, {"gaussian"}, {loss + "=squared"}, kGlm);
  component(all, loss, {"quadratic"}, {loss + "=squared"}, kSkglm);
  component(all, loss, {"cross-entropy", "cross_entropy", "categorical-crossentropy"},
            {loss + "=multinomial"}, kDeep);
  component(all, loss, {"nb"}, {loss + "=negative-binomial"}, kPapers);
  advise(all, loss, {"mse", "squared_error", "least-squares", "l2"},
         "write objective.loss=squared, which is half of the squared error: (z - y)^2 / 2", kSkl);
  advise(all, loss, {"hinge"}, "hinge is not smooth: write objective.loss=squared-hinge", kSkl);
  advise(all, loss, {"mae", "l1", "absolute", "absolute_error", "lad"},
         "write objective.loss=quantile (tau = 0.5 is the median, of half the absolute error) or huber",
         kSkl);
  key(all, "objective", {"fit_intercept"}, "objective.intercept", kSkl);
  advise_key(all, "objective", {"normalize", "scale"}, kVariance, kSkl);
  key(all, "objective", {"sample_weight", "sample_weights"}, "objective.weights", kSkl);
  key(all, "objective", {"family"}, "objective.loss", kGlm);
  key(all, "objective", {"y", "target", "label"}, "objective.response", kSkl);
  key(all, "objective", {"x", "file", "path", "filename", "input", "csv"}, "objective.data", kSkl);
  key(all, "objective", {"drop"}, "objective.without", kSkl);
  key(all, "objective", {"sep", "separator"}, "objective.delimiter", kR);
  key(all, "objective", {"X", "Q"}, "objective.data", kCvx);
  key(all, "objective/linear", {"c", "costs"}, "objective.data", kScipy);
  key(all, "objective/quadratic", {"c", "q"}, "objective.linear", kCvx);
  key(all, "objective/matrix-completion", {"test_size", "test-size"}, "objective.held_out", kSkl);
  advise_key(all, "objective/matrix-completion",
             {"user", "item", "rating", "users", "items", "user_col", "item_col"},
             "write objective.columns=USER,ITEM,RATING, the names of the header", kImplicit);
  advise_key(all, "objective/matrix-completion", {"bias", "biases"}, "write objective.center=biases",
             kImplicit);
  advise_key(all, "objective/linear-model", {"test", "test_size", "validation"},
             "write claros path SPEC --folds 5, or claros predict DIR FILE, which measures the predictions",
             kSkl);
  const std::string choose =
      "write objective.response=NAME and objective.columns=A,B, or objective.without=C";
  advise_key(all, "objective", {"formula"}, choose, kR);
  advise_value(all, "objective", "features", {"NAMES"}, choose, kSkl);
  advise_key(all, "", {"features"}, choose, kSkl);
  advise_value(all, "objective", "missing", {"impute", "fill", "ignore", "zero"},
               "write objective.missing=mean, median or indicator, which fill in, or drop", kSkl);
  key(all, "objective/cox", {"time", "times", "duration", "duration_col"}, "objective.response", kLifelines);
  key(all, "objective/cox", {"event_col", "status", "observed"}, "objective.event", kLifelines);
  key(all, "objective/matrix-completion", {"alpha"}, "objective.confidence", kImplicit);
  advise_key(
      all, "objective/matrix-completion", {"factors", "n_factors", "rank", "k"},
      "the penalty decides the rank: write penalty.use=nuclear penalty.lambda=0.1*max, or claros path, "
      "which chooses lambda",
      kImplicit);
  advise_key(all, "objective", {"penalty", "lambda", "alpha"},
             "a penalty has a section of its own: penalty.use=l1 penalty.lambda=0.1", kSkl);
}

void add_regularizers(Names& all) {
  const std::string use = "penalty.use=", set = "set.use=";
  component(all, "penalty", {"elasticnet", "enet"}, {use + "elastic-net"}, kSkl);
  advise(
      all, "penalty", {"l1_l2", "l1l2"},
      "write penalty.use=elastic-net, lambda (ratio |x| + (1 - ratio)/2 x^2): Keras has no half, so lambda "
      "is l1 + 2 l2 and ratio is l1 / lambda",
      kDeep);
  component(all, "penalty", {"nuclear-norm", "trace-norm-penalty"}, {use + "nuclear"}, kCvx);
  component(all, "penalty", {"norm1", "l1-norm", "norm-l1"}, {use + "l1"}, kCvx);
  component(all, "penalty", {"weight-decay"}, {use + "ridge"}, kDeep);
  advise(all, "penalty", {"tikhonov", "squared-l2", "l2-squared", "sum-squares"},
         "write penalty.use=ridge, (lambda/2) ||x||^2, with twice the factor of ||x||^2", kCvx);
  component(all, "penalty", {"nonneg", "positive"}, {use + "nonnegative"}, kSkl);
  advise(all, "penalty", {"hard-threshold"},
         "write penalty.use=l0 penalty.lambda=L, where L is half the square of the threshold", kPapers);
  advise(all, "penalty", {"l2"},
         "write penalty.use=ridge, (lambda/2) ||x||^2; penalty.use=group is the norm "
         "||x|| without the square",
         kSkl);
  advise(all, "penalty", {"none", "no", "null"}, "leave the penalty out", kSkl);
  advise(all, "penalty", {"l21", "l2-1", "l1-l2", "mixed"}, "write penalty.use=group", kPapers);
  key(all, "penalty", {"l1_ratio"}, "penalty.ratio", kSkl);
  key(all, "penalty", {"lam", "lambd", "lmbda", "reg", "reg_param", "strength"}, "penalty.lambda", kPapers);
  advise_key(all, "penalty", {"penalty_factor", "penalty-factor"},
             "write penalty.weights with factors of the mean 1, to which glmnet scales its own", kGlm);
  advise_key(
      all, "penalty", {"alpha"},
      "write penalty.lambda (alpha of scikit-learn, of its Ridge alpha / n), or penalty.ratio of elastic-net "
      "(alpha of glmnet)",
      kSkl);
  advise_key(all, "penalty", {"c", "C"}, kInverse, kSkl);
  component(all, "set", {"l1", "l1-norm-ball", "lasso"}, {set + "l1-ball"}, kFw);
  component(all, "set", {"l2", "euclidean-ball", "ball", "l2-norm-ball"}, {set + "l2-ball"}, kFw);
  component(all, "set", {"nuclear", "nuclear-norm", "nuclear-norm-ball", "trace-norm"},
            {set + "nuclear-ball"}, kFw);
  component(all, "set", {"probability-simplex", "prob-simplex"}, {set + "simplex"}, kFw);
  component(all, "set", {"spectraplex"}, {set + "spectrahedron"}, kFw);
  component(all, "set", {"unit-spectrahedron"}, {set + "psd-trace"}, kFw);
  component(all, "set", {"doubly-stochastic", "birkhoff-polytope"}, {set + "birkhoff"}, kFw);
  component(all, "set", {"hypercube", "zero-one-hypercube"}, {set + "box", "set.lower=0", "set.upper=1"},
            kFw);
  component(all, "set", {"ksparse", "k-sparse-polytope"}, {set + "k-sparse", "set.norm=linf"}, kFw);
  component(all, "set", {"lp", "linear-program"}, {set + "polytope"}, kScipy);
  advise(all, "set", {"assignment", "permutation"},
         "write set.use=birkhoff, the convex hull of the permutation matrices: a linear objective has its "
         "minimum at one of them, others in between",
         kScipy);
  advise(all, "set", {"bounds"},
         "write set.use=box set.lower=a set.upper=b; a bound that is left out is 0 or 1, not infinite",
         kScipy);
  advise(all, "set", {"isotonic"},
         "write set.use=monotone set.lower=a set.upper=b; a bound that is left out is 0 or 1, not infinite",
         kSkl);
  advise(all, "set", {"linf", "linf-ball", "l-infinity-ball"},
         "write set.use=box set.lower=-r set.upper=r, or set.use=lp-ball set.p=inf set.radius=r", kFw);
  advise(all, "set", {"unit-hypersimplex"},
         "no set has entries of at most 1 with a sum of at most k: set.use=matroid-base has the sum k, and "
         "set.use=intersection takes unit-simplex and box",
         kFw);
  advise(all, "set", {"diamond", "convex-hull"},
         "write set.use=vertices set.vertices=FILE, the convex hull of the points of a list", kFw);
  advise(
      all, "set", {"k-norm-ball"},
      "write set.use=ordered-weight set.weights='1 1 0' with K ones: the sum of the K largest magnitudes is "
      "at most the radius",
      kFw);
  advise(all, "set", {"order-weight-norm-ball"}, "write set.use=ordered-weight set.weights='3 2 1'", kFw);
  advise(all, "set", {"psd", "semidefinite", "sdp"},
         "write set.use=psd-trace (tr X <= radius) or spectrahedron (tr X = radius)", kCvx);
  advise(all, "set", {"nonnegative", "positive", "nonneg"}, "write penalty.use=nonnegative", kCvx);
  advise_key(all, "set", {"A", "b", "a_ub", "A_ub", "b_ub", "a_eq", "A_eq"},
             "write the rows of constraints, as in set.program='1 2 <= 4; 3 1 <= 6'", kScipy);
  key(all, "set", {"tau", "r", "right_hand_side", "norm_bound", "bound", "size"}, "set.radius", kFw);
}

void add_settings(Names& all) {
  const Words steps{"max_iter", "max-iter", "maxiter",   "max_iterations", "max_iteration", "n_iter",
                    "niter",    "iters",    "max_steps", "steps",          "itmax",         "iteration"};
  key(all, "stop", steps, "stop.iterations", kSkl);
  key(all, "stop", {"max_time", "time", "timeout", "time_limit", "maxtime"}, "stop.seconds", kFw);
  key(all, "stop", {"max_epochs", "n_epochs", "num_epochs", "epoch"}, "stop.epochs", kDeep);
  key(all, "stop", {"max_passes"}, "stop.passes", kPapers);
  key(all, "stop", {"dual_gap", "duality_gap", "gap_tol"}, "stop.gap", kFw);
  const std::string accuracy =
      "write stop.relative_gap=1e-3 (a verified bound), or stop.residual=1e-3 where no gap is known";
  const Words tolerances{"tol", "tolerance", "rtol",    "ftol",    "gtol",   "xtol",
                         "eps", "epsilon",   "eps_abs", "eps_rel", "thresh", "accuracy"};
  advise_key(all, "stop", tolerances, accuracy, kSkl);
  advise_key(all, "algorithm", tolerances, accuracy, kSkl);
  key(all, "algorithm", steps, "stop.iterations", kSkl);
  key(all, "algorithm", {"lr", "learning_rate", "step_size", "stepsize", "eta0", "step-size"},
      "algorithm.step", kDeep);
  advise_value(all, "algorithm", "step", {"1/k", "1/t"}, "write algorithm.step=agnostic algorithm.offset=1",
               kFw);
  advise_value(all, "algorithm", "step", {"2/(k+2)", "2/(t+2)", "open-loop"},
               "write algorithm.step=agnostic, which is 2/(k+2)", kFw);
  advise_value(all, "algorithm", "step", {"exact", "armijo", "backtracking", "linesearch"},
               "write algorithm.step=line-search, or adaptive", kFw);
  key(all, "algorithm", {"batch_size", "batchsize", "batch-size", "minibatch"}, "estimator.batch", kDeep);
  key(all, "algorithm", {"acceleration", "fista", "nesterov"}, "algorithm.accelerate", kPapers);
  advise_key(all, "algorithm", {"line_search", "linesearch"},
             "write algorithm.step=line-search or auto (frank-wolfe), as claros describe shows", kFw);
  key(all, "estimator", {"batch_size", "batchsize", "batch-size", "minibatch"}, "estimator.batch", kDeep);
  component(all, "estimator", {"sgd", "minibatch", "mini-batch", "stochastic"}, {"estimator.use=sg"}, kDeep);
  component(all, "estimator", {"batch", "exact", "deterministic", "gradient"}, {"estimator.use=full"},
            kPapers);
  advise(all, "estimator", {"adam", "adagrad", "rmsprop"},
         "no adaptive step sizes here: write estimator.use=svrg, saga or momentum", kDeep);
  key(all, "run", {"random_state", "random_seed", "rng"}, "run.seed", kSkl);
  key(all, "run", {"n_jobs", "num_threads", "nthreads", "n_threads", "workers", "cores"}, "run.threads",
      kSkl);
  advise_key(all, "run", {"verbose", "verbosity", "quiet", "silent"},
             "messages are shown unless you give --quiet", kFw);
}

/// Names without a section, and sections of other names.
void add_bare(Names& all) {
  const auto bare = [&](const Words& names, const std::string& place, const char* library) {
    for (const std::string& name : names) all.push_back({{}, name, {}, {place + "=*"}, {}, library});
  };
  for (const char* section : {"objective", "penalty", "set", "smoother", "estimator", "algorithm", "data"})
    bare({section}, std::string(section) + ".use", kPapers);
  bare({"loss", "family"}, "objective.loss", kSkl);
  bare({"solver", "method", "optimizer"}, "algorithm.use", kSkl);
  bare({"regularizer", "regularization", "regulariser"}, "penalty.use", kPapers);
  bare({"constraint", "constraints", "lmo", "feasible_set"}, "set.use", kFw);
  bare({"model", "problem"}, "objective.use", kCvx);
  bare({"lambda", "lam", "lambd", "reg"}, "penalty.lambda", kGlm);
  bare({"l1_ratio"}, "penalty.ratio", kSkl);
  bare({"radius"}, "set.radius", kFw);
  bare({"response", "target"}, "objective.response", kSkl);
  bare({"columns"}, "objective.columns", kSkl);
  bare({"file", "input", "x"}, "objective.data", kSkl);
  bare({"intercept", "fit_intercept"}, "objective.intercept", kSkl);
  bare({"standardize"}, "objective.standardize", kGlm);
  advise_key(all, "", {"normalize"}, kVariance, kSkl);
  bare({"max_iter", "max-iter", "maxiter", "max_iterations", "max_iteration", "iterations"},
       "stop.iterations", kSkl);
  bare({"max_time", "time_limit", "timeout", "seconds"}, "stop.seconds", kFw);
  bare({"seed", "random_state", "random-state"}, "run.seed", kSkl);
  bare({"threads", "n_jobs", "n-jobs"}, "run.threads", kSkl);
  bare({"step", "lr", "learning_rate", "step_size"}, "algorithm.step", kDeep);
  bare({"batch_size", "batch"}, "estimator.batch", kDeep);
  advise_key(all, "", {"tol", "tolerance", "epsilon", "eps", "thresh"},
             "write stop.relative_gap=1e-3 (a verified bound), or stop.residual=1e-3 where no gap is known",
             kSkl);
  advise_key(all, "", {"alpha"},
             "write penalty.lambda=0.1 (alpha of scikit-learn, of its Ridge alpha / n), or penalty.ratio of "
             "elastic-net (alpha of glmnet)",
             kSkl);
  advise_key(all, "", {"c", "C"}, kInverse, kSkl);
  advise_key(all, "", {"output", "outdir", "out_dir", "save"}, "write --out DIR", kScipy);
  advise_key(all, "", {"verbose", "silent"}, "messages are shown unless you give --quiet", kFw);
  advise_key(all, "", {"cv", "n_folds", "nfolds"}, "write claros path SPEC --folds 10", kGlm);
  advise_key(all, "", {"n_alphas", "nlambda", "n_lambdas"}, "write claros path SPEC --lambdas 100", kGlm);
}

const OtherName* find(const std::string& section, const std::string& name, const std::string& value) {
  for (const OtherName& other : other_names())
    if (other.section == section && other.key == name && other.value == value) return &other;
  return nullptr;
}

std::string filled(const std::string& meaning, const std::string& value) {
  return meaning.ends_with("=*") ? meaning.substr(0, meaning.size() - 1) + value : meaning;
}

std::string meaning_of(const OtherName& other, const std::string& value) {
  Words all;
  for (const std::string& meaning : other.means) all.push_back(filled(meaning, value));
  return joined(all, " ");
}

/// True if the catalogue knows the name itself.
bool is_known(const Catalog& catalog, const Spec& spec, const Setting& setting) {
  const std::string place = setting.key == kUse ? setting.section : setting.place();
  if (place == "objective.loss") return catalog.find(Kind::loss, setting.value) != nullptr;
  const auto kind = parse_kind(setting.section);
  if (!kind) return false;
  if (setting.key == kUse) return catalog.find(*kind, setting.value) != nullptr;
  const PluginEntry* entry = entry_at(catalog, spec, setting.section);
  return entry && (entry->parameters().find(setting.key) ||
                   std::ranges::any_of(entry->parameters().roles(),
                                       [&](const Role& role) { return role.name == setting.key; }));
}

const OtherName* other_name_of(const Catalog& catalog, const Spec& spec, const Setting& setting) {
  if (const PluginEntry* entry =
          parse_kind(setting.section) ? entry_at(catalog, spec, setting.section) : nullptr)
    if (const OtherName* own = find(entry->label(), setting.key, {})) return own;
  if (setting.place() == "objective.loss") return find("objective.loss", std::string(kUse), setting.value);
  if (setting.key == kUse) return find(setting.section, setting.key, setting.value);
  return find(setting.section, setting.key, {});
}

/// The first word in quotes.
std::string quoted(const std::string& text) {
  const auto from = text.find('\''), to = from == text.npos ? from : text.find('\'', from + 1);
  return to == text.npos ? std::string() : text.substr(from + 1, to - from - 1);
}

std::string remedy_of(const OtherName& other) {
  return other.means.empty() ? other.advice : "write " + meaning_of(other, "VALUE");
}

/// The entry of the table that `complaint` is about; null if there is none.
const OtherName* named_in(const Complaint& complaint) {
  const std::string place = complaint.where.substr(complaint.where.rfind(' ') + 1),
                    name = quoted(complaint.what);
  const auto about = [&](const char* words) { return complaint.what.find(words) != std::string::npos; };
  const auto dot = place.rfind('.');
  const std::string section = dot == place.npos ? place : place.substr(0, dot);
  if (about(" named '")) {
    const std::string owner = place == "objective.loss" ? place : section;
    return find(owner, std::string(kUse), name);
  }
  if (about("has no parameter") || about("has no part")) {
    const OtherName* own = find(complaint.what.substr(0, complaint.what.find(' ')), name, {});
    return own ? own : find(section, name, {});
  }
  if (about("there is no section")) return find("", name, {});
  if (about("names no section")) return find("", place, {});
  if (about("is not a key")) return find(section, name, {});
  const std::string leaf = place.substr(dot + 1);
  if (about("is not a number")) return find(section, leaf, std::string("NAMES"));
  if (about("is not one of")) return find(section, leaf, name);
  if (about("is not an option")) {
    constexpr std::string_view kDashes = "--";
    const bool answered = complaint.remedy.starts_with("write claros ");  // by the words of a command
    if (answered || !complaint.where.starts_with(kDashes)) return nullptr;
    std::string option = complaint.where.substr(kDashes.size());
    if (option == "data") option = "file";  // the file of rows, not the section
    if (const OtherName* other = find("", option, {})) return other;
    std::ranges::replace(option, '-', '_');
    return find("", option, {});
  }
  return nullptr;
}

/// Puts the settings that one setting means in its place.
void put_meaning(Spec& spec, const OtherName& other, const Setting& setting) {
  for (const std::string& meaning : other.means) {
    const std::string text = filled(meaning, setting.value);
    const auto equals = text.find('='), dot = text.substr(0, equals).rfind('.');
    Setting put{text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1), setting.where,
                text.substr(0, dot)};
    if (put.place() == setting.place() || !spec.get(put.section, put.key)) spec.put(std::move(put));
  }
}

}  // namespace

std::string OtherName::written() const {
  const std::string place = section == "objective.loss" ? section
                            : section.empty()           ? key
                                                        : section + '.' + key;
  return value.empty() ? place : place + '=' + value;
}

const std::vector<OtherName>& other_names() {
  static const Names table = [] {
    Names all;
    add_algorithms(all);
    add_objectives(all);
    add_regularizers(all);
    add_settings(all);
    add_bare(all);
    return all;
  }();
  return table;
}

std::string other_names_table() {
  std::string text = "| name | here | from |\n|---|---|---|\n";
  for (const OtherName& other : other_names()) {
    std::string means = other.means.empty() ? other.advice : '`' + meaning_of(other, "VALUE") + '`';
    for (auto at = means.find('|'); at != means.npos; at = means.find('|', at + 2)) means.insert(at, "\\");
    text += "| `" + other.written() + "` | " + means + " | " + other.library + " |\n";
  }
  return text;
}

Spec with_own_names(const Catalog& catalog, const Spec& spec, const MessageSink& messages) {
  Spec result(spec);
  bool changed = false;
  for (const std::string& section : spec.sections())
    for (const Setting& setting : spec.settings(section)) {
      const OtherName* other = other_name_of(catalog, result, setting);
      if (!other || other->means.empty() || is_known(catalog, result, setting)) continue;
      if (other->value.empty()) result.erase(setting.place());
      put_meaning(result, *other, setting);
      changed = true;
      if (messages)
        messages(Severity::note, setting.label() + (other->value.empty() ? "" : "=" + setting.value) + ": " +
                                     meaning_of(*other, setting.value));
    }
  return changed ? with_own_names(catalog, result, messages) : result;  // objective.family=binomial
}

Error with_remedies(const Error& error) {
  std::vector<Complaint> complaints = error.complaints();
  for (Complaint& complaint : complaints)
    if (const OtherName* other = named_in(complaint)) complaint.remedy = remedy_of(*other);
  return {error.kind(), std::move(complaints)};
}

std::string with_section(const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == assignment.npos) return assignment;
  const OtherName* other = find("", assignment.substr(0, equals), {});
  return other && !other->means.empty() ? meaning_of(*other, assignment.substr(equals + 1)) : assignment;
}

}  // namespace claros
