// SPDX-License-Identifier: BSD-3-Clause
/// @file stuck.hpp  The end of a run in which a component never comes back.
#pragma once

#include <functional>

namespace claros::cli {

/// The exit code of `last_words`, which writes files in a child process, where memory does not change and no
/// thread else is at work; -1, which is said, where the child does not end in a minute, or in order.
int said_in_child(const std::function<int()>& last_words);

/// Whether that was ever needed: this process has a thread that does not end, and is to end without the
/// destructors that main's end would call.
bool run_is_stuck() noexcept;

/// Ends this process with the exit code of `last_words`, or with `otherwise` where it has none.
[[noreturn]] void end_while_stuck(const std::function<int()>& last_words, int otherwise);

}  // namespace claros::cli
