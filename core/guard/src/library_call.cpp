// SPDX-License-Identifier: BSD-3-Clause
#include <claros/interruption.hpp>
#include <claros/library_call.hpp>

namespace claros {

namespace {

LibraryCall::UnderWay& under_way() noexcept {
  thread_local LibraryCall::UnderWay call;
  return call;
}

void set(const char* what, Index rows, Index cols) noexcept {
  LibraryCall::UnderWay& call = under_way();
  call.rows = rows;
  call.cols = cols;
  call.what = what;
}

}  // namespace

LibraryCall::LibraryCall(const char* what, Index rows, Index cols)
    : what_before_(under_way().what), rows_before_(under_way().rows), cols_before_(under_way().cols) {
  Interruption::poll();
  set(what, rows, cols);
}

LibraryCall::~LibraryCall() { set(what_before_, rows_before_, cols_before_); }

const LibraryCall::UnderWay& LibraryCall::of_this_thread() noexcept { return under_way(); }

}  // namespace claros
