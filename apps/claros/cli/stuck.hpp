// SPDX-License-Identifier: BSD-3-Clause
/// @file stuck.hpp  The end of a run in which a component never comes back.
#pragma once

#include <functional>

namespace claros::cli {

/// The exit code of `last_words`, which writes files in a child process: memory does not change there, and no
/// other thread is at work. If the child does not end in a minute, or not in order, it is -1, with a message.
int said_in_child(const std::function<int()>& last_words);

/// True if that was ever needed. This process then has a thread that does not end, and must end without the
/// destructors that main's end would call.
bool run_is_stuck() noexcept;

/// Ends this process with the exit code of `last_words`, or with `otherwise` if it has none.
[[noreturn]] void end_while_stuck(const std::function<int()>& last_words, int otherwise);

}  // namespace claros::cli
