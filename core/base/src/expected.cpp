// SPDX-License-Identifier: BSD-3-Clause
#include <claros/expected.hpp>

#include <exception>
#include <new>
#include <typeinfo>

#include <claros/memory_limits.hpp>
#include "demangle.hpp"

namespace claros {

Error caught_error() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {ErrorKind::usage, "this program", "asked for more memory than there is: " + memory_state(),
            "give it more, or less to do"};
  } catch (const std::exception& error) {
    return {ErrorKind::usage, "this program",
            "threw " + demangled(typeid(error).name()) + ": " + error.what(), "catch it where it is thrown"};
  } catch (...) {
    return {ErrorKind::usage, "this program", "threw an exception of an unknown type",
            "catch it where it is thrown"};
  }
}

}  // namespace claros
