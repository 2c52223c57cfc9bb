# SPDX-License-Identifier: BSD-3-Clause
# Written by sdk/python/tools/make_stubs.py.

"""The components as dicts, for the arguments of `claros.solve`."""
from typing import Any, Literal, Sequence, TypedDict, Union

# Away-step Frank-Wolfe (Guelat, Marcotte 1986; Lacoste-Julien, Jaggi 2015)
AlgorithmAwayStep = TypedDict("AlgorithmAwayStep", {
    "use": Literal['away-step'],
    # rule for the length of a step, at most that at which a vertex leaves: line-search (without a pass over
    # the data where f is a loss of A x), short (slope / (L ||d||^2)), adaptive (a local L by backtracking)
    # (one of line-search, short, adaptive; default line-search)
    "step": Literal['line-search', 'short', 'adaptive'],
    # L of the short step; 0: as the objective states it (>= 0; default 0)
    "smoothness": float,
    # relative accuracy of the linear oracle in the run (in (0, 1]; default 0.02)
    "oracle_tolerance": float,
    # a step goes among the vertices that are there, without a linear minimisation, as long as its slope is at
    # least this share of the last Frank-Wolfe gap; 0: never (in [0, 1]; default 0.5)
    "lazy": float,
}, total=False)

# Blended pairwise conditional gradients (Tsuji, Tanaka, Pokutta 2022)
AlgorithmBlendedPairwise = TypedDict("AlgorithmBlendedPairwise", {
    "use": Literal['blended-pairwise'],
    # rule for the length of a step, at most that at which a vertex leaves: line-search (without a pass over
    # the data where f is a loss of A x), short (slope / (L ||d||^2)), adaptive (a local L by backtracking)
    # (one of line-search, short, adaptive; default line-search)
    "step": Literal['line-search', 'short', 'adaptive'],
    # L of the short step; 0: as the objective states it (>= 0; default 0)
    "smoothness": float,
    # relative accuracy of the linear oracle in the run (in (0, 1]; default 0.02)
    "oracle_tolerance": float,
    # a step goes among the vertices that are there, without a linear minimisation, as long as its slope is at
    # least this share of the last Frank-Wolfe gap; 0: never (in [0, 1]; default 0.5)
    "lazy": float,
    # how f is minimised over the hull of the active set where f is a quadratic loss of A x: direct (after
    # every gradient, by a quadratic program over the weights, to a tenth of `lazy` times the gap; `step`
    # plays no part), or pairwise (by pairwise steps, as every other f) (one of direct, pairwise; default
    # direct)
    "corrections": Literal['direct', 'pairwise'],
}, total=False)

# Block-coordinate Frank-Wolfe over a product of sets (Lacoste-Julien et al. 2013)
AlgorithmBlockCoordinateFrankWolfe = TypedDict("AlgorithmBlockCoordinateFrankWolfe", {
    "use": Literal['block-coordinate-frank-wolfe', 'bcfw'],
    # of the blocks: random (uniform, with replacement, as the theory has it), cyclic, permuted anew in every
    # round, or gap (drawn with probabilities proportional to the gaps that they had last) (one of random,
    # cyclic, permuted, gap; default random)
    "order": Literal['random', 'cyclic', 'permuted', 'gap'],
    # of a step: toward the vertex v that minimises the linear function; away from the worst vertex of the
    # block, where that promises more; pairwise, of weight from the worst vertex to v. The last two keep the
    # vertices of every block (one of toward, away, pairwise; default toward)
    "direction": Literal['toward', 'away', 'pairwise'],
    # rule for gamma: line-search; short (slope over a bound of the curvature along the direction: that of the
    # loss along A d where the columns of A are accessible, else L ||d||^2); agnostic (2K/(t + 2K)); auto:
    # agnostic where the columns are not accessible and the direction is toward, else line-search (one of
    # auto, line-search, short, agnostic; default auto)
    "step": Literal['auto', 'line-search', 'short', 'agnostic'],
    # L of the short step where the columns are not accessible; 0: as the objective states it (>= 0; default
    # 0)
    "smoothness": float,
    # relative accuracy of the linear oracles in the run (in (0, 0.5]; default 0.02)
    "oracle_tolerance": float,
    # rounds of K steps of the order gap, of which the first goes through all blocks, permuted, and so renews
    # all gaps (>= 1; default 10)
    "refresh": int,
}, total=False)

# Block coordinate descent with proximal steps, along the columns of the data
AlgorithmCoordinateDescent = TypedDict("AlgorithmCoordinateDescent", {
    "use": Literal['coordinate-descent', 'cd'],
    # of the blocks in an epoch: in their order, or shuffled anew (one of cyclic, random; default cyclic)
    "order": Literal['cyclic', 'random'],
    # most epochs of the blocks that are not 0 after each epoch of all; they end when they move a third as far
    # (>= 0; default 2)
    "active": int,
    # Anderson extrapolation after every fifth epoch, where it lowers the value (true or false; default true)
    "extrapolate": Any,
    # Newton steps on the coordinates that are not 0, where that is less work than epochs; for quadratic
    # losses and penalties that are sums over coordinates (true or false; default true)
    "newton": Any,
    # steps between gap checks that remove, for good, the blocks that are 0 at every minimum (safe screening),
    # where a gap is known; a check takes a gradient; 0: none (>= 0; default 10)
    "screen": int,
}, total=False)

# Decomposition-invariant pairwise conditional gradient (Garber, Meshi 2016)
AlgorithmDecompositionInvariant = TypedDict("AlgorithmDecompositionInvariant", {
    "use": Literal['decomposition-invariant', 'dicg'],
    # rule for the lengths of steps: line-search, or short (slope / (L ||d||^2)) (one of line-search, short;
    # default line-search)
    "step": Literal['line-search', 'short'],
    # L of f, for the short step; 0: as the objective states it (>= 0; default 0)
    "smoothness": float,
    # relative accuracy of the linear oracle in the run (in (0, 0.5]; default 0.02)
    "oracle_tolerance": float,
}, total=False)

# Regularized dual averaging, RDA (Xiao 2010)
AlgorithmDualAveraging = TypedDict("AlgorithmDualAveraging", {
    "use": Literal['dual-averaging', 'rda'],
    # weight of the distance to the start; auto is the smoothness of f, of one component where the estimator
    # samples (a number (> 0) or auto; default auto)
    "gamma": Literal['auto'],
    # the solution: the last iterate, the mean of those that steps began from, or one of these drawn uniformly
    # (one of last, average, uniform; default last)
    "output": Literal['last', 'average', 'uniform'],
    # lazy (just-in-time) updates: a coordinate is computed from the sum of its gradients when it is next
    # read; the points are the same up to rounding. auto: where the rows of a batch are short; always: where
    # it can be done, which takes gradients that are sparse rows alone (sg), output = last, no set, and a
    # convex penalty that is a sum over coordinates or none (one of auto, always, never; default auto)
    "lagged": Literal['auto', 'always', 'never'],
    # of a matrix, the singular values or eigenvalues that a projection or a proximal step computes; 0: what
    # the last step needed and a few more (>= 0; default 0)
    "rank": int,
    # with a rank, when it is not proved that no further value would stay: compute more of them until it is,
    # go on with an answer that is not exact and say so in certificate, or end the run (one of raise,
    # continue, stop; default raise)
    "uncertified": Literal['raise', 'continue', 'stop'],
}, total=False)

# Factored matrices: L-BFGS on U, V with X = U V', certified by the gap of the convex problem
AlgorithmFactored = TypedDict("AlgorithmFactored", {
    "use": Literal['factored', 'burer-monteiro'],
    # steps of L-BFGS on the factors in a round (>= 1; default 20)
    "factor_steps": int,
    # proximal gradient steps with momentum in a round, which set the rank (>= 1; default 20)
    "convex_steps": int,
    # pairs of vectors that L-BFGS keeps (>= 1; default 3)
    "memory": int,
}, total=False)

# Frank-Wolfe (conditional gradient), with exact or stochastic gradients
AlgorithmFrankWolfe = TypedDict("AlgorithmFrankWolfe", {
    "use": Literal['frank-wolfe', 'nfwu'],
    # the solution: the last iterate, one drawn uniformly from x_1..x_T, or the measured one of smallest gap;
    # auto: uniform where step is theory, else last (one of auto, last, uniform, best-gap; default auto)
    "output": Literal['auto', 'last', 'uniform', 'best-gap'],
    # the linear function that v minimises: of the gradient g; heavy-ball, of the average m <- (1 - rho) m +
    # rho g; optimistic, of 2 g less the g before (one of gradient, heavy-ball, optimistic; default gradient)
    "model": Literal['gradient', 'heavy-ball', 'optimistic'],
    # weight of the newest gradient in the heavy-ball's average; decay is 2/(t+2), t from 0 (a number (in (0,
    # 1]) or decay; default decay)
    "averaging": Literal['decay'],
    # relative accuracy of the linear oracle in the run (in (0, 1]; default 0.02)
    "oracle_tolerance": float,
    # number of low-rank columns at which the iterate is recompressed, or twice those that the last time left;
    # 0: by itself, as many as 16 MB hold but at least 20, at most a side of the matrix or, for estimators
    # that read single entries, 80 (>= 0; default 0)
    "recompress": int,
    # rule for the weight of x <- x + weight (v - x); auto: constant when weight is given, normalized when eta
    # is, else agnostic; theory: normalized with eta = epsilon/L of the estimator, for T = L (f(x_1) -
    # f*)/epsilon^2 steps (one of auto, constant, normalized, agnostic, inverse-sqrt, inverse, short, line-
    # search, adaptive, monotonic, theory; default auto)
    "step": Literal['auto', 'constant', 'normalized', 'agnostic', 'inverse-sqrt', 'inverse', 'short', 'line-search', 'adaptive', 'monotonic', 'theory'],
    # weight of the constant rule; 0: not given (in [0, 1]; default 0)
    "weight": float,
    # travel of a normalized step: the weight is eta / D, at most 1; 0: not given (>= 0; default 0)
    "eta": float,
    # l of the agnostic rule l / (t + l), t from 0 (> 0; default 2)
    "offset": float,
    # c of the rules c / sqrt(t + 1) and c / (t + 1) (> 0; default 1)
    "scale": float,
    # L of the short step and of batch = theory; 0: as the objective states it (>= 0; default 0)
    "smoothness": float,
    # own: the estimator's; theory: (sigma (t+2)/(L D))^2 in step t = 0, 1, ..., at least 1 (Hazan, Luo 2016),
    # L being smoothness. n or more is the full gradient (one of own, theory; default own)
    "batch": Literal['own', 'theory'],
    # of batch = theory: a bound of E||grad f_i - grad f||^2; 0: not given (>= 0; default 0)
    "variance": float,
    # of batch = theory: that of the set; 0: as the set states it (>= 0; default 0)
    "diameter": float,
}, total=False)

# Fully corrective Frank-Wolfe: minimises over the convex hull of the active set
AlgorithmFullyCorrective = TypedDict("AlgorithmFullyCorrective", {
    "use": Literal['fully-corrective'],
    # rule for the length of a step, at most that at which a vertex leaves: line-search (without a pass over
    # the data where f is a loss of A x), short (slope / (L ||d||^2)), adaptive (a local L by backtracking)
    # (one of line-search, short, adaptive; default line-search)
    "step": Literal['line-search', 'short', 'adaptive'],
    # L of the short step; 0: as the objective states it (>= 0; default 0)
    "smoothness": float,
    # relative accuracy of the linear oracle in the run (in (0, 1]; default 0.02)
    "oracle_tolerance": float,
    # to what share of the last Frank-Wolfe gap f is minimised over the hull of the active set before the next
    # linear minimisation (in (0, 1]; default 0.1)
    "lazy": float,
    # how f is minimised over the hull of the active set where f is a quadratic loss of A x: direct (after
    # every gradient, by a quadratic program over the weights, to a tenth of `lazy` times the gap; `step`
    # plays no part), or pairwise (by pairwise steps, as every other f) (one of direct, pairwise; default
    # direct)
    "corrections": Literal['direct', 'pairwise'],
}, total=False)

# Generalized conditional gradient: convex combinations with proximal steps of low rank
AlgorithmGeneralizedConditionalGradient = TypedDict("AlgorithmGeneralizedConditionalGradient", {
    "use": Literal['generalized-conditional-gradient', 'gcg'],
    # number of low-rank columns at which the iterate is recompressed, or twice those that the last time left;
    # 0: by itself, as frank-wolfe does (>= 0; default 0)
    "recompress": int,
    # weight of V_t in the next point; theory: alpha/(2 beta), along full gradients alpha/beta; agnostic:
    # 2/(t+2); auto: theory where alpha is known, else agnostic (a number (in (0, 1]) or one of auto, theory,
    # agnostic; default auto)
    "eta": Literal['auto', 'theory', 'agnostic'],
    # smoothness of f and the smoother; theory: the sum of theirs (a number (> 0) or theory; default theory)
    "beta": Literal['theory'],
    # steps of an epoch; own: the estimator's; theory: (8 beta/(3 alpha)) ln 8 (a number (an integer, >= 1) or
    # one of own, theory; default own)
    "length": Literal['own', 'theory'],
    # own: the estimator's numbers; theory: those of SVRGCG, 32 beta_G^2/alpha^2 a step, and of an expectation
    # (or with variance) snapshots of (32 sigma^2/(alpha C_0)) 2^(s-1) draws in epoch s. n or more is the full
    # gradient (one of own, theory; default own)
    "batch": Literal['own', 'theory'],
    # alpha of f and the smoother together; 0: the sum of their own (>= 0; default 0)
    "strong_convexity": float,
    # of f and every component; 0: the objective's own (>= 0; default 0)
    "smoothness": float,
    # of the smoother; 0: its own (>= 0; default 0)
    "smoother_smoothness": float,
    # of batch = theory, for sampled snapshots: a bound of E||grad f_i - grad f||^2; 0: not given (>= 0;
    # default 0)
    "variance": float,
    # the same: a bound of the value at the start less the least; 0: from the objective's lower bound (>= 0;
    # default 0)
    "initial_gap": float,
    # of a matrix, the singular values or eigenvalues that a projection or a proximal step computes; 0: what
    # the last step needed and a few more (>= 0; default 0)
    "rank": int,
    # with a rank, when it is not proved that no further value would stay: compute more of them until it is,
    # go on with an answer that is not exact and say so in certificate, or end the run (one of raise,
    # continue, stop; default continue)
    "uncertified": Literal['raise', 'continue', 'stop'],
}, total=False)

# In-face extended Frank-Wolfe (Freund, Grigas, Mazumder 2017)
AlgorithmInFace = TypedDict("AlgorithmInFace", {
    "use": Literal['in-face', 'extended-frank-wolfe'],
    # share of the progress that theory has of a Frank-Wolfe step, for which a step goes into a lower face; 0:
    # any that does not raise f (in [0, 1]; default 0)
    "gamma1": float,
    # the same for a step within the face, from gamma1 to 1; inf: no such steps (>= 0 or inf; default inf)
    "gamma2": float,
    # rule for the lengths of steps within the face and of Frank-Wolfe steps: line-search, or short (slope /
    # (L ||d||^2)) (one of line-search, short; default line-search)
    "step": Literal['line-search', 'short'],
    # L of f, for the short step and where gamma1 > 0 or gamma2 is finite; 0: as the objective states it (>=
    # 0; default 0)
    "smoothness": float,
    # relative accuracy of the linear oracle in the run (in (0, 0.5]; default 0.02)
    "oracle_tolerance": float,
}, total=False)

# L-BFGS for smooth f with any penalty or set that has a proximal step
AlgorithmLbfgs = TypedDict("AlgorithmLbfgs", {
    "use": Literal['lbfgs', 'panoc'],
    # pairs that are kept; each is two points (in [1, 1000]; default 10)
    "memory": int,
}, total=False)

# Pairwise Frank-Wolfe (Lacoste-Julien, Jaggi 2015)
AlgorithmPairwise = TypedDict("AlgorithmPairwise", {
    "use": Literal['pairwise'],
    # rule for the length of a step, at most that at which a vertex leaves: line-search (without a pass over
    # the data where f is a loss of A x), short (slope / (L ||d||^2)), adaptive (a local L by backtracking)
    # (one of line-search, short, adaptive; default line-search)
    "step": Literal['line-search', 'short', 'adaptive'],
    # L of the short step; 0: as the objective states it (>= 0; default 0)
    "smoothness": float,
    # relative accuracy of the linear oracle in the run (in (0, 1]; default 0.02)
    "oracle_tolerance": float,
    # a step goes among the vertices that are there, without a linear minimisation, as long as its slope is at
    # least this share of the last Frank-Wolfe gap; 0: never (in [0, 1]; default 0.5)
    "lazy": float,
}, total=False)

# Primal-dual splitting for a penalty of a linear image and a set (Condat 2013, Vu 2013)
AlgorithmPrimalDual = TypedDict("AlgorithmPrimalDual", {
    "use": Literal['primal-dual', 'condat-vu'],
    # what stands for 1/L; auto: L the smoothness of f (a number (> 0) or auto; default auto)
    "step": Literal['auto'],
    # sigma/tau, the ratio of the dual step to the primal one; auto: followed from the ways that both points
    # have gone (a number (> 0) or auto; default auto)
    "balance": Literal['auto'],
}, total=False)

# Proximal Newton with a line search
AlgorithmProxNewton = TypedDict("AlgorithmProxNewton", {
    "use": Literal['prox-newton'],
    # most steps of the inner algorithm on one quadratic; twice as many, up to 64, after a step that leaves
    # more than half of the residual (>= 1; default 2)
    "inner_steps": int,
    # solves the quadratics
    "inner": Algorithm | Any,
}, total=False)

# Proximal gradient: ISTA, FISTA, Prox-SVRG, Prox-SGD, projected gradient
AlgorithmProximalGradient = TypedDict("AlgorithmProximalGradient", {
    "use": Literal['proximal-gradient', 'prox'],
    # Nesterov's momentum with gradient restart; needs the estimator full. auto: with that estimator where h
    # is convex, f is convex or bounded below, the rank is not limited and step is not a number, which may lie
    # beyond 1/L; where f is not convex, a step with momentum that does not lower f + h is taken back (one of
    # auto, true, false, yes, no, on, off, 1, 0; default auto)
    "accelerate": Literal['auto', 'true', 'false', 'yes', 'no', 'on', 'off', '1', '0'],
    # where an epoch ends and the next begins: at the last inner point, at their average, or at one drawn
    # uniformly; auto: last, but where step is theory as its theorems have it, average, and random where f or
    # the penalty is not convex (one of auto, last, average, random; default auto)
    "snapshot": Literal['auto', 'last', 'average', 'random'],
    # lazy (just-in-time) updates: coordinates that a sparse batch does not touch are updated when they are
    # next read; the points are the same up to rounding. auto: where the rows of a batch are short; always:
    # where it can be done, which takes no set, a penalty that knows how or none, and steps of one length; or,
    # with sg, steps of any length and none of the penalties but l1, box and nonnegative (one of auto, always,
    # never; default auto)
    "lagged": Literal['auto', 'always', 'never'],
    # the solution: the last iterate, the mean of those that steps began from, or one of these drawn uniformly
    # (one of last, average, uniform; default last)
    "output": Literal['last', 'average', 'uniform'],
    # step length s; auto: with the full gradient as long as the curvature that is met allows, with batches of
    # b 1/(3 L(b)), L(b) the expected smoothness; 1/L: of f; theory: of Prox-SVRG, at most 1/(16 L) with L of
    # one component, and epochs so long (128 L / strong convexity + 2 where all is convex) that each halves
    # the distance to the minimum; low-rank-theory: of sg and a matrix of which rank values are kept, as long
    # as all projections keep that rank with constant probability (a number (> 0) or one of auto, 1/L, theory,
    # low-rank-theory; default auto)
    "step": Literal['auto', '1/L', 'theory', 'low-rank-theory'],
    # the step after t steps is s, s / sqrt(1 + t/T) or s / (1 + t/T) (one of none, sqrt, inverse; default
    # none)
    "decay": Literal['none', 'sqrt', 'inverse'],
    # T of the decay (>= 1; default 1)
    "decay_steps": int,
    # of step = low-rank-theory: the gap between the r-th and the next leading value of minus the gradient at
    # the optimum; a run of the full gradient with trace.certificate=yes reports it as eigengap (>= 0; default
    # 0)
    "eigengap": float,
    # of step = low-rank-theory: the r-th value of the optimum (>= 0; default 0)
    "least_value": float,
    # of step = low-rank-theory: bound on the Frobenius norm of a batch's gradient (>= 0; default 0)
    "gradient_bound": float,
    # of step = low-rank-theory: bound on its largest singular value (>= 0; default 0)
    "spectral_bound": float,
    # of step = low-rank-theory: the number of steps that the run is to make (>= 0; default 0)
    "horizon": int,
    # of a matrix, the singular values or eigenvalues that a projection or a proximal step computes; 0: what
    # the last step needed and a few more (>= 0; default 0)
    "rank": int,
    # with a rank, when it is not proved that no further value would stay: compute more of them until it is,
    # go on with an answer that is not exact and say so in certificate, or end the run (one of raise,
    # continue, stop; default raise)
    "uncertified": Literal['raise', 'continue', 'stop'],
}, total=False)

# Iteratively reweighted l1: concave penalties by a sequence of weighted Lassos
AlgorithmReweighted = TypedDict("AlgorithmReweighted", {
    "use": Literal['reweighted'],
    # a round ends when the inner residual is this share of what the new weights made it (in [1e-06, 0.9];
    # default 0.1)
    "share": float,
    # solves the weighted l1 problem of a round
    "inner": Algorithm | Any,
}, total=False)

# Conditional gradient sliding (Lan, Zhou 2016): accelerated steps by linear minimisation
AlgorithmSliding = TypedDict("AlgorithmSliding", {
    "use": Literal['sliding', 'cgs'],
    # relative accuracy of the linear oracle at most; in a subproblem, as good as its gap asks for (in (0, 1];
    # default 0.02)
    "oracle_tolerance": float,
    # yes: minimisations over a set without exact bounds are loose, and the last one of a subproblem is made
    # again accurately; no: all are accurate, and none is made again, as the papers count (true or false;
    # default true)
    "confirm_subproblem": Any,
    # number of low-rank columns at which a point is recompressed, or twice those that the last time left; 0:
    # by itself, as frank-wolfe does (>= 0; default 0)
    "recompress": int,
    # restarted: every N_t steps begin anew where the last ones ended, for f of strong convexity s on what
    # matters; convex: one sequence for any convex f; auto: restarted where s or N_t is given, or s known (one
    # of auto, restarted, convex; default auto)
    "form": Literal['auto', 'restarted', 'convex'],
    # weight of x_k in y_k; theory: 2/(k+1), convex 3/(k+2) (a number (in (0, 1]) or theory; default theory)
    "gamma": Literal['theory'],
    # curvature of the subproblem; theory: 3L/k, convex 3L/(k+1), along estimates 4L/(k+2) (a number (> 0) or
    # theory; default theory)
    "beta": Literal['theory'],
    # Frank-Wolfe gap at which the subproblem ends; theory: 8 L delta_0 2^-t / (s N_t k), convex L
    # D^2/(k(k+1)) (a number (> 0) or theory; default theory)
    "eta": Literal['theory'],
    # steps from restart to restart; theory: 8 sqrt(L/s) (a number (an integer, >= 1) or theory; default
    # theory)
    "length": Literal['theory'],
    # own: the estimator's; theory: with variance that of SCGS, else of STORC, 5200 N_t L/s where components
    # are convex and 8000 N_t (L+l)(1+l/s)/s where they are lower-smooth, L of one component. A batch of n or
    # more is the full gradient (one of own, theory; default own)
    "batch": Literal['own', 'theory'],
    # multiplies the batch of the theory (> 0; default 1)
    "batch_scale": float,
    # cap of the batch of the theory; 0: none (>= 0; default 0)
    "batch_most": int,
    # L of f; 0: the objective's own, and where it has none, along full gradients, what the steps meet (>= 0;
    # default 0)
    "smoothness": float,
    # s, the strong convexity of f on the differences that matter; 0: the objective's own (>= 0; default 0)
    "strong_convexity": float,
    # a bound of f(theta_0) - f*; 0: f(theta_0) less the objective's lower bound (>= 0; default 0)
    "initial_gap": float,
    # of the convex form: a bound of the distance of start and solution; 0: the set's diameter (>= 0; default
    # 0)
    "diameter": float,
    # of batch = theory of STORC: L of one component; 0: the objective's own (>= 0; default 0)
    "component_smoothness": float,
    # of batch = theory of STORC: l, with which f_i + (l/2)||x||^2 is convex; 0: the objective's own (>= 0;
    # default 0)
    "lower_smoothness": float,
    # of batch = theory of SCGS: a bound of E||grad f_i - grad f||^2; 0: not given (>= 0; default 0)
    "variance": float,
}, total=False)

# Split conditional gradient over an intersection (Woodstock, Pokutta 2025)
AlgorithmSplitConditionalGradient = TypedDict("AlgorithmSplitConditionalGradient", {
    "use": Literal['split-conditional-gradient', 'scg'],
    # a step moves the copies in all sets, or in one set after the other (one of all, cyclic; default all)
    "order": Literal['all', 'cyclic'],
    # rule for gamma: short (slope over a bound of the curvature of F along the step: that of the loss where f
    # is a loss of A x, else by L), agnostic (2/(sqrt(t) + 2)); auto: short where the curvature is known (one
    # of auto, short, agnostic; default auto)
    "step": Literal['auto', 'short', 'agnostic'],
    # lambda_0, of the squared distances of the copies to their mean; auto: L of f where it is known, else the
    # norm of the first gradient over the largest diameter (a number (> 0) or auto; default auto)
    "penalty": Literal['auto'],
    # lambda_t = lambda_0 (1 + t)^growth, or lambda_0 (1 + log(1 + t)) as the theory has it; auto: 0.65 with
    # short steps, log with agnostic ones, which need a growth below 0.5; 0: a penalty that stays, whose
    # minimiser lies off the intersection (a number (in [0, 1]) or one of auto, log; default auto)
    "growth": Literal['auto', 'log'],
    # relative accuracy of the linear oracles in the run (in (0, 1]; default 0.02)
    "oracle_tolerance": float,
}, total=False)

# Three-operator splitting for a penalty and a set (Davis, Yin 2017)
AlgorithmThreeOperator = TypedDict("AlgorithmThreeOperator", {
    "use": Literal['three-operator', 'davis-yin'],
    # share of the way from x_C to x_h that z goes; below 2 - gamma L/2; auto: 0.93 of that for convex f and
    # h, the full gradient and steps of one length (1.4 with steps of 1/L), else 1 (a number (in [0.05, 1.95])
    # or auto; default auto)
    "relaxation": Literal['auto'],
    # the solution: the last iterate, the mean of those that steps began from, or one of these drawn uniformly
    # (one of last, average, uniform; default last)
    "output": Literal['last', 'average', 'uniform'],
    # step length; 1/L: L the smoothness of f; line-search: of the full gradient, from one that is too long
    # down to where f lies below its parabola, and never longer again; auto: with the full gradient 1/L, and
    # line-search where L is not known; with batches 1/(3 L_max), L_max of one component (a number (> 0) or
    # one of auto, 1/L, line-search; default auto)
    "step": Literal['auto', '1/L', 'line-search'],
    # the step after t steps is s, s / sqrt(1 + t/T) or s / (1 + t/T); noise that does not vanish (sg) asks
    # for one (one of none, sqrt, inverse; default none)
    "decay": Literal['none', 'sqrt', 'inverse'],
    # T of the decay (>= 1; default 1)
    "decay_steps": int,
}, total=False)

# Working-set method: solves on few coordinates, checks the gap on all
AlgorithmWorkingSet = TypedDict("AlgorithmWorkingSet", {
    "use": Literal['working-set'],
    # coordinates of the first working set, and the least by which the next ones grow, of several outputs a
    # row that of each; a block at least (>= 1; default 100)
    "first": int,
    # solves the problem on the working set
    "inner": Algorithm | Any,
    # of the gradients of the inner algorithm
    "estimator": Estimator | Any,
}, total=False)

AlgorithmName = Literal['away-step', 'blended-pairwise', 'block-coordinate-frank-wolfe', 'coordinate-descent',
    'decomposition-invariant', 'dual-averaging', 'factored', 'frank-wolfe', 'fully-corrective',
    'generalized-conditional-gradient', 'in-face', 'lbfgs', 'pairwise', 'primal-dual', 'prox-newton',
    'proximal-gradient', 'reweighted', 'sliding', 'split-conditional-gradient', 'three-operator',
    'working-set']
Algorithm = Union[AlgorithmName, AlgorithmAwayStep, AlgorithmBlendedPairwise,
    AlgorithmBlockCoordinateFrankWolfe, AlgorithmCoordinateDescent, AlgorithmDecompositionInvariant,
    AlgorithmDualAveraging, AlgorithmFactored, AlgorithmFrankWolfe, AlgorithmFullyCorrective,
    AlgorithmGeneralizedConditionalGradient, AlgorithmInFace, AlgorithmLbfgs, AlgorithmPairwise,
    AlgorithmPrimalDual, AlgorithmProxNewton, AlgorithmProximalGradient, AlgorithmReweighted,
    AlgorithmSliding, AlgorithmSplitConditionalGradient, AlgorithmThreeOperator, AlgorithmWorkingSet]

# Observed entries of a random low-rank matrix, some of them corrupted
DataSynthetic = TypedDict("DataSynthetic", {
    "use": Literal['synthetic', 'synthetic-matrix'],
    # rows of M (in [1, 1048576]; default 200)
    "rows": int,
    # columns of M (in [1, 1048576]; default 200)
    "cols": int,
    # rank of M (>= 1; default 5)
    "rank": int,
    # largest singular value of M (> 0; default 50)
    "largest": float,
    # every further singular value divided by the one before (in (0, 1]; default 0.5)
    "decay": float,
    # share of the entries that is observed (in (0, 1]; default 0.1)
    "observed": float,
    # share of the entries that gets noise (in [0, 1]; default 0.05)
    "corrupted": float,
    # the noise is uniform between plus and minus this (>= 0; default 10)
    "noise": float,
    # seed of the data; -1: that of the run (>= -1; default -1)
    "seed": int,
}, total=False)

# Gaussian observations of a random low-rank matrix, one entry of large variance
DataSyntheticMatrixRegression = TypedDict("DataSyntheticMatrixRegression", {
    "use": Literal['synthetic-matrix-regression'],
    # rows of T (in [1, 1048576]; default 50)
    "rows": int,
    # columns of T; 0: as many (in [0, 1048576]; default 0)
    "cols": int,
    # of T* (>= 1; default 5)
    "rank": int,
    # of observations; 0: 10 r d, d the larger side, as the paper has it (in [0, 16777216]; default 0)
    "count": int,
    # sum of the singular values of T* (> 0; default 50)
    "radius": float,
    # singular values of T*: all the same, or each half of the one before (one of equal, halving; default
    # equal)
    "spectrum": Literal['equal', 'halving'],
    # variance of the first entry of X_i; that of the others is 1 (> 0; default 1)
    "largest": float,
    # standard deviation of the noise of a response (>= 0; default 1)
    "noise": float,
    # variance of the errors with which the entries of X_i are seen; responses are those of X_i without (>= 0;
    # default 0)
    "errors": float,
    # of the stored rows (one of double, float; default double)
    "precision": Literal['double', 'float'],
    # seed of the data; -1: that of the run (>= -1; default -1)
    "seed": int,
}, total=False)

# Gaussian design with equal correlations, sparse or group-sparse theta*, responses
DataSyntheticRegression = TypedDict("DataSyntheticRegression", {
    "use": Literal['synthetic-regression'],
    # rows (in [1, 16777216]; default 2500)
    "rows": int,
    # columns (in [1, 16777216]; default 5000)
    "cols": int,
    # how many groups of theta* are not zero; entries when a group is one (>= 0; default 50)
    "nonzero": int,
    # entries of a group; a shorter one at the end stays zero (>= 1; default 1)
    "group_size": int,
    # of every entry of the rows (> 0; default 1)
    "variance": float,
    # between any two columns (in [0, 1]; default 0)
    "correlation": float,
    # standard deviation of a linear response, and of the logarithm of a positive one (>= 0; default 1)
    "noise": float,
    # variance of the errors with which the rows are seen; responses are those of the rows without (>= 0;
    # default 0)
    "errors": float,
    # linear: products with theta* and noise; logistic: 1 or -1; positive: exp of the linear one (one of
    # linear, logistic, positive; default linear)
    "response": Literal['linear', 'logistic', 'positive'],
    # of the stored rows (one of double, float; default double)
    "precision": Literal['double', 'float'],
    # seed of the data; -1: that of the run (>= -1; default -1)
    "seed": int,
}, total=False)

# Gaussian measurements of a random low-rank matrix, y_i = <A_i, X*> + noise
DataSyntheticSensing = TypedDict("DataSyntheticSensing", {
    "use": Literal['synthetic-sensing'],
    # rows of X (in [1, 1048576]; default 50)
    "rows": int,
    # columns of X; 0: as many (in [0, 1048576]; default 0)
    "cols": int,
    # of X* (>= 1; default 1)
    "rank": int,
    # of measurements; 0: X* alone, which an objective draws measurements of (matrix-sensing, draws) (in [0,
    # 16777216]; default 1000)
    "count": int,
    # sum of the singular values of X*, which are equal; of a psd X* its trace (> 0; default 1)
    "radius": float,
    # standard deviation of the noise of a response (>= 0; default 0)
    "noise": float,
    # <A_i, X>, a_i' X b_i, or a_i' X a_i (one of gaussian, rank-one, symmetric; default symmetric)
    "measurements": Literal['gaussian', 'rank-one', 'symmetric'],
    # X*: positive semidefinite, with eigenvalues of either sign, or neither (one of psd, symmetric, general;
    # default psd)
    "truth": Literal['psd', 'symmetric', 'general'],
    # seed of the data; -1: that of the run (>= -1; default -1)
    "seed": int,
}, total=False)

# Noisy matrix Y Y' + noise, sparse, low rank, positive semidefinite
DataSyntheticSparseLowRank = TypedDict("DataSyntheticSparseLowRank", {
    "use": Literal['synthetic-sparse-low-rank'],
    # rows and columns of M_0 (in [1, 32768]; default 300)
    "rows": int,
    # columns of Y (>= 1; default 1)
    "rank": int,
    # largest entry of Y (in [1, 1048576]; default 10)
    "largest": int,
    # probability that an entry of Y is not 0; 0: 1/sqrt(d) (in [0, 1]; default 0)
    "nonzero": float,
    # standard deviation of an entry of M_0 less Y Y' (>= 0; default 1)
    "noise": float,
    # seed of the data; -1: that of the run (>= -1; default -1)
    "seed": int,
}, total=False)

DataName = Literal['synthetic', 'synthetic-matrix-regression', 'synthetic-regression', 'synthetic-sensing',
    'synthetic-sparse-low-rank']
Data = Union[DataName, DataSynthetic, DataSyntheticMatrixRegression, DataSyntheticRegression,
    DataSyntheticSensing, DataSyntheticSparseLowRank]

# Curvature-aided SPIDER: SPIDER with Hessian corrections at the snapshot
EstimatorCaspider = TypedDict("EstimatorCaspider", {
    "use": Literal['caspider'],
    # components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is
    # 1), of an expectation 100 (a number (an integer, >= 1) or one of auto, theory; default auto)
    "batch": Literal['auto', 'theory'],
    # steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an
    # expectation the snapshot's draws/|S|, or 100 without snapshots (a number (an integer, >= 1) or one of
    # auto, theory; default auto)
    "epoch": Literal['auto', 'theory'],
    # the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from the run's
    # start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the estimator does not
    # end by itself (sg, momentum): once it has grown to n it is all components (a number (in [0, 2]) or auto;
    # default auto)
    "growth": Literal['auto'],
    # whether a batch may hold a component twice (i.i.d. indices) (true or false; default true)
    "replacement": Any,
    # how a batch is drawn: all components alike, or each with probability q_i proportional to its smoothness,
    # its gradient weighted by 1/(n q_i) (one of uniform, importance; default uniform)
    "sampling": Literal['uniform', 'importance'],
    # components in the snapshot's gradient; 0 takes all (>= 0; default 0)
    "snapshot": int,
    # for theory: target accuracy, of the batches and of the steps of length epsilon/L; 0: not given (>= 0;
    # default 0)
    "accuracy": float,
    # for theory: Lipschitz constant of the component gradients; 0: the objective's own (>= 0; default 0)
    "smoothness": float,
    # for theory: Lipschitz constant of the component Hessians; 0: the objective's own (>= 0; default 0)
    "hessian_smoothness": float,
}, total=False)

# Curvature-aided SVRG: SVRG with Hessian corrections at the snapshot
EstimatorCasvrg = TypedDict("EstimatorCasvrg", {
    "use": Literal['casvrg'],
    # components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is
    # 1), of an expectation 100 (a number (an integer, >= 1) or one of auto, theory; default auto)
    "batch": Literal['auto', 'theory'],
    # steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an
    # expectation the snapshot's draws/|S|, or 100 without snapshots (a number (an integer, >= 1) or one of
    # auto, theory; default auto)
    "epoch": Literal['auto', 'theory'],
    # the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from the run's
    # start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the estimator does not
    # end by itself (sg, momentum): once it has grown to n it is all components (a number (in [0, 2]) or auto;
    # default auto)
    "growth": Literal['auto'],
    # whether a batch may hold a component twice (i.i.d. indices) (true or false; default true)
    "replacement": Any,
    # how a batch is drawn: all components alike, or each with probability q_i proportional to its smoothness,
    # its gradient weighted by 1/(n q_i) (one of uniform, importance; default uniform)
    "sampling": Literal['uniform', 'importance'],
    # components in the snapshot's gradient; 0 takes all (>= 0; default 0)
    "snapshot": int,
    # for theory: target accuracy, of the batches and of the steps of length epsilon/L; 0: not given (>= 0;
    # default 0)
    "accuracy": float,
    # for theory: Lipschitz constant of the component gradients; 0: the objective's own (>= 0; default 0)
    "smoothness": float,
    # for theory: Lipschitz constant of the component Hessians; 0: the objective's own (>= 0; default 0)
    "hessian_smoothness": float,
}, total=False)

# Full gradient, g = grad f(x)
EstimatorFull = TypedDict("EstimatorFull", {
    "use": Literal['full'],
    # for a theory of the algorithm: target accuracy, with steps of length epsilon/L; 0: not given (>= 0;
    # default 0)
    "accuracy": float,
    # for a theory of the algorithm: Lipschitz constant of the gradient; 0: the objective's own (>= 0; default
    # 0)
    "smoothness": float,
}, total=False)

# Loopless SVRG (Kovalev, Horvath, Richtarik 2020): the snapshot is renewed with probability 1/p
EstimatorLooplessSvrg = TypedDict("EstimatorLooplessSvrg", {
    "use": Literal['loopless-svrg', 'l-svrg'],
    # components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is
    # 1), of an expectation 100 (a number (an integer, >= 1) or auto; default auto)
    "batch": Literal['auto'],
    # steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an
    # expectation the snapshot's draws/|S|, or 100 without snapshots (a number (an integer, >= 1) or auto;
    # default auto)
    "epoch": Literal['auto'],
    # the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from the run's
    # start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the estimator does not
    # end by itself (sg, momentum): once it has grown to n it is all components (a number (in [0, 2]) or auto;
    # default auto)
    "growth": Literal['auto'],
    # whether a batch may hold a component twice (i.i.d. indices) (true or false; default true)
    "replacement": Any,
    # how a batch is drawn: all components alike, or each with probability q_i proportional to its smoothness,
    # its gradient weighted by 1/(n q_i) (one of uniform, importance; default uniform)
    "sampling": Literal['uniform', 'importance'],
    # components in the snapshot's gradient; 0 takes all (>= 0; default 0)
    "snapshot": int,
}, total=False)

# Momentum: exponential moving average of mini-batch gradients
EstimatorMomentum = TypedDict("EstimatorMomentum", {
    "use": Literal['momentum'],
    # weight of the newest batch; decay is 4/(t+8)^(2/3) (a number (in (0, 1]) or decay; default decay)
    "averaging": Literal['decay'],
    # components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is
    # 1), of an expectation 100 (a number (an integer, >= 1) or auto; default auto)
    "batch": Literal['auto'],
    # steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an
    # expectation the snapshot's draws/|S|, or 100 without snapshots (a number (an integer, >= 1) or auto;
    # default auto)
    "epoch": Literal['auto'],
    # the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from the run's
    # start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the estimator does not
    # end by itself (sg, momentum): once it has grown to n it is all components (a number (in [0, 2]) or auto;
    # default auto)
    "growth": Literal['auto'],
    # whether a batch may hold a component twice (i.i.d. indices) (true or false; default true)
    "replacement": Any,
    # how a batch is drawn: all components alike, or each with probability q_i proportional to its smoothness,
    # its gradient weighted by 1/(n q_i) (one of uniform, importance; default uniform)
    "sampling": Literal['uniform', 'importance'],
}, total=False)

# PAGE (Li, Bao, Zhang, Richtarik 2021): full gradient with probability 1/p, else a path difference
EstimatorPage = TypedDict("EstimatorPage", {
    "use": Literal['page'],
    # components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is
    # 1), of an expectation 100 (a number (an integer, >= 1) or one of auto, theory; default auto)
    "batch": Literal['auto', 'theory'],
    # steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an
    # expectation the snapshot's draws/|S|, or 100 without snapshots (a number (an integer, >= 1) or one of
    # auto, theory; default auto)
    "epoch": Literal['auto', 'theory'],
    # the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from the run's
    # start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the estimator does not
    # end by itself (sg, momentum): once it has grown to n it is all components (a number (in [0, 2]) or auto;
    # default auto)
    "growth": Literal['auto'],
    # whether a batch may hold a component twice (i.i.d. indices) (true or false; default true)
    "replacement": Any,
    # how a batch is drawn: all components alike, or each with probability q_i proportional to its smoothness,
    # its gradient weighted by 1/(n q_i) (one of uniform, importance; default uniform)
    "sampling": Literal['uniform', 'importance'],
    # components in the snapshot's gradient; 0 takes all (>= 0; default 0)
    "snapshot": int,
}, total=False)

# SAG (Schmidt, Le Roux, Bach 2017)
EstimatorSag = TypedDict("EstimatorSag", {
    "use": Literal['sag'],
    # components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is
    # 1), of an expectation 100 (a number (an integer, >= 1) or auto; default auto)
    "batch": Literal['auto'],
    # steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an
    # expectation the snapshot's draws/|S|, or 100 without snapshots (a number (an integer, >= 1) or auto;
    # default auto)
    "epoch": Literal['auto'],
    # the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from the run's
    # start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the estimator does not
    # end by itself (sg, momentum): once it has grown to n it is all components (a number (in [0, 2]) or auto;
    # default auto)
    "growth": Literal['auto'],
    # whether a batch may hold a component twice (i.i.d. indices) (true or false; default true)
    "replacement": Any,
}, total=False)

# SAGA (Defazio, Bach, Lacoste-Julien 2014)
EstimatorSaga = TypedDict("EstimatorSaga", {
    "use": Literal['saga'],
    # components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is
    # 1), of an expectation 100 (a number (an integer, >= 1) or auto; default auto)
    "batch": Literal['auto'],
    # steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an
    # expectation the snapshot's draws/|S|, or 100 without snapshots (a number (an integer, >= 1) or auto;
    # default auto)
    "epoch": Literal['auto'],
    # the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from the run's
    # start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the estimator does not
    # end by itself (sg, momentum): once it has grown to n it is all components (a number (in [0, 2]) or auto;
    # default auto)
    "growth": Literal['auto'],
    # whether a batch may hold a component twice (i.i.d. indices) (true or false; default true)
    "replacement": Any,
    # how a batch is drawn: all components alike, or each with probability q_i proportional to its smoothness,
    # its gradient weighted by 1/(n q_i) (one of uniform, importance; default uniform)
    "sampling": Literal['uniform', 'importance'],
}, total=False)

# Mini-batch stochastic gradient, g = (1/|S|) sum over S of grad f_i(x)
EstimatorSg = TypedDict("EstimatorSg", {
    "use": Literal['sg'],
    # for theory: target accuracy, of the batches and of the steps of length epsilon/L; 0: not given (>= 0;
    # default 0)
    "accuracy": float,
    # for theory: diameter of the set; 0: not given (>= 0; default 0)
    "diameter": float,
    # for theory: Lipschitz constant of the component gradients; 0: the objective's own (>= 0; default 0)
    "smoothness": float,
    # components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is
    # 1), of an expectation 100 (a number (an integer, >= 1) or one of auto, theory; default auto)
    "batch": Literal['auto', 'theory'],
    # steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an
    # expectation the snapshot's draws/|S|, or 100 without snapshots (a number (an integer, >= 1) or auto;
    # default auto)
    "epoch": Literal['auto'],
    # the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from the run's
    # start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the estimator does not
    # end by itself (sg, momentum): once it has grown to n it is all components (a number (in [0, 2]) or auto;
    # default auto)
    "growth": Literal['auto'],
    # whether a batch may hold a component twice (i.i.d. indices) (true or false; default true)
    "replacement": Any,
    # how a batch is drawn: all components alike, or each with probability q_i proportional to its smoothness,
    # its gradient weighted by 1/(n q_i) (one of uniform, importance; default uniform)
    "sampling": Literal['uniform', 'importance'],
}, total=False)

# SPIDER (Fang, Li, Lin, Zhang 2018): path-integrated gradient differences
EstimatorSpider = TypedDict("EstimatorSpider", {
    "use": Literal['spider', 'sarah'],
    # components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is
    # 1), of an expectation 100 (a number (an integer, >= 1) or one of auto, theory; default auto)
    "batch": Literal['auto', 'theory'],
    # steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an
    # expectation the snapshot's draws/|S|, or 100 without snapshots (a number (an integer, >= 1) or one of
    # auto, theory; default auto)
    "epoch": Literal['auto', 'theory'],
    # the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from the run's
    # start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the estimator does not
    # end by itself (sg, momentum): once it has grown to n it is all components (a number (in [0, 2]) or auto;
    # default auto)
    "growth": Literal['auto'],
    # whether a batch may hold a component twice (i.i.d. indices) (true or false; default true)
    "replacement": Any,
    # how a batch is drawn: all components alike, or each with probability q_i proportional to its smoothness,
    # its gradient weighted by 1/(n q_i) (one of uniform, importance; default uniform)
    "sampling": Literal['uniform', 'importance'],
    # components in the snapshot's gradient; 0 takes all (>= 0; default 0)
    "snapshot": int,
    # for theory: target accuracy, of the batches and of the steps of length epsilon/L; 0: not given (>= 0;
    # default 0)
    "accuracy": float,
    # for theory: Lipschitz constant of the component gradients; 0: the objective's own (>= 0; default 0)
    "smoothness": float,
}, total=False)

# STORM (Cutkosky, Orabona 2019): momentum with recursive variance reduction
EstimatorStorm = TypedDict("EstimatorStorm", {
    "use": Literal['storm'],
    # weight of the current mini-batch gradient; decay is (t+1)^(-2/3) (a number (in (0, 1]) or decay; default
    # decay)
    "averaging": Literal['decay'],
    # components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is
    # 1), of an expectation 100 (a number (an integer, >= 1) or auto; default auto)
    "batch": Literal['auto'],
    # steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an
    # expectation the snapshot's draws/|S|, or 100 without snapshots (a number (an integer, >= 1) or auto;
    # default auto)
    "epoch": Literal['auto'],
    # the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from the run's
    # start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the estimator does not
    # end by itself (sg, momentum): once it has grown to n it is all components (a number (in [0, 2]) or auto;
    # default auto)
    "growth": Literal['auto'],
    # whether a batch may hold a component twice (i.i.d. indices) (true or false; default true)
    "replacement": Any,
    # how a batch is drawn: all components alike, or each with probability q_i proportional to its smoothness,
    # its gradient weighted by 1/(n q_i) (one of uniform, importance; default uniform)
    "sampling": Literal['uniform', 'importance'],
}, total=False)

# SVRG (Johnson, Zhang 2013): differences to a snapshot with known gradient
EstimatorSvrg = TypedDict("EstimatorSvrg", {
    "use": Literal['svrg'],
    # components in one estimate; auto is n/50, for a linear oracle n/10 (n/4 of a table, n/50 where growth is
    # 1), of an expectation 100 (a number (an integer, >= 1) or one of auto, theory; default auto)
    "batch": Literal['auto', 'theory'],
    # steps of an epoch; auto is n/|S| (half of it where batch is auto, for a linear oracle), of an
    # expectation the snapshot's draws/|S|, or 100 without snapshots (a number (an integer, >= 1) or one of
    # auto, theory; default auto)
    "epoch": Literal['auto', 'theory'],
    # the batch of step t is |S| (t+1)^growth, at most n; t counts from the last snapshot, or from the run's
    # start; auto is 0, but 1 for a linear oracle where batch is auto and the noise of the estimator does not
    # end by itself (sg, momentum): once it has grown to n it is all components (a number (in [0, 2]) or auto;
    # default auto)
    "growth": Literal['auto'],
    # whether a batch may hold a component twice (i.i.d. indices) (true or false; default true)
    "replacement": Any,
    # how a batch is drawn: all components alike, or each with probability q_i proportional to its smoothness,
    # its gradient weighted by 1/(n q_i) (one of uniform, importance; default uniform)
    "sampling": Literal['uniform', 'importance'],
    # components in the snapshot's gradient; 0 takes all (>= 0; default 0)
    "snapshot": int,
    # for theory: target accuracy, of the batches and of the steps of length epsilon/L; 0: not given (>= 0;
    # default 0)
    "accuracy": float,
    # for theory: Lipschitz constant of the component gradients; 0: the objective's own (>= 0; default 0)
    "smoothness": float,
}, total=False)

EstimatorName = Literal['caspider', 'casvrg', 'full', 'loopless-svrg', 'momentum', 'page', 'sag', 'saga',
    'sg', 'spider', 'storm', 'svrg']
Estimator = Union[EstimatorName, EstimatorCaspider, EstimatorCasvrg, EstimatorFull, EstimatorLooplessSvrg,
    EstimatorMomentum, EstimatorPage, EstimatorSag, EstimatorSaga, EstimatorSg, EstimatorSpider,
    EstimatorStorm, EstimatorSvrg]

# Gamma regression with logarithmic link, psi = y exp(-z) + z
LossGamma = TypedDict("LossGamma", {
    "use": Literal['gamma'],
}, total=False)

# Huber loss, r^2/2 for |r| <= delta, linear beyond
LossHuber = TypedDict("LossHuber", {
    "use": Literal['huber'],
    # the residual where the loss becomes linear (> 0; default 1)
    "delta": float,
}, total=False)

# Logistic loss, log(1 + exp(-y z)), y = -1 or 1
LossLogistic = TypedDict("LossLogistic", {
    "use": Literal['logistic'],
}, total=False)

# Multinomial logistic (cross-entropy) loss, log sum_k exp(z_k) - z_y
LossMultinomial = TypedDict("LossMultinomial", {
    "use": Literal['multinomial', 'softmax'],
}, total=False)

# Negative binomial regression with logarithmic link, (y + theta) log(1 + exp(z)/theta) - y z
LossNegativeBinomial = TypedDict("LossNegativeBinomial", {
    "use": Literal['negative-binomial'],
    # the variance of a target with mean m is m + m^2/theta; the larger, the closer to Poisson (> 0; default
    # 1)
    "theta": float,
}, total=False)

# Poisson loss with logarithmic link, exp(z) - y z
LossPoisson = TypedDict("LossPoisson", {
    "use": Literal['poisson'],
}, total=False)

# Quantile (pinball) loss, max((1 - tau) r, -tau r), its corner rounded on [-delta, delta]
LossQuantile = TypedDict("LossQuantile", {
    "use": Literal['quantile', 'smoothed-quantile', 'pinball'],
    # which quantile of y is predicted (in [0.01, 0.99]; default 0.5)
    "tau": float,
    # half the width of the rounded corner, in units of the response: small beside its noise (> 0; default
    # 0.1)
    "delta": float,
}, total=False)

# Welsch robust loss, 1 - exp(-r^2/(2 sigma))
LossRobust = TypedDict("LossRobust", {
    "use": Literal['robust'],
    # where residuals begin to count less: their squares over sigma (> 0; default 1)
    "sigma": float,
}, total=False)

# Squared loss, (z - y)^2 / 2
LossSquared = TypedDict("LossSquared", {
    "use": Literal['squared'],
}, total=False)

# Squared hinge loss, max(0, 1 - y z)^2 / 2
LossSquaredHinge = TypedDict("LossSquaredHinge", {
    "use": Literal['squared-hinge'],
}, total=False)

# Tweedie regression with log link, y exp(-(p-1) z)/(p-1) + exp((2-p) z)/(2-p), 1 < p < 2
LossTweedie = TypedDict("LossTweedie", {
    "use": Literal['tweedie'],
    # the variance of a target is proportional to its mean to this power; near 1 Poisson, near 2 gamma (in
    # [1.01, 1.99]; default 1.5)
    "power": float,
}, total=False)

LossName = Literal['gamma', 'huber', 'logistic', 'multinomial', 'negative-binomial', 'poisson', 'quantile',
    'robust', 'squared', 'squared-hinge', 'tweedie']
Loss = Union[LossName, LossGamma, LossHuber, LossLogistic, LossMultinomial, LossNegativeBinomial, LossPoisson,
    LossQuantile, LossRobust, LossSquared, LossSquaredHinge, LossTweedie]

# Squared distance to the second moment matrix of samples, (1/2n) sum_i ||X - a_i a_i'||_F^2
ObjectiveCovariance = TypedDict("ObjectiveCovariance", {
    "use": Literal['covariance'],
    # file of samples, a row each, all of it numbers; empty: the rows of a data section (any value; required
    # or empty)
    "data": str,
    # whether the mean of the samples is taken off first: S is their covariance, with 1/n (true or false;
    # default false)
    "center": Any,
    # how S is kept: one array, or the products with the rows; auto: the array, unless X is large (one of
    # auto, dense, products; default auto)
    "adjoints": Literal['auto', 'dense', 'products'],
}, total=False)

# Cox' partial likelihood, (1/n) sum_events w_i (log sum_{j at risk} w_j exp(<a_j, x>) - <a_i, x>)
ObjectiveCox = TypedDict("ObjectiveCox", {
    "use": Literal['cox', 'proportional-hazards'],
    # file of rows and times; empty: the data of the [data] section, where a response below 0 is censored at
    # its magnitude (any value; required or empty)
    "data": str,
    # 1 where the event was seen, 0 where the row is censored: a column of a table, or a file of one number a
    # row; empty: the response is negative where the row is censored (any value; required or empty)
    "event": str,
    # rows with the same value are compared with each other alone, and have a baseline hazard of their own: a
    # column of a table, or a file of one number a row; empty: all are compared (any value; required or empty)
    "strata": str,
    # what is done about events at one time: breslow: each has the whole risk set; efron: the k-th of m has it
    # without k/m of the events (one of breslow, efron; default breslow)
    "ties": Literal['breslow', 'efron'],
    # solve with columns of variance 1 (dense ones of mean 0); the solution is in the units of the data (true
    # or false; default false)
    "standardize": Any,
    # of f; 0: computed (>= 0; default 0)
    "smoothness": float,
    # how the file of the design is written (one of auto, table, matrix-market, libsvm, vowpal-wabbit, hdf5,
    # binary, npy, npz; default auto)
    "format": Literal['auto', 'table', 'matrix-market', 'libsvm', 'vowpal-wabbit', 'hdf5', 'binary', 'npy', 'npz'],
    # name or number (from 1) of the response's column, a file of one number a row, an HDF5 dataset or a
    # member of a .npz; auto: the last column, or y (any value; default auto)
    "response": str,
    # HDF5 and .npz: the dataset, group of compressed rows, or member that holds the rows (any value; default
    # X)
    "dataset": str,
    # of the stored entries; sums are made in double. float: an entry below 1e-45 becomes 0, one beyond 3.4e38
    # is refused (one of double, float; default double)
    "precision": Literal['double', 'float'],
    # auto: as the file is written (one of auto, dense, sparse; default auto)
    "storage": Literal['auto', 'dense', 'sparse'],
    # binary and .npy: read: the entries are copied into memory; map: they are used where they stand in the
    # file, of which the system keeps what fits; auto: mapped where they do not fit (one of auto, read, map;
    # default auto)
    "memory": Literal['auto', 'read', 'map'],
    # what an HDF5 file may bring in: own: nothing; plugins: filters from HDF5_PLUGIN_PATH, which run as code;
    # files: external storage, external links and virtual datasets, which read other files; all (one of own,
    # plugins, files, all; default own)
    "hdf5": Literal['own', 'plugins', 'files', 'all'],
    # HDF5: seconds without a number after which reading is given up (in [0.1, 1e+06]; default 60)
    "patience": float,
    # sparse text and sparse HDF5: number of columns; 0: the largest in the file (in [0, 2147483647]; default
    # 0)
    "features": int,
    # table: the columns to read: names or numbers from 1, with commas; empty: all (any value; required or
    # empty)
    "columns": str,
    # table: columns to leave out, likewise (any value; required or empty)
    "without": str,
    # table: columns of numbers that are names of categories; columns of text are without being named (any
    # value; required or empty)
    "categorical": str,
    # table: what is done about a blank, NA, NaN, null, None, ? or a dot: refuse; drop: the row is left out;
    # mean, median: that of the column, and the most frequent category; indicator: the mean, and a column that
    # says where (one of refuse, drop, mean, median, indicator; default refuse)
    "missing": Literal['refuse', 'drop', 'mean', 'median', 'indicator'],
    # table: the columns of a category: reference: one a level but the first; all: one a level (one of
    # reference, all; default reference)
    "levels": Literal['reference', 'all'],
    # table: what stands before the decimals; auto: a comma where no number of the column has a point (one of
    # auto, point, comma; default auto)
    "decimal": Literal['auto', 'point', 'comma'],
    # table: columns of dates such as 2024-03-01 or 2024-03-01T12:30: refuse; days: the days since 1970-01-01
    # (one of refuse, days; default refuse)
    "dates": Literal['refuse', 'days'],
    # one number >= 0 a row: a column of a table (name or number), or a file; empty: those of the data, else 1
    # (any value; required or empty)
    "weights": str,
    # one number a row that is added to <a_i, x>, as the log of an exposure: a column of a table, or a file;
    # empty: those of the data, else 0 (any value; required or empty)
    "offset": str,
    # rows with the same value stay in one fold of a cross-validation: a column of a table, or a file of one
    # number a row (any value; required or empty)
    "groups": str,
    # whether every row is divided by its Euclidean length (true or false; default false)
    "unit_rows": Any,
    # vowpal-wabbit: features are hashed into 2^bits columns, as vw does (18 there); 0: they are whole
    # numbers, those of their columns from 0 (in [0, 30]; default 0)
    "bits": int,
    # what separates the fields of a line (one of auto, tab, comma, semicolon, space, double-colon, pipe;
    # default auto)
    "delimiter": Literal['auto', 'tab', 'comma', 'semicolon', 'space', 'double-colon', 'pipe'],
    # whether the first line names the columns (one of auto, yes, no; default auto)
    "header": Literal['auto', 'yes', 'no'],
}, total=False)

# Squared distance to an array, matrix or image, ||X - Y||_F^2 / 2, with weights and holes
ObjectiveDistance = TypedDict("ObjectiveDistance", {
    "use": Literal['distance', 'denoising'],
    # file of Y: .npy, .npz, a table, Matrix Market, PGM or PNG (grey levels from 0 to 1), or numbers written
    # out; missing entries (NaN, blank, NA) are not observed; empty: the rows of a data section. One row is a
    # vector (any value; required or empty)
    "data": str,
    # weights >= 0 of the entries, likewise, of the size of Y; empty: 1 (any value; required or empty)
    "weights": str,
}, total=False)

# Linear function, t <C, X>
ObjectiveLinear = TypedDict("ObjectiveLinear", {
    "use": Literal['linear', 'linear-program'],
    # file of C: .npy, .npz, a table, Matrix Market, PGM or PNG, or numbers written out; empty: the rows of a
    # data section. One row is a vector (any value; required or empty)
    "data": str,
    # t; -1 maximises <C, X> (any value; default 1)
    "factor": float,
}, total=False)

# Linear model, (1/n) sum_i w_i psi(<a_i, x> + o_i, y_i): regression, classification
ObjectiveLinearModel = TypedDict("ObjectiveLinearModel", {
    "use": Literal['linear-model'],
    # file of rows and responses, or, with * or ? in its name, files of consecutive rows (parts); empty: the
    # data of the [data] section (any value; required or empty)
    "data": str,
    # several responses a row, the variable then having a column for each: columns of a table, by name or
    # number (y1,y2,y3), which are not features, or a file of a line a row; empty: one response (any value;
    # required or empty)
    "responses": str,
    # for losses of two classes: the responses that are taken as 1, all others being -1: a list (1,3,7 or
    # names), or a comparison (<= 10); empty: -1 and 1, 0 and 1, 1 and 2, or two names say it themselves (any
    # value; required or empty)
    "positive": str,
    # of the variable: auto is a vector (p x K for K classes or responses; a matrix where the data was made
    # from one), 300x300 a matrix whose columns are stacked (any value; default auto)
    "shape": str,
    # whether a free number (one a class or response) is added to every product (true or false; default false)
    "intercept": Any,
    # solve with columns of variance 1, centred where an intercept can take that up; the solution is in the
    # units of the data (true or false; default false)
    "standardize": Any,
    # solve with columns of mean 0, which the intercept takes up: the same problem, and the solution is in the
    # units of the data. auto: where the rows are dense and in memory, and the mean of some column is more
    # than 10 deviations from 0 (one of auto, true, false; default auto)
    "center": Literal['auto', 'true', 'false'],
    # covariance of the errors in the rows, subtracted as x'Sx/2: a number, or a file of the diagonal or of
    # the whole matrix (any value; default 0)
    "errors_in_variables": str,
    # of f, where it is known; 0: unknown (>= 0; default 0)
    "strong_convexity": float,
    # of f; 0: computed (>= 0; default 0)
    "smoothness": float,
    # how the file of the design is written (one of auto, table, matrix-market, libsvm, vowpal-wabbit, hdf5,
    # binary, npy, npz; default auto)
    "format": Literal['auto', 'table', 'matrix-market', 'libsvm', 'vowpal-wabbit', 'hdf5', 'binary', 'npy', 'npz'],
    # name or number (from 1) of the response's column, a file of one number a row, an HDF5 dataset or a
    # member of a .npz; auto: the last column, or y (any value; default auto)
    "response": str,
    # HDF5 and .npz: the dataset, group of compressed rows, or member that holds the rows (any value; default
    # X)
    "dataset": str,
    # of the stored entries; sums are made in double. float: an entry below 1e-45 becomes 0, one beyond 3.4e38
    # is refused (one of double, float; default double)
    "precision": Literal['double', 'float'],
    # auto: as the file is written (one of auto, dense, sparse; default auto)
    "storage": Literal['auto', 'dense', 'sparse'],
    # binary and .npy: read: the entries are copied into memory; map: they are used where they stand in the
    # file, of which the system keeps what fits; auto: mapped where they do not fit (one of auto, read, map;
    # default auto)
    "memory": Literal['auto', 'read', 'map'],
    # what an HDF5 file may bring in: own: nothing; plugins: filters from HDF5_PLUGIN_PATH, which run as code;
    # files: external storage, external links and virtual datasets, which read other files; all (one of own,
    # plugins, files, all; default own)
    "hdf5": Literal['own', 'plugins', 'files', 'all'],
    # HDF5: seconds without a number after which reading is given up (in [0.1, 1e+06]; default 60)
    "patience": float,
    # sparse text and sparse HDF5: number of columns; 0: the largest in the file (in [0, 2147483647]; default
    # 0)
    "features": int,
    # table: the columns to read: names or numbers from 1, with commas; empty: all (any value; required or
    # empty)
    "columns": str,
    # table: columns to leave out, likewise (any value; required or empty)
    "without": str,
    # table: columns of numbers that are names of categories; columns of text are without being named (any
    # value; required or empty)
    "categorical": str,
    # table: what is done about a blank, NA, NaN, null, None, ? or a dot: refuse; drop: the row is left out;
    # mean, median: that of the column, and the most frequent category; indicator: the mean, and a column that
    # says where (one of refuse, drop, mean, median, indicator; default refuse)
    "missing": Literal['refuse', 'drop', 'mean', 'median', 'indicator'],
    # table: the columns of a category: reference: one a level but the first; all: one a level (one of
    # reference, all; default reference)
    "levels": Literal['reference', 'all'],
    # table: what stands before the decimals; auto: a comma where no number of the column has a point (one of
    # auto, point, comma; default auto)
    "decimal": Literal['auto', 'point', 'comma'],
    # table: columns of dates such as 2024-03-01 or 2024-03-01T12:30: refuse; days: the days since 1970-01-01
    # (one of refuse, days; default refuse)
    "dates": Literal['refuse', 'days'],
    # one number >= 0 a row: a column of a table (name or number), or a file; empty: those of the data, else 1
    # (any value; required or empty)
    "weights": str,
    # one number a row that is added to <a_i, x>, as the log of an exposure: a column of a table, or a file;
    # empty: those of the data, else 0 (any value; required or empty)
    "offset": str,
    # rows with the same value stay in one fold of a cross-validation: a column of a table, or a file of one
    # number a row (any value; required or empty)
    "groups": str,
    # whether every row is divided by its Euclidean length (true or false; default false)
    "unit_rows": Any,
    # vowpal-wabbit: features are hashed into 2^bits columns, as vw does (18 there); 0: they are whole
    # numbers, those of their columns from 0 (in [0, 30]; default 0)
    "bits": int,
    # what separates the fields of a line (one of auto, tab, comma, semicolon, space, double-colon, pipe;
    # default auto)
    "delimiter": Literal['auto', 'tab', 'comma', 'semicolon', 'space', 'double-colon', 'pipe'],
    # whether the first line names the columns (one of auto, yes, no; default auto)
    "header": Literal['auto', 'yes', 'no'],
    # psi, what a prediction costs when a target is seen
    "loss": Loss | Any,
}, total=False)

# Gaussian likelihood of an inverse covariance matrix, -log det X + <S, X>
ObjectiveLogDet = TypedDict("ObjectiveLogDet", {
    "use": Literal['log-det', 'graphical'],
    # file of samples, a row each, or of their covariance matrix S; empty: the rows of a data section (any
    # value; required or empty)
    "data": str,
    # what the data are: matrix: S; samples: rows of which S is the covariance, with 1/n; auto: a symmetric
    # matrix of a file is S, all else samples (one of auto, matrix, samples; default auto)
    "form": Literal['auto', 'matrix', 'samples'],
    # whether the mean of the samples is taken off first (true or false; default true)
    "center": Any,
}, total=False)

# Matrix completion, the mean loss on the observed entries
ObjectiveMatrixCompletion = TypedDict("ObjectiveMatrixCompletion", {
    "use": Literal['matrix-completion'],
    # file of observed entries: triplets as text, or Matrix Market; may be compressed; or a matrix (layout);
    # or, with * or ? in its name, several files of entries (parts). Without one they come from the [data]
    # section (any value; required or empty)
    "data": str,
    # list: a line is row, column, value; matrix: every entry stands at its place, and those that are missing
    # (NaN, blank, NA) are not observed. auto: pictures, dense Matrix Market files, and tables and arrays of
    # more than 8 or less than 3 columns are matrices (one of auto, list, matrix; default auto)
    "layout": Literal['auto', 'list', 'matrix'],
    # file of further entries, in the same ids, whose RMSE is measured (test_rmse) (any value; required or
    # empty)
    "test": str,
    # weight of every position that is not observed, as if its value were 0 (implicit feedback); of the
    # squared loss (>= 0; default 0)
    "unobserved": float,
    # values are counts r >= 0, such as views: each above 0 is seen as 1, with the weight 1 + confidence r,
    # and 0 as a position that is not observed; those of test likewise (true or false; default false)
    "implicit": Any,
    # see implicit (>= 0; default 0)
    "confidence": float,
    # file of numbers that describe the rows: X = A M B', and the variable is M. Lines are id, feature, value;
    # or a matrix (Matrix Market, .npy, a table) whose line k is of row k (any value; required or empty)
    "row_features": str,
    # likewise of the columns (any value; required or empty)
    "col_features": str,
    # adds a column to A for each row, with this number in it: what its features do not say (>= 0; default 0)
    "row_indicators": float,
    # likewise of the columns (>= 0; default 0)
    "col_indicators": float,
    # what is fitted first and taken off the values: mean is mu, biases are mu + b_i + c_j; for losses of x -
    # y (such as squared, robust, huber) (one of none, mean, biases; default none)
    "center": Literal['none', 'mean', 'biases'],
    # weight of ||b||^2/2 against the sum over the entries: as if so many more entries of a row were mu (> 0;
    # default 5)
    "row_bias_regularization": float,
    # likewise of ||c||^2/2 (> 0; default 3)
    "col_bias_regularization": float,
    # what separates the fields of a line (one of auto, tab, comma, semicolon, space, double-colon, pipe;
    # default auto)
    "delimiter": Literal['auto', 'tab', 'comma', 'semicolon', 'space', 'double-colon', 'pipe'],
    # whether the first line names the columns (one of auto, yes, no; default auto)
    "header": Literal['auto', 'yes', 'no'],
    # what row and column ids are (one of auto, one-based, zero-based, arbitrary; default auto)
    "ids": Literal['auto', 'one-based', 'zero-based', 'arbitrary'],
    # what becomes of a position given twice (one of error, mean, last; default error)
    "duplicates": Literal['error', 'mean', 'last'],
    # the group of compressed rows or columns in an HDF5 file (any value; default X)
    "dataset": str,
    # number of rows; 0: from the data (in [0, 2147483647]; default 0)
    "rows": int,
    # number of columns; 0: from the data (in [0, 2147483647]; default 0)
    "cols": int,
    # column: the fourth field of a line is the weight of the rating; f is the weighted mean (one of none,
    # column; default none)
    "weights": Literal['none', 'column'],
    # the fourth field is a time, and a rating so much older than the newest has half its weight; 0: times are
    # not read (>= 0; default 0)
    "half_life": float,
    # the fields of row, column, value and perhaps weight or time, with commas between them: names of the
    # header or numbers from 1; empty: by the header, else the first ones (any value; required or empty)
    "columns": str,
    # what stands before the decimals; auto: a comma where no number of the column has a point (one of auto,
    # point, comma; default auto)
    "decimal": Literal['auto', 'point', 'comma'],
    # psi, what a prediction costs when a target is seen
    "loss": Loss | Any,
}, total=False)

# Matrix sensing, (1/n) sum_i psi(<A_i, X>, y_i)
ObjectiveMatrixSensing = TypedDict("ObjectiveMatrixSensing", {
    "use": Literal['matrix-sensing', 'phase-retrieval'],
    # file of the A_i, or, with * or ? in its name, files of consecutive ones (parts); empty: the data of the
    # [data] section (any value; required or empty)
    "data": str,
    # what the file holds: dense: a row is vec(A_i), column after column; sparse: lines i, row, column, value
    # of all A_i; rank-one: a row is a_i of a_i b_i'; symmetric: of a_i a_i'; auto: what the data section
    # makes (one of auto, dense, sparse, rank-one, symmetric; default auto)
    "measurements": Literal['auto', 'dense', 'sparse', 'rank-one', 'symmetric'],
    # of symmetric: what the responses are: squares <a_i, x>^2, or magnitudes |<a_i, x>|, which are squared
    # (one of squares, magnitudes; default squares)
    "responses": Literal['squares', 'magnitudes'],
    # of rank-one: file of the rows b_i (any value; required or empty)
    "right": str,
    # of X; 0: those of the data, which dense and sparse do not tell (in [0, 2147483647]; default 0)
    "rows": int,
    # of X, likewise (in [0, 2147483647]; default 0)
    "cols": int,
    # of sparse: whether the list counts from 0 or from 1 (in [0, 1]; default 1)
    "first_index": int,
    # how the gradient of rank-one and symmetric ones is kept: one array, or the products with the rows; auto:
    # the array, unless X is large (one of auto, dense, products; default auto)
    "adjoints": Literal['auto', 'dense', 'products'],
    # of f, where it is known; 0: unknown, or of squared draws its own (>= 0; default 0)
    "strong_convexity": float,
    # of f; 0: computed (>= 0; default 0)
    "smoothness": float,
    # an expectation, of which every draw is seen once: A_i has independent N(0, 1) entries, or is a_i b_i' or
    # a_i a_i' of such vectors, and y_i = <A_i, X*> + noise N(0, 1) (one of none, gaussian, rank-one,
    # symmetric; default none)
    "draws": Literal['none', 'gaussian', 'rank-one', 'symmetric'],
    # of draws: file of X*; empty: the truth of the data section (any value; required or empty)
    "truth": str,
    # of draws: standard deviation of a response's noise (>= 0; default 0)
    "noise": float,
    # of draws: how many, which no batch holds, value, gap and residual are measured on; auto: the closed form
    # of the expectation where the loss is squared, else 10000 (a number (an integer, in [1, 16777216]) or
    # auto; default auto)
    "held_out": Literal['auto'],
    # how the file of the design is written (one of auto, table, matrix-market, libsvm, vowpal-wabbit, hdf5,
    # binary, npy, npz; default auto)
    "format": Literal['auto', 'table', 'matrix-market', 'libsvm', 'vowpal-wabbit', 'hdf5', 'binary', 'npy', 'npz'],
    # name or number (from 1) of the response's column, a file of one number a row, an HDF5 dataset or a
    # member of a .npz; auto: the last column, or y (any value; default auto)
    "response": str,
    # HDF5 and .npz: the dataset, group of compressed rows, or member that holds the rows (any value; default
    # X)
    "dataset": str,
    # of the stored entries; sums are made in double. float: an entry below 1e-45 becomes 0, one beyond 3.4e38
    # is refused (one of double, float; default double)
    "precision": Literal['double', 'float'],
    # auto: as the file is written (one of auto, dense, sparse; default auto)
    "storage": Literal['auto', 'dense', 'sparse'],
    # binary and .npy: read: the entries are copied into memory; map: they are used where they stand in the
    # file, of which the system keeps what fits; auto: mapped where they do not fit (one of auto, read, map;
    # default auto)
    "memory": Literal['auto', 'read', 'map'],
    # what an HDF5 file may bring in: own: nothing; plugins: filters from HDF5_PLUGIN_PATH, which run as code;
    # files: external storage, external links and virtual datasets, which read other files; all (one of own,
    # plugins, files, all; default own)
    "hdf5": Literal['own', 'plugins', 'files', 'all'],
    # HDF5: seconds without a number after which reading is given up (in [0.1, 1e+06]; default 60)
    "patience": float,
    # sparse text and sparse HDF5: number of columns; 0: the largest in the file (in [0, 2147483647]; default
    # 0)
    "features": int,
    # table: the columns to read: names or numbers from 1, with commas; empty: all (any value; required or
    # empty)
    "columns": str,
    # table: columns to leave out, likewise (any value; required or empty)
    "without": str,
    # table: columns of numbers that are names of categories; columns of text are without being named (any
    # value; required or empty)
    "categorical": str,
    # table: what is done about a blank, NA, NaN, null, None, ? or a dot: refuse; drop: the row is left out;
    # mean, median: that of the column, and the most frequent category; indicator: the mean, and a column that
    # says where (one of refuse, drop, mean, median, indicator; default refuse)
    "missing": Literal['refuse', 'drop', 'mean', 'median', 'indicator'],
    # table: the columns of a category: reference: one a level but the first; all: one a level (one of
    # reference, all; default reference)
    "levels": Literal['reference', 'all'],
    # table: what stands before the decimals; auto: a comma where no number of the column has a point (one of
    # auto, point, comma; default auto)
    "decimal": Literal['auto', 'point', 'comma'],
    # table: columns of dates such as 2024-03-01 or 2024-03-01T12:30: refuse; days: the days since 1970-01-01
    # (one of refuse, days; default refuse)
    "dates": Literal['refuse', 'days'],
    # one number >= 0 a row: a column of a table (name or number), or a file; empty: those of the data, else 1
    # (any value; required or empty)
    "weights": str,
    # one number a row that is added to <a_i, x>, as the log of an exposure: a column of a table, or a file;
    # empty: those of the data, else 0 (any value; required or empty)
    "offset": str,
    # rows with the same value stay in one fold of a cross-validation: a column of a table, or a file of one
    # number a row (any value; required or empty)
    "groups": str,
    # whether every row is divided by its Euclidean length (true or false; default false)
    "unit_rows": Any,
    # vowpal-wabbit: features are hashed into 2^bits columns, as vw does (18 there); 0: they are whole
    # numbers, those of their columns from 0 (in [0, 30]; default 0)
    "bits": int,
    # what separates the fields of a line (one of auto, tab, comma, semicolon, space, double-colon, pipe;
    # default auto)
    "delimiter": Literal['auto', 'tab', 'comma', 'semicolon', 'space', 'double-colon', 'pipe'],
    # whether the first line names the columns (one of auto, yes, no; default auto)
    "header": Literal['auto', 'yes', 'no'],
    # psi, what a prediction costs when a target is seen
    "loss": Loss | Any,
}, total=False)

# Squared distance to a matrix that is observed through noisy draws, E ||X - M||_F^2 / 2
ObjectiveNoisyMatrix = TypedDict("ObjectiveNoisyMatrix", {
    "use": Literal['noisy-matrix'],
    # file of M_0, all of it numbers; empty: the rows of a data section (any value; required or empty)
    "data": str,
    # standard deviation of an entry's noise; 0: M_0 itself, one term, exact (>= 0; default 1)
    "sigma": float,
    # a sum of so many draws; 0: the expectation, in which every draw is seen once (in [0, 1099511627776];
    # default 0)
    "draws": int,
}, total=False)

# Quadratic function, x'Qx/2 + c'x
ObjectiveQuadratic = TypedDict("ObjectiveQuadratic", {
    "use": Literal['quadratic', 'quadratic-program'],
    # file of Q or of what it is made of: .npy, .npz, a table, Matrix Market (coordinates stay sparse); empty:
    # the rows of a data section, or a diagonal alone (any value; required or empty)
    "data": str,
    # what the data are: matrix: Q, symmetric; factors: F, a row a variable, of Q = F F'; samples: rows, of
    # which Q is the covariance, with 1/n; neither of these is formed. auto: a symmetric matrix of a file, and
    # samples of a data section (one of auto, matrix, factors, samples; default auto)
    "form": Literal['auto', 'matrix', 'factors', 'samples'],
    # added to the diagonal of Q: a number for all, numbers written out, or a file (any value; required or
    # empty)
    "diagonal": str,
    # c: numbers written out, a file, or mean, of the samples; empty: 0 (any value; required or empty)
    "linear": str,
    # what c is multiplied by: -1 for returns that are to be large (any value; default 1)
    "linear_factor": float,
}, total=False)

# Resisting oracle: worst-case smooth function for T linear minimisations
ObjectiveResisting = TypedDict("ObjectiveResisting", {
    "use": Literal['resisting'],
    # how many there are: linear minimisations that no method can do without (in [1, 16384]; default 16)
    "columns": int,
    # of the variable, at least T; 0: 2 T + 1, which is enough for T points of any kind (in [0, 1048576];
    # default 0)
    "dimension": int,
    # the scale of f: a Lipschitz constant of its gradient, not the smallest; 0: l (>= 0; default 0)
    "smoothness": float,
    # Lipschitz constant of grad H_T that the scale goes by: the paper's 3^15; 152.2 makes L a tight bound (>
    # 0; default 14348907)
    "ell": float,
    # of the ball that it is made for, which makes mu = R / (230 sqrt(T)); 0: mu = 1 (>= 0; default 0)
    "radius": float,
}, total=False)

# Sum of terms over the ranks of an MPI job, f(x) = (1/n) sum_i f_i(x)
ObjectiveSharded = TypedDict("ObjectiveSharded", {
    "use": Literal['sharded'],
    # the terms are cut into so many, or one each where there are fewer terms (of entries of a matrix: rows,
    # of the longer side): at least the number of ranks, best a multiple of it; results depend on it by
    # rounding (in [1, 1048576]; default 64)
    "chunks": int,
    # f, a sum of terms that offers them in chunks
    "inner": Objective | Any,
}, total=False)

# Root mean square of residuals, ||A x - y|| / sqrt(n), smoothed below sigma_0
ObjectiveSquareRoot = TypedDict("ObjectiveSquareRoot", {
    "use": Literal['square-root', 'concomitant'],
    # file of rows and responses; empty: the data of the [data] section (any value; required or empty)
    "data": str,
    # sigma_0 relative to the root mean square of y (with an intercept, of y less its mean): f is smooth where
    # residuals are below it (> 0; default 0.01)
    "sigma": float,
    # whether a free number is added to every product (true or false; default false)
    "intercept": Any,
    # how the file of the design is written (one of auto, table, matrix-market, libsvm, vowpal-wabbit, hdf5,
    # binary, npy, npz; default auto)
    "format": Literal['auto', 'table', 'matrix-market', 'libsvm', 'vowpal-wabbit', 'hdf5', 'binary', 'npy', 'npz'],
    # name or number (from 1) of the response's column, a file of one number a row, an HDF5 dataset or a
    # member of a .npz; auto: the last column, or y (any value; default auto)
    "response": str,
    # HDF5 and .npz: the dataset, group of compressed rows, or member that holds the rows (any value; default
    # X)
    "dataset": str,
    # of the stored entries; sums are made in double. float: an entry below 1e-45 becomes 0, one beyond 3.4e38
    # is refused (one of double, float; default double)
    "precision": Literal['double', 'float'],
    # auto: as the file is written (one of auto, dense, sparse; default auto)
    "storage": Literal['auto', 'dense', 'sparse'],
    # binary and .npy: read: the entries are copied into memory; map: they are used where they stand in the
    # file, of which the system keeps what fits; auto: mapped where they do not fit (one of auto, read, map;
    # default auto)
    "memory": Literal['auto', 'read', 'map'],
    # what an HDF5 file may bring in: own: nothing; plugins: filters from HDF5_PLUGIN_PATH, which run as code;
    # files: external storage, external links and virtual datasets, which read other files; all (one of own,
    # plugins, files, all; default own)
    "hdf5": Literal['own', 'plugins', 'files', 'all'],
    # HDF5: seconds without a number after which reading is given up (in [0.1, 1e+06]; default 60)
    "patience": float,
    # sparse text and sparse HDF5: number of columns; 0: the largest in the file (in [0, 2147483647]; default
    # 0)
    "features": int,
    # table: the columns to read: names or numbers from 1, with commas; empty: all (any value; required or
    # empty)
    "columns": str,
    # table: columns to leave out, likewise (any value; required or empty)
    "without": str,
    # table: columns of numbers that are names of categories; columns of text are without being named (any
    # value; required or empty)
    "categorical": str,
    # table: what is done about a blank, NA, NaN, null, None, ? or a dot: refuse; drop: the row is left out;
    # mean, median: that of the column, and the most frequent category; indicator: the mean, and a column that
    # says where (one of refuse, drop, mean, median, indicator; default refuse)
    "missing": Literal['refuse', 'drop', 'mean', 'median', 'indicator'],
    # table: the columns of a category: reference: one a level but the first; all: one a level (one of
    # reference, all; default reference)
    "levels": Literal['reference', 'all'],
    # table: what stands before the decimals; auto: a comma where no number of the column has a point (one of
    # auto, point, comma; default auto)
    "decimal": Literal['auto', 'point', 'comma'],
    # table: columns of dates such as 2024-03-01 or 2024-03-01T12:30: refuse; days: the days since 1970-01-01
    # (one of refuse, days; default refuse)
    "dates": Literal['refuse', 'days'],
    # one number >= 0 a row: a column of a table (name or number), or a file; empty: those of the data, else 1
    # (any value; required or empty)
    "weights": str,
    # one number a row that is added to <a_i, x>, as the log of an exposure: a column of a table, or a file;
    # empty: those of the data, else 0 (any value; required or empty)
    "offset": str,
    # rows with the same value stay in one fold of a cross-validation: a column of a table, or a file of one
    # number a row (any value; required or empty)
    "groups": str,
    # whether every row is divided by its Euclidean length (true or false; default false)
    "unit_rows": Any,
    # vowpal-wabbit: features are hashed into 2^bits columns, as vw does (18 there); 0: they are whole
    # numbers, those of their columns from 0 (in [0, 30]; default 0)
    "bits": int,
    # what separates the fields of a line (one of auto, tab, comma, semicolon, space, double-colon, pipe;
    # default auto)
    "delimiter": Literal['auto', 'tab', 'comma', 'semicolon', 'space', 'double-colon', 'pipe'],
    # whether the first line names the columns (one of auto, yes, no; default auto)
    "header": Literal['auto', 'yes', 'no'],
}, total=False)

# Function of a sum of blocks, f(x_1, ..., x_k) = g(x_1 + ... + x_k)
ObjectiveSuperposition = TypedDict("ObjectiveSuperposition", {
    "use": Literal['superposition'],
    # the number of blocks x_1, ..., x_k, each of the shape of the variable of g (in [1, 100]; default 2)
    "parts": int,
    # g, a function of the sum of the blocks
    "inner": Objective | Any,
}, total=False)

ObjectiveName = Literal['covariance', 'cox', 'distance', 'linear', 'linear-model', 'log-det',
    'matrix-completion', 'matrix-sensing', 'noisy-matrix', 'quadratic', 'resisting', 'sharded', 'square-root',
    'superposition']
Objective = Union[ObjectiveName, ObjectiveCovariance, ObjectiveCox, ObjectiveDistance, ObjectiveLinear,
    ObjectiveLinearModel, ObjectiveLogDet, ObjectiveMatrixCompletion, ObjectiveMatrixSensing,
    ObjectiveNoisyMatrix, ObjectiveQuadratic, ObjectiveResisting, ObjectiveSharded, ObjectiveSquareRoot,
    ObjectiveSuperposition]

# Indicator of a box, lower <= x_j <= upper
PenaltyBox = TypedDict("PenaltyBox", {
    "use": Literal['box'],
    # least value of an entry; -inf: none (any value or inf; default -inf)
    "lower": float,
    # largest value of an entry; inf: none (any value or inf; default inf)
    "upper": float,
}, total=False)

# Capped l1, lambda sum_j min(|x_j|, theta)
PenaltyCappedL1 = TypedDict("PenaltyCappedL1", {
    "use": Literal['capped-l1'],
    # slope below theta (>= 0; required or empty)
    "lambda": float,
    # magnitude from which on an entry costs no more (> 0; default 1)
    "theta": float,
    # factor of lambda of every entry, column-major: a list (1,0,2,inf), a file of one number an entry, or
    # off-diagonal, which is 0 on the diagonal of a square matrix and 1 elsewhere; 0: the entry is free; inf:
    # it stays 0; empty: 1 (any value; required or empty)
    "weights": str,
}, total=False)

# Penalty of a linear image, lambda g(B x): total variation of a graph, trend filtering, analysis l1
PenaltyComposed = TypedDict("PenaltyComposed", {
    "use": Literal['composed', 'generalized-lasso'],
    # factor of g (> 0; default 1)
    "lambda": float,
    # the linear map: differences of neighbours in a vector or in each column; of the two ends of each edge of
    # a graph; or a matrix (one of difference, graph, matrix; default difference)
    "map": Literal['difference', 'graph', 'matrix'],
    # of map = difference: how often differences are taken; solutions are piecewise polynomials of a degree
    # less by 1 (trend filtering) (in [1, 3]; default 1)
    "order": int,
    # of map = graph: the edges, a row each: two nodes and perhaps a weight above 0, which multiplies their
    # difference; of map = matrix: B. A file (a Matrix Market file of coordinates keeps B sparse) or numbers
    # written out (1 2; 2 3) (any value; required or empty)
    "data": str,
    # the number of the first node of a graph (in [0, 1]; default 1)
    "first_index": int,
    # the convex penalty g of B x, finite everywhere
    "inner": Penalty | Any,
}, total=False)

# Elastic net, lambda (ratio ||x||_1 + (1 - ratio)/2 ||x||^2)
PenaltyElasticNet = TypedDict("PenaltyElasticNet", {
    "use": Literal['elastic-net'],
    # factor of the penalty (>= 0, or a fraction of the largest useful value such as 0.1*max; required or
    # empty)
    "lambda": float | str,
    # share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1]; default 0.5)
    "ratio": float,
    # factor of lambda of every entry, column-major: a list (1,0,2,inf), a file of one number an entry, or
    # off-diagonal, which is 0 on the diagonal of a square matrix and 1 elsewhere; 0: the entry is free; inf:
    # it stays 0; empty: 1 (any value; required or empty)
    "weights": str,
    # side constraint ratio ||x||_1 + (1 - ratio)/2 ||x||^2 <= rho; inf: none (> 0 or inf; default inf)
    "rho": float,
}, total=False)

# Exclusive lasso, (lambda/2) sum_g w_g ||x_g||_1^2
PenaltyExclusive = TypedDict("PenaltyExclusive", {
    "use": Literal['exclusive', 'exclusive-lasso'],
    # factor of the squared l1 norms (> 0; required or empty)
    "lambda": float,
    # the groups of entries, counted from 0 and column-major: a size (10), lists (0-9; 10-14, 19; 15-18), rows
    # or columns of a matrix, or a file with such a list a line (any value; required or empty)
    "groups": str,
    # the weight of each group's norm: none (all 1), sqrt (of the group's size), numbers written out (2 0.5
    # 1), or a file of one number a group (any value; default none)
    "weights": str,
}, total=False)

# Fused lasso, lambda (ratio ||x||_1 + (1 - ratio) sum_k |x_k - x_{k-1}|)
PenaltyFused = TypedDict("PenaltyFused", {
    "use": Literal['fused', 'fused-lasso'],
    # factor of the penalty (>= 0; required or empty)
    "lambda": float,
    # share of the magnitudes; the rest is that of the differences between neighbours (in [0, 1]; default 0.5)
    "ratio": float,
    # the lines of a matrix whose neighbours are compared (one of columns, rows; default columns)
    "along": Literal['columns', 'rows'],
}, total=False)

# Group lasso, lambda sum_g w_g ||x_g||
PenaltyGroup = TypedDict("PenaltyGroup", {
    "use": Literal['group', 'group-lasso'],
    # factor of the sum of group norms (>= 0, or a fraction of the largest useful value such as 0.1*max;
    # required or empty)
    "lambda": float | str,
    # share of the norms in h; the rest is half the squared norm, as in the elastic net (in [0, 1]; default 1)
    "ratio": float,
    # side constraint sum of weighted group norms <= rho; inf: none (> 0 or inf; default inf)
    "rho": float,
    # whether entries must be at least 0 (true or false; default false)
    "nonnegative": Any,
    # the norm of each group: Euclidean, or largest magnitude (one of l2, linf; default l2)
    "norm": Literal['l2', 'linf'],
    # the groups of entries, counted from 0 and column-major: a size (10), lists (0-9; 10-14, 19; 15-18), rows
    # or columns of a matrix, or a file with such a list a line (any value; required or empty)
    "groups": str,
    # the weight of each group's norm: none (all 1), sqrt (of the group's size), numbers written out (2 0.5
    # 1), or a file of one number a group (any value; default none)
    "weights": str,
}, total=False)

# Group MCP, sum_g MCP(||x_g||; w_g lambda, b)
PenaltyGroupMcp = TypedDict("PenaltyGroupMcp", {
    "use": Literal['group-mcp'],
    # slope at 0, times the weight of the group (> 0, or a fraction of the largest useful value such as
    # 0.1*max; required or empty)
    "lambda": float | str,
    # groups whose norm is above b * lambda * weight are not shrunk (> 0; default 3)
    "b": float,
    # the groups of entries, counted from 0 and column-major: a size (10), lists (0-9; 10-14, 19; 15-18), rows
    # or columns of a matrix, or a file with such a list a line (any value; required or empty)
    "groups": str,
    # the weight of each group's norm: none (all 1), sqrt (of the group's size), numbers written out (2 0.5
    # 1), or a file of one number a group (any value; default none)
    "weights": str,
}, total=False)

# Group SCAD, sum_g SCAD(||x_g||; w_g lambda, zeta)
PenaltyGroupScad = TypedDict("PenaltyGroupScad", {
    "use": Literal['group-scad'],
    # slope at 0, times the weight of the group, and the norm up to which a group is penalised like in group
    # lasso (> 0, or a fraction of the largest useful value such as 0.1*max; required or empty)
    "lambda": float | str,
    # groups of norm above zeta * lambda * weight are not shrunk (> 2; default 3.7)
    "zeta": float,
    # the groups of entries, counted from 0 and column-major: a size (10), lists (0-9; 10-14, 19; 15-18), rows
    # or columns of a matrix, or a file with such a list a line (any value; required or empty)
    "groups": str,
    # the weight of each group's norm: none (all 1), sqrt (of the group's size), numbers written out (2 0.5
    # 1), or a file of one number a group (any value; default none)
    "weights": str,
}, total=False)

# l0, lambda times the number of nonzero entries
PenaltyL0 = TypedDict("PenaltyL0", {
    "use": Literal['l0'],
    # price of an entry that is not 0 (>= 0; required or empty)
    "lambda": float,
}, total=False)

# l1 (lasso), lambda sum_j w_j |x_j|
PenaltyL1 = TypedDict("PenaltyL1", {
    "use": Literal['l1', 'lasso'],
    # factor of the sum of magnitudes (>= 0, or a fraction of the largest useful value such as 0.1*max;
    # required or empty)
    "lambda": float | str,
    # side constraint ||x||_1 <= rho; inf: none (> 0 or inf; default inf)
    "rho": float,
    # factor of lambda of every entry, column-major: a list (1,0,2,inf), a file of one number an entry, or
    # off-diagonal, which is 0 on the diagonal of a square matrix and 1 elsewhere; 0: the entry is free; inf:
    # it stays 0; empty: 1 (any value; required or empty)
    "weights": str,
    # second side constraint ||x||_2 <= R, of generalized linear models; inf: none (> 0 or inf; default inf)
    "radius": float,
}, total=False)

# Log-sum penalty, lambda sum_j log(1 + |x_j| / epsilon)
PenaltyLogSum = TypedDict("PenaltyLogSum", {
    "use": Literal['log-sum'],
    # factor of the sum; the slope at 0 is lambda/epsilon (>= 0, or a fraction of the largest useful value
    # such as 0.1*max; required or empty)
    "lambda": float | str,
    # magnitude at which the slope is half of that at 0 (> 0; default 1)
    "epsilon": float,
    # factor of lambda of every entry, column-major: a list (1,0,2,inf), a file of one number an entry, or
    # off-diagonal, which is 0 on the diagonal of a square matrix and 1 elsewhere; 0: the entry is free; inf:
    # it stays 0; empty: 1 (any value; required or empty)
    "weights": str,
}, total=False)

# Minimax concave penalty (MCP; Zhang 2010)
PenaltyMcp = TypedDict("PenaltyMcp", {
    "use": Literal['mcp'],
    # slope at 0 (> 0, or a fraction of the largest useful value such as 0.1*max; required or empty)
    "lambda": float | str,
    # entries beyond b * lambda are not shrunk (> 0; default 3)
    "b": float,
    # factor of lambda of every entry, column-major: a list (1,0,2,inf), a file of one number an entry, or
    # off-diagonal, which is 0 on the diagonal of a square matrix and 1 elsewhere; 0: the entry is free; inf:
    # it stays 0; empty: 1 (any value; required or empty)
    "weights": str,
    # side constraint (h(x) + (mu/2)||x||^2) / lambda <= rho; inf: none (> 0 or inf; default inf)
    "rho": float,
}, total=False)

# Indicator of the nonnegative orthant, x >= 0
PenaltyNonnegative = TypedDict("PenaltyNonnegative", {
    "use": Literal['nonnegative'],
}, total=False)

# Nuclear norm, lambda ||X||_*
PenaltyNuclear = TypedDict("PenaltyNuclear", {
    "use": Literal['nuclear', 'trace-norm'],
    # factor of the sum of singular values (>= 0, or a fraction of the largest useful value such as 0.1*max;
    # required or empty)
    "lambda": float | str,
    # side constraint sum of singular values <= rho; inf: none (> 0 or inf; default inf)
    "rho": float,
}, total=False)

# Latent group lasso of overlapping groups, lambda min sum_g w_g ||z_g||, sum_g z_g = x
PenaltyOverlappingGroup = TypedDict("PenaltyOverlappingGroup", {
    "use": Literal['overlapping-group', 'latent-group-lasso'],
    # factor of the latent group norm (>= 0, or a fraction of the largest useful value such as 0.1*max;
    # required or empty)
    "lambda": float | str,
    # the groups of entries, counted from 0 and column-major: a size (10), lists (0-9; 10-14, 19; 15-18), rows
    # or columns of a matrix, or a file with such a list a line; groups may overlap (any value; required or
    # empty)
    "groups": str,
    # the weight of each group's norm: none (all 1), sqrt (of the group's size), numbers written out (2 0.5
    # 1), or a file of one number a group (any value; default none)
    "weights": str,
}, total=False)

# Rank, lambda rank(X)
PenaltyRank = TypedDict("PenaltyRank", {
    "use": Literal['rank'],
    # price of a singular value that is not 0 (>= 0; required or empty)
    "lambda": float,
}, total=False)

# Ridge, (lambda/2) ||x||_2^2
PenaltyRidge = TypedDict("PenaltyRidge", {
    "use": Literal['ridge'],
    # factor of half the sum of squares (>= 0; required or empty)
    "lambda": float,
    # factor of lambda of every entry, column-major: a list (1,0,2,inf), a file of one number an entry, or
    # off-diagonal, which is 0 on the diagonal of a square matrix and 1 elsewhere; 0: the entry is free; inf:
    # it stays 0; empty: 1 (any value; required or empty)
    "weights": str,
    # side constraint ||x||^2 / 2 <= rho; inf: none (> 0 or inf; default inf)
    "rho": float,
}, total=False)

# Smoothly clipped absolute deviation (SCAD; Fan, Li 2001)
PenaltyScad = TypedDict("PenaltyScad", {
    "use": Literal['scad'],
    # slope at 0, and the size up to which an entry is penalised like in l1 (> 0, or a fraction of the largest
    # useful value such as 0.1*max; required or empty)
    "lambda": float | str,
    # entries beyond zeta * lambda are not shrunk (> 2; default 3.7)
    "zeta": float,
    # factor of lambda of every entry, column-major: a list (1,0,2,inf), a file of one number an entry, or
    # off-diagonal, which is 0 on the diagonal of a square matrix and 1 elsewhere; 0: the entry is free; inf:
    # it stays 0; empty: 1 (any value; required or empty)
    "weights": str,
    # side constraint (h(x) + (mu/2)||x||^2) / lambda <= rho; inf: none (> 0 or inf; default inf)
    "rho": float,
}, total=False)

# Separable sum of penalties, lambda (h_1(x_1) + ... + h_k(x_k))
PenaltySeparableSum = TypedDict("PenaltySeparableSum", {
    "use": Literal['separable-sum', 'product'],
    # factor of the sum; max where all penalties are norms (> 0, or a fraction of the largest useful value
    # such as 0.1*max; required or empty)
    "lambda": float | str,
    # the entries of the variable, column-major, that each penalty gets: 3 for a vector of 3, 4x2 for a matrix
    # (3 4x2); empty: equal parts, or the blocks of a product (any value; required or empty)
    "sizes": str,
    # the penalties, in the order of the blocks
    "blocks": Sequence[Penalty | Any],
}, total=False)

# SLOPE (sorted l1 norm), lambda sum_k w_k |x|_(k)
PenaltySlope = TypedDict("PenaltySlope", {
    "use": Literal['slope', 'sorted-l1'],
    # factor of the sum of sorted magnitudes (>= 0, or a fraction of the largest useful value such as 0.1*max;
    # required or empty)
    "lambda": float | str,
    # rate of false discoveries that the weights are for, where none are given (in (0, 1]; default 0.1)
    "q": float,
    # weights that fall, of the largest magnitude, the second largest and so on: written out (3 2 1) or in a
    # file; empty: those of q (any value; required or empty)
    "weights": str,
    # side constraint sum_k w_k |x|_(k) <= rho; inf: none (> 0 or inf; default inf)
    "rho": float,
}, total=False)

# Sparse group lasso, lambda (ratio ||x||_1 + (1 - ratio) sum_g w_g ||x_g||)
PenaltySparseGroup = TypedDict("PenaltySparseGroup", {
    "use": Literal['sparse-group', 'sparse-group-lasso'],
    # factor of the penalty (>= 0, or a fraction of the largest useful value such as 0.1*max; required or
    # empty)
    "lambda": float | str,
    # share of the sum of magnitudes; the rest is for the group norms (in [0, 1]; default 0.5)
    "ratio": float,
    # side constraint ratio ||x||_1 + (1 - ratio) * sum of weighted group norms <= rho; inf: none (> 0 or inf;
    # default inf)
    "rho": float,
    # the groups of entries, counted from 0 and column-major: a size (10), lists (0-9; 10-14, 19; 15-18), rows
    # or columns of a matrix, or a file with such a list a line (any value; required or empty)
    "groups": str,
    # the weight of each group's norm: none (all 1), sqrt (of the group's size), numbers written out (2 0.5
    # 1), or a file of one number a group (any value; default none)
    "weights": str,
}, total=False)

# Sum of penalties, h_1 + ... + h_k
PenaltySum = TypedDict("PenaltySum", {
    "use": Literal['sum'],
    # the penalties that are summed; the result of a proximal step lies in the domain of the last
    "terms": Sequence[Penalty | Any],
}, total=False)

# Tree-structured group lasso, lambda sum_g w_g ||x_g||, groups nested
PenaltyTreeGroup = TypedDict("PenaltyTreeGroup", {
    "use": Literal['tree-group', 'hierarchical'],
    # factor of the sum of group norms (>= 0, or a fraction of the largest useful value such as 0.1*max;
    # required or empty)
    "lambda": float | str,
    # the groups of entries, counted from 0 and column-major: a size (10), lists (0-9; 10-14, 19; 15-18), rows
    # or columns of a matrix, or a file with such a list a line; two groups are disjoint, or one holds the
    # other (any value; required or empty)
    "groups": str,
    # the weight of each group's norm: none (all 1), sqrt (of the group's size), numbers written out (2 0.5
    # 1), or a file of one number a group (any value; default none)
    "weights": str,
}, total=False)

# Total variation, lambda sum |x_i - x_j| over neighbours
PenaltyTv = TypedDict("PenaltyTv", {
    "use": Literal['tv', 'total-variation'],
    # factor of the sum of magnitudes of differences (>= 0; required or empty)
    "lambda": float,
    # the lines of a matrix whose neighbours are compared; both: those of an image (one of columns, rows,
    # both; default columns)
    "along": Literal['columns', 'rows', 'both'],
    # of along = both: the magnitudes of the two differences of an entry, or the length of their vector (one
    # of anisotropic, isotropic; default anisotropic)
    "kind": Literal['anisotropic', 'isotropic'],
}, total=False)

PenaltyName = Literal['box', 'capped-l1', 'composed', 'elastic-net', 'exclusive', 'fused', 'group',
    'group-mcp', 'group-scad', 'l0', 'l1', 'log-sum', 'mcp', 'nonnegative', 'nuclear', 'overlapping-group',
    'rank', 'ridge', 'scad', 'separable-sum', 'slope', 'sparse-group', 'sum', 'tree-group', 'tv']
Penalty = Union[PenaltyName, PenaltyBox, PenaltyCappedL1, PenaltyComposed, PenaltyElasticNet,
    PenaltyExclusive, PenaltyFused, PenaltyGroup, PenaltyGroupMcp, PenaltyGroupScad, PenaltyL0, PenaltyL1,
    PenaltyLogSum, PenaltyMcp, PenaltyNonnegative, PenaltyNuclear, PenaltyOverlappingGroup, PenaltyRank,
    PenaltyRidge, PenaltyScad, PenaltySeparableSum, PenaltySlope, PenaltySparseGroup, PenaltySum,
    PenaltyTreeGroup, PenaltyTv]

# Birkhoff polytope: doubly stochastic matrices, X >= 0, X 1 = 1, X' 1 = 1
SetBirkhoff = TypedDict("SetBirkhoff", {
    "use": Literal['birkhoff'],
}, total=False)

# Box, lower <= x_j <= upper
SetBox = TypedDict("SetBox", {
    "use": Literal['box'],
    # least value of an entry (any value; default 0)
    "lower": float,
    # largest value of an entry (any value; default 1)
    "upper": float,
}, total=False)

# Lazy linear oracle: the last vertices of another set answer
SetCached = TypedDict("SetCached", {
    "use": Literal['cached', 'lazy'],
    # vertices that are kept; the one not returned for longest leaves (>= 1; default 100)
    "keep": int,
    # a kept vertex is returned if it gains at least this share of what the last result of the inner set
    # gained (in (0, 1]; default 0.5)
    "share": float,
    # answers from the kept vertices in a row, at most; 0: never (>= 0; default 20)
    "reuse": int,
    # the set, whose linear oracle is expensive
    "inner": Set | Any,
}, total=False)

# Elastic net ball, a ||x||_1 + (1 - a)/2 ||x||^2 <= radius
SetElasticNetBall = TypedDict("SetElasticNetBall", {
    "use": Literal['elastic-net-ball'],
    # share of the sum of magnitudes; the rest is for half the sum of squares; 1 is the set l1-ball (in [0,
    # 0.999]; default 0.5)
    "ratio": float,
    # bound on the sum (> 0; required or empty)
    "radius": float,
}, total=False)

# Axis-aligned ellipsoid, sum_j ((x_j - m_j) / a_j)^2 <= r^2
SetEllipsoid = TypedDict("SetEllipsoid", {
    "use": Literal['ellipsoid'],
    # factor of the half-lengths of the axes (> 0; required or empty)
    "radius": float,
    # half-lengths of the axes, above 0, one an entry: written out (1 2 0.5) or in a file; empty: all 1 (any
    # value; required or empty)
    "axes": str,
    # the centre: written out or in a file; empty: 0 (any value; required or empty)
    "center": str,
}, total=False)

# Fantope: symmetric, 0 <= X <= I, tr X = k
SetFantope = TypedDict("SetFantope", {
    "use": Literal['fantope'],
    # the dimension of the subspaces, and the trace (>= 1; default 1)
    "k": int,
}, total=False)

# Unit flow polytope: convex combinations of the paths from source to target
SetFlow = TypedDict("SetFlow", {
    "use": Literal['flow'],
    # the arcs of a directed graph, in the order of the entries of the variable (any value; required or empty)
    "graph": str,
    # the node where paths start; -1: the only one that no arc enters (>= -1; default -1)
    "source": int,
    # the node where paths end; -1: the only one that no arc leaves (>= -1; default -1)
    "target": int,
}, total=False)

# Group-norm ball, sum_g w_g ||x_g|| <= radius
SetGroupBall = TypedDict("SetGroupBall", {
    "use": Literal['group-ball'],
    # bound on the sum of weighted group norms (> 0; required or empty)
    "radius": float,
    # the norm of each group: Euclidean, or largest magnitude (one of l2, linf; default l2)
    "norm": Literal['l2', 'linf'],
    # the groups of entries, counted from 0 and column-major: a size (10), lists (0-9; 10-14, 19; 15-18), rows
    # or columns of a matrix, or a file with such a list a line (any value; required or empty)
    "groups": str,
    # the weight of each group's norm: none (all 1), sqrt (of the group's size), numbers written out (2 0.5
    # 1), or a file of one number a group (any value; default none)
    "weights": str,
}, total=False)

# Intersection of sets, C_1 n ... n C_k
SetIntersection = TypedDict("SetIntersection", {
    "use": Literal['intersection'],
    # how common points are found: projections (of the sets, which make that of the intersection) or oracles
    # (linear oracles of the sets, by split-conditional-gradient; nothing is projected) (one of projections,
    # oracles; default projections)
    "by": Literal['projections', 'oracles'],
    # how far a solution may lie outside, relative to the size of the sets; more than rounding where linear
    # oracles alone find points of sets that have no interior (in [0, 0.001]; default 0)
    "slack": float,
    # the sets whose common points are meant, all with a projection or all with a linear oracle; a projection
    # ends in the last
    "sets": Sequence[Set | Any],
}, total=False)

# k-support ball: convex hull of {x : ||x||_0 <= k, ||x|| <= radius}
SetKSparse = TypedDict("SetKSparse", {
    "use": Literal['k-sparse', 'k-support'],
    # bound on the norm of the sparse points (> 0; required or empty)
    "radius": float,
    # most entries other than 0 of a corner (>= 1; default 1)
    "k": int,
    # the norm of the sparse points: Euclidean, or the largest magnitude (one of l2, linf; default l2)
    "norm": Literal['l2', 'linf'],
}, total=False)

# l1 ball, ||x||_1 <= radius
SetL1Ball = TypedDict("SetL1Ball", {
    "use": Literal['l1-ball'],
    # bound on the sum of magnitudes (> 0; required or empty)
    "radius": float,
}, total=False)

# Euclidean ball, ||x||_2 <= radius
SetL2Ball = TypedDict("SetL2Ball", {
    "use": Literal['l2-ball'],
    # bound on the Euclidean norm (> 0; required or empty)
    "radius": float,
}, total=False)

# Weighted lp ball, (sum_j (w_j |x_j|)^p)^(1/p) <= radius
SetLpBall = TypedDict("SetLpBall", {
    "use": Literal['lp-ball'],
    # the power of the norm; below 1 the set would not be convex (>= 1 or inf; default 2)
    "p": float,
    # bound on the norm (> 0; required or empty)
    "radius": float,
    # factors of the entries within the norm, above 0: written out (1 2 0.5) or in a file; empty: all 1 (any
    # value; required or empty)
    "weights": str,
}, total=False)

# Base polytope of a matroid: uniform (hypersimplex), partition or graphic (spanning trees)
SetMatroidBase = TypedDict("SetMatroidBase", {
    "use": Literal['matroid-base', 'hypersimplex'],
    # which sets of entries are bases: all of a number, a number of each group, or the spanning trees of a
    # graph (one of uniform, partition, graphic; default uniform)
    "matroid": Literal['uniform', 'partition', 'graphic'],
    # how many entries of the whole, or of each group (a number for all, or one for each: 2 1 1), a base has
    # (any value; default 1)
    "rank": str,
    # of partition: the groups of entries, counted from 0 and column-major: a size (10), lists (0-9; 10-14,
    # 19; 15-18), rows or columns of a matrix, or a file with such a list a line (any value; required or
    # empty)
    "groups": str,
    # of graphic: an edge a row, the numbers of two nodes, in the order of the entries: a file, or written out
    # (1 2; 2 3; 1 3) (any value; required or empty)
    "graph": str,
}, total=False)

# Monotone vectors, lower <= x_1 <= ... <= x_p <= upper
SetMonotone = TypedDict("SetMonotone", {
    "use": Literal['monotone'],
    # least value of an entry (any value; default 0)
    "lower": float,
    # largest value of an entry (any value; default 1)
    "upper": float,
    # whether entries rise or fall along their line (one of rising, falling; default rising)
    "order": Literal['rising', 'falling'],
    # the lines of a matrix that are ordered; a vector is one column (one of columns, rows; default columns)
    "along": Literal['columns', 'rows'],
}, total=False)

# Affine image of another set, {a u + t : u in C}
SetMoved = TypedDict("SetMoved", {
    "use": Literal['moved'],
    # what the points of the set are multiplied by; not 0 (any value; default 1)
    "factor": float,
    # what is added to them then, a number for each entry, column-major, or one for all: written out (1 0 -2)
    # or in a file; empty: nothing (any value; required or empty)
    "shift": str,
    # the set that is scaled and moved
    "inner": Set | Any,
}, total=False)

# Nuclear norm ball, ||X||_* <= radius
SetNuclearBall = TypedDict("SetNuclearBall", {
    "use": Literal['nuclear-ball', 'trace-norm-ball'],
    # bound on the sum of the singular values (> 0; required or empty)
    "radius": float,
    # solver of the leading singular pair: warm-started Lanczos bidiagonalisation, ARPACK (its gaps are
    # confirmed by Lanczos), or a dense decomposition (one of lanczos, arpack, dense; default lanczos)
    "engine": Literal['lanczos', 'arpack', 'dense'],
    # most operator-vector products of one Lanczos solve (>= 4; default 600)
    "products": int,
}, total=False)

# Ball of the ordered weighted l1 norm (OWL), sum_k w_k |x|_(k) <= radius
SetOrderedWeight = TypedDict("SetOrderedWeight", {
    "use": Literal['ordered-weight', 'owl-ball'],
    # bound on the ordered weighted sum of magnitudes (> 0; required or empty)
    "radius": float,
    # weights that fall, of the largest magnitude, the second largest and so on: written out (3 2 1) or in a
    # file; empty: 1, 1 - 1/n, ..., 1/n (any value; required or empty)
    "weights": str,
}, total=False)

# Permutahedron: convex hull of the permutations of a vector w
SetPermutahedron = TypedDict("SetPermutahedron", {
    "use": Literal['permutahedron'],
    # the numbers whose orders are the corners, written out (3 1.5 0) or in a file; empty: 1, 2, ..., n for a
    # variable of n entries (any value; required or empty)
    "values": str,
}, total=False)

# Polytope of a linear program, low <= x <= high, least <= A x <= most
SetPolytope = TypedDict("SetPolytope", {
    "use": Literal['polytope'],
    # the constraints of a linear program: a file of MPS or LP format, whose objective plays no part, or rows
    # with a ; between them (any value; required or empty)
    "program": str,
    # the variables that are integers in the points whose convex hull is the set: none, those that the file
    # declares, or all (one of no, declared, all; default no)
    "integers": Literal['no', 'declared', 'all'],
}, total=False)

# Product of sets, C_1 x ... x C_k
SetProduct = TypedDict("SetProduct", {
    "use": Literal['product'],
    # the entries of the variable, column-major, that each set gets: 3 for a vector of 3, 4x2 for a matrix (3
    # 4x2); empty: equal parts, or the blocks of a product (any value; required or empty)
    "sizes": str,
    # the sets of the product, in the order of the entries
    "blocks": Sequence[Set | Any],
}, total=False)

# Trace-bounded positive semidefinite matrices, X >= 0, tr X <= radius
SetPsdTrace = TypedDict("SetPsdTrace", {
    "use": Literal['psd-trace'],
    # bound on the sum of the eigenvalues (> 0; required or empty)
    "radius": float,
    # most operator-vector products of one Lanczos solve (>= 4; default 600)
    "products": int,
}, total=False)

# Simplex, x >= 0, sum_j x_j = radius
SetSimplex = TypedDict("SetSimplex", {
    "use": Literal['simplex'],
    # the sum of the entries (> 0; required or empty)
    "radius": float,
}, total=False)

# Spectrahedron, X >= 0, tr X = radius
SetSpectrahedron = TypedDict("SetSpectrahedron", {
    "use": Literal['spectrahedron'],
    # the sum of the eigenvalues (> 0; required or empty)
    "radius": float,
    # most operator-vector products of one Lanczos solve (>= 4; default 600)
    "products": int,
}, total=False)

# Unit simplex, x >= 0, sum_j x_j <= radius
SetUnitSimplex = TypedDict("SetUnitSimplex", {
    "use": Literal['unit-simplex'],
    # the largest sum of the entries (> 0; required or empty)
    "radius": float,
}, total=False)

# Convex hull of a list of points, conv{v_1, ..., v_m}
SetVertices = TypedDict("SetVertices", {
    "use": Literal['vertices'],
    # points that span the set, a row each with a number for each entry of the variable, column-major (any
    # value; required or empty)
    "vertices": str,
}, total=False)

SetName = Literal['birkhoff', 'box', 'cached', 'elastic-net-ball', 'ellipsoid', 'fantope', 'flow',
    'group-ball', 'intersection', 'k-sparse', 'l1-ball', 'l2-ball', 'lp-ball', 'matroid-base', 'monotone',
    'moved', 'nuclear-ball', 'ordered-weight', 'permutahedron', 'polytope', 'product', 'psd-trace', 'simplex',
    'spectrahedron', 'unit-simplex', 'vertices']
Set = Union[SetName, SetBirkhoff, SetBox, SetCached, SetElasticNetBall, SetEllipsoid, SetFantope, SetFlow,
    SetGroupBall, SetIntersection, SetKSparse, SetL1Ball, SetL2Ball, SetLpBall, SetMatroidBase, SetMonotone,
    SetMoved, SetNuclearBall, SetOrderedWeight, SetPermutahedron, SetPolytope, SetProduct, SetPsdTrace,
    SetSimplex, SetSpectrahedron, SetUnitSimplex, SetVertices]

# Huber-smoothed elastic net, lambda sum_j (ratio h_mu(x_j) + (1 - ratio)/2 x_j^2)
SmootherElasticNet = TypedDict("SmootherElasticNet", {
    "use": Literal['elastic-net'],
    # weight of the elastic net that is smoothed (>= 0; required or empty)
    "lambda": float,
    # half the width of the smoothed corners (> 0; required or empty)
    "mu": float,
    # instead of mu: how far the value without smoothing may be from its least; mu = 7 eps/(92 gamma), gamma =
    # lambda ratio d/2 for d entries; 0: not given (>= 0; default 0)
    "eps": float,
    # share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1]; default 0.5)
    "ratio": float,
}, total=False)

# Huber-smoothed l1 norm, lambda sum_j h_mu(x_j)
SmootherHuberL1 = TypedDict("SmootherHuberL1", {
    "use": Literal['huber-l1'],
    # weight of the sum of magnitudes that is smoothed (>= 0; required or empty)
    "lambda": float,
    # half the width of the smoothed corner; R is lambda/mu-smooth (> 0; required or empty)
    "mu": float,
    # instead of mu: how far the value without smoothing may be from its least; mu = 7 eps/(92 gamma), gamma =
    # lambda d/2 for d entries; 0: not given (>= 0; default 0)
    "eps": float,
}, total=False)

# Log-sum-exp, mu log sum_i exp((<A_i, X> - b_i)/mu), of a maximum of linear functions
SmootherLogSumExp = TypedDict("SmootherLogSumExp", {
    "use": Literal['log-sum-exp'],
    # how far from the largest a term still counts; R is max ||A_i||^2/mu-smooth (> 0; required or empty)
    "mu": float,
    # instead of mu: how far the value without smoothing may be from its least; mu = 7 eps/(92 gamma), gamma =
    # log n; 0: not given (>= 0; default 0)
    "eps": float,
    # file of a row for each i: A_i, column after column, and b_i at its end; empty: the terms are the entries
    # of X (any value; required or empty)
    "data": str,
    # of data: rows of X; 0: as many as fit (in [0, 2147483647]; default 0)
    "rows": int,
    # of data: columns of X (in [1, 2147483647]; default 1)
    "cols": int,
}, total=False)

# Squared norm, (lambda/2) ||x||_F^2, as a smooth part of the objective
SmootherSquaredNorm = TypedDict("SmootherSquaredNorm", {
    "use": Literal['squared-norm'],
    # factor of half the squared norm, and its strong convexity (>= 0; required or empty)
    "lambda": float,
}, total=False)

SmootherName = Literal['elastic-net', 'huber-l1', 'log-sum-exp', 'squared-norm']
Smoother = Union[SmootherName, SmootherElasticNet, SmootherHuberL1, SmootherLogSumExp, SmootherSquaredNorm]

# when the run ends: at the first rule that holds
Stop = TypedDict("Stop", {
    # most steps of the algorithm; 0: no limit (>= 0; default 0)
    "iterations": int,
    # most epochs of the estimator; 0: no limit (>= 0; default 0)
    "epochs": int,
    # most passes over the data, (sfo + hvp) / n; 0: no limit (>= 0; default 0)
    "passes": float,
    # most seconds that pass, measuring included; 0: no limit (>= 0; default 0)
    "seconds": float,
    # target for the gap on the full data, confirmed; 0: no target (>= 0; default 0)
    "gap": float,
    # target for gap / |value|, confirmed; 0: no target (in [0, 0.999999]; default 0)
    "relative_gap": float,
    # target for ||x - prox_{s h}(x - s grad f(x))|| / s over ||grad f|| at 0, or at the best intercept alone
    # if less; s = 1/(L + mu), h plus mu/2 ||x||^2 convex: a stationary point to that accuracy, where no gap
    # bounds the value; 0: no target (>= 0; default 0)
    "residual": float,
    # target for the objective value; -inf: no target (any value or inf; default -inf)
    "value": float,
    # most component gradients; 0: no limit (>= 0; default 0)
    "sfo": int,
    # most linear minimisations; 0: no limit (>= 0; default 0)
    "lo": int,
    # end after so many steps without a new best measured value; 0: never (>= 0; default 0)
    "stall": int,
}, total=False)

# what is measured on the way
Trace = TypedDict("Trace", {
    # whether points are measured on the way (true or false; default true)
    "on": Any,
    # steps between rows; 0: ever farther apart, by a tenth of the steps so far, and at the end of every
    # epoch, as long as measuring is counted below a tenth of the steps' work and three hundred passes (>= 0;
    # default 0)
    "every": int,
    # whether rows hold the distance of the last step's gradient estimate from the gradient; costs a pass a
    # row (true or false; default false)
    "estimator_error": Any,
    # what rows are measured at: the iterate, or what the run would return, where that is another point (an
    # average) (one of iterate, answer; default iterate)
    "point": Literal['iterate', 'answer'],
    # whether spectral proximal steps prove how exact they are, which costs products a step, counted in
    # matvec; the result has the eigengap of the gradient at the solution then (true or false; default false)
    "certificate": Any,
    # file of the matrix (vector) that is to be found, as CSV or Matrix Market array, for the column
    # rmse_truth (any value; default empty)
    "truth": str,
    # relative tolerance of the oracle calls that measure a gap (in (0, 0.1]; default 1e-04)
    "tolerance": float,
}, total=False)

# seed, threads, folders
Run = TypedDict("Run", {
    # seed of every random stream of the run (>= 0; default 0)
    "seed": int,
    # threads; the result does not depend on it (in [1, 256]; default 1)
    "threads": int,
    # independent runs, of which the one of smallest gap is the solution: ceil(log2(1/delta)) for a failure
    # probability delta (in [1, 65535]; default 1)
    "trials": int,
    # folder against which relative file names are resolved; empty: that of the specification (any value;
    # default empty)
    "base": str,
}, total=False)

# where the run starts
Start = TypedDict("Start", {
    # where the run starts: auto is the set's own start point, or zero when it has none; zero; mean-fill, of
    # the observed entries with their mean everywhere else the best approximation of rank start.rank,
    # projected onto the set; or a point: the folder of a run with its solution, or a Matrix Market, .npy or
    # text file (any value; default auto)
    "from": str,
    # of start.from = mean-fill: its rank (>= 0; default 0)
    "rank": int,
}, total=False)

# what the run folder holds
Output = TypedDict("Output", {
    # whether the run folder gets the solution as Matrix Market files (true or false; default true)
    "solution": Any,
    # seconds between checkpoints in the run folder, from which claros resume continues, and more where
    # writing one takes longer than 2% of them; 0: none (>= 0; default 10)
    "checkpoint": float,
    # steps between checkpoints, besides those by time; 0: by time alone (>= 0; default 0)
    "checkpoint_every": int,
}, total=False)
