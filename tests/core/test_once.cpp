// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <claros/once.hpp>

#include <stdexcept>
#include <thread>
#include <vector>

TEST_CASE(
    "once: one of many threads makes it, all see it, and after an exception the next call tries again") {
  for (int round = 0; round < 50; ++round) {
    claros::Once once;
    int calls = 0, value = 0;
    CHECK_THROWS_AS(once([&] { throw std::runtime_error("refused"); }), std::runtime_error);
    std::vector<int> seen(4, 0);
    std::vector<std::thread> threads;
    for (int& mine : seen)
      threads.emplace_back([&] {
        once([&] { ++calls, value = 7; });
        mine = value;
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(calls == 1);
    CHECK(seen == std::vector<int>(4, 7));
  }
}
