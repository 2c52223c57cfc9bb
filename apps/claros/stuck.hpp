// SPDX-License-Identifier: BSD-3-Clause
/// @file stuck.hpp  The end of a run in which a component never comes back.
#pragma once

#include <functional>

namespace claros::cli {

/// Ends this process, which still has a thread at work, with the exit code of `last_words`; that writes files and shows the
/// result in a child process, where memory stands still and nobody else is at work. With `otherwise` where the child does not
/// end in a minute, or in order.
[[noreturn]] void end_while_stuck(const std::function<int()>& last_words, int otherwise);

}  // namespace claros::cli
