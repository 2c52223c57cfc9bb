// SPDX-License-Identifier: BSD-3-Clause
#include <claros/at_work.hpp>

#include <utility>

namespace claros {

namespace {
thread_local const char* who_is_at_work = nullptr;
}

AtWork::AtWork(const char* who) noexcept : before_(std::exchange(who_is_at_work, who)) {}

AtWork::~AtWork() { who_is_at_work = before_; }

const char* AtWork::now() noexcept { return who_is_at_work; }

}  // namespace claros
