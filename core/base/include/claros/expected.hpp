// SPDX-License-Identifier: BSD-3-Clause
/// @file expected.hpp  Errors as values, for programs that do not throw.
#pragma once

#include <claros/api.hpp>
#include <claros/error.hpp>

#include <type_traits>
#include <utility>
#include <variant>

namespace claros {

/// A value, or the Error (kind; where, what and remedy of every complaint) for which there is none.
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  /// Throws the error when there is no value.
  T& value() {
    if (const Error* error = std::get_if<1>(&held_)) throw *error;
    return std::get<0>(held_);
  }
  const T& value() const { return const_cast<Expected&>(*this).value(); }
  /// Without a value undefined, as of a null pointer.
  T& operator*() noexcept { return *std::get_if<0>(&held_); }
  const T& operator*() const noexcept { return *std::get_if<0>(&held_); }
  T* operator->() noexcept { return std::get_if<0>(&held_); }
  const T* operator->() const noexcept { return std::get_if<0>(&held_); }
  /// With a value undefined.
  const Error& error() const noexcept { return *std::get_if<1>(&held_); }

 private:
  std::variant<T, Error> held_;
};

/// To be called inside a catch block: what is being handled as an Error. One that is no claros::Error came
/// from the program itself, from its callbacks or for want of memory, and is of kind usage.
CLAROS_API Error caught_error() noexcept;

/// Returns the result of call(), or the error that it throws. A call that returns nothing gives
/// std::monostate.
template <class Call>
auto attempt(Call&& call) noexcept {
  using Returned = std::invoke_result_t<Call>;
  using Value = std::conditional_t<std::is_void_v<Returned>, std::monostate, std::remove_cvref_t<Returned>>;
  try {
    if constexpr (std::is_void_v<Returned>) {
      std::forward<Call>(call)();
      return Expected<Value>(std::monostate());
    } else {
      return Expected<Value>(std::forward<Call>(call)());
    }
  } catch (...) {
    return Expected<Value>(caught_error());
  }
}

}  // namespace claros
