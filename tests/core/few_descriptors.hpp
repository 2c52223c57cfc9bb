// SPDX-License-Identifier: BSD-3-Clause
/// @file few_descriptors.hpp  A process that may open few files more.
#pragma once

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <vector>

/// The undefined-behaviour sanitizer opens a pipe before it reads an object's type, and takes it for damaged
/// where it cannot: tests that catch errors meanwhile are skipped there.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kTypesAreChecked = true;
#else
constexpr bool kTypesAreChecked = false;
#endif

/// While it lives, exactly `left` descriptors can be opened.
class FewDescriptors {
 public:
  explicit FewDescriptors(std::size_t left) {
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
    std::vector<int> taken;
    while (taken.size() <= left) {
      taken.push_back(::dup(STDERR_FILENO));
      REQUIRE(taken.back() >= 0);
    }
    rlimit few = before_;
    few.rlim_cur = static_cast<rlim_t>(taken.back());
    for (const int descriptor : taken) ::close(descriptor);
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};
