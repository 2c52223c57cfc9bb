// SPDX-License-Identifier: BSD-3-Clause
/// @file run_folder.hpp  The files of a run: spec.ini, trace.csv, result.json and the solution.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/io/owned_folder.hpp>
#include <claros/io/training.hpp>
#include <claros/results/run_identity.hpp>
#include <claros/run/run_loop.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace claros {

/// The result as JSON text. It has status and why, value, gap, gap_kind, confirmed, lower bound, iterations,
/// epochs, counts, seconds, and seed. It also has shape, rank or support, certificate, baseline
/// (training.hpp), versions, and arithmetic (arithmetic.hpp). Numbers that do not apply are null.
/// "certificate" describes the proximal steps together: whether all are exact, the largest error bound, and
/// the share that has one (Certification, counts.hpp). In a folder it has "run" and "files" too, which say
/// what belongs to it.
CLAROS_API std::string result_json(const Composition& composition, const RunResult& result,
                                   const RunIdentity* identity = nullptr);

/// Writes x to `folder` as Matrix Market: U.mtx, s.mtx, V.mtx with X = U diag(s) V' if x is low-rank alone,
/// else x.mtx, which is sparse and without entries if x is 0. X may be symmetric positive semidefinite with
/// rank 1, to 1e-3 of its first singular value. Then it adds vector.mtx: x with X = x x' and its largest
/// entry above 0. Blocks of a product are in folders of their own, block-1 and so on. Throws Error(data) when
/// it cannot be written.
CLAROS_API void write_solution(const std::filesystem::path& folder, const Element& x);

/// The contents of folding.csv for a run (fold_in.hpp), which take a gradient at the solution; nothing if
/// there is no such file. If several ranks sum f, all of them call this.
CLAROS_API std::optional<FoldingRule> folding_of(const Composition& composition, const RunResult& result);

/// The folder of one run while it is made. It is owned (owned_folder.hpp) from construction on, so that no
/// other process writes to it, and has an identity (run_identity.hpp) that all its files share.
///
/// An earlier result is in folder/.claros-earlier from `begin` on until the new one is whole. It comes back
/// if the run ends without a result or a checkpoint. A run that was refused leaves nothing.
class CLAROS_API RunFolder {
 public:
  enum class For { new_run, resume };
  /// Owns a folder, and makes it if it is missing. Throws Error(data) if another process owns it or it cannot
  /// be written. To resume, it also throws if spec.ini does not name its run.
  RunFolder(const std::filesystem::path& folder, For purpose);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return owned_.path(); }
  const std::string& id() const noexcept { return id_; }
  /// Sets an earlier result aside and writes spec.ini. To be called after a CheckpointFile is made, which
  /// reads the inputs once more (one may be of that result), and before the first checkpoint.
  void begin(const Composition& composition);
  /// Writes trace.csv, the solution and result.json beside the earlier ones, and gives them their names when
  /// all of them are on disk. Returns the text of result.json. If it throws Error(data), the earlier files
  /// stay. `folding` is folding_of the two.
  std::string write(const Composition& composition, const RunResult& result,
                    const std::optional<FoldingRule>& folding);

 private:
  OwnedFolder owned_;
  For purpose_;
  std::string id_;
  bool begun_ = false, finished_ = false, written_ = false;
};

/// A run that is over, as a whole folder: begin and write.
CLAROS_API void write_run_folder(const std::filesystem::path& folder, const Composition& composition,
                                 const RunResult& result);

/// The version of the library, such as "1.2.3".
CLAROS_API std::string version();

}  // namespace claros
