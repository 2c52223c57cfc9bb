// SPDX-License-Identifier: BSD-3-Clause
#include <claros/contain.hpp>

#include <claros/error.hpp>
#include <claros/interruption.hpp>
#include <claros/kind.hpp>

#include <cxxabi.h>

#include <algorithm>
#include <exception>
#include <new>
#include <typeinfo>

#include <claros/memory_limits.hpp>
#include "demangle.hpp"

namespace claros {

namespace {

/// True if the innermost call has already put a component's label ("set/box") there.
bool has_owner(const std::string& where) {
  return std::any_of(kKinds.begin(), kKinds.end(),
                     [&](Kind kind) { return where.starts_with(kind_name(kind) + "/"); });
}

}  // namespace

void rethrow_contained(const std::string& who) {
  const std::type_info* type = abi::__cxa_current_exception_type();
  const std::string thrown = type ? demangled(type->name()) : "something without a type";
  const std::string remedy = "a plugin reports errors as claros::Error: report it to the plugin's author";
  try {
    throw;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::numerical) throw;
    // Trouble with numbers says little without its owner.
    std::vector<Complaint> complaints = error.complaints();
    for (Complaint& complaint : complaints)
      if (!has_owner(complaint.where))
        complaint.where = complaint.where.empty() ? who : who + ": " + complaint.where;
    throw Error(ErrorKind::numerical, std::move(complaints));
  } catch (const Interrupted&) {
    throw;
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(
        ErrorKind::data, who, "asked for more memory than there is: " + memory_state(),
        "take less data, numbers of single precision, or a method that holds less, or give this process "
        "more (ulimit -v, the limit of its container)");
  } catch (const std::exception& error) {
    throw Error(ErrorKind::plugin, who, "threw " + thrown + ": " + error.what(), remedy);
  } catch (...) {
    throw Error(ErrorKind::plugin, who, "threw an exception of type " + thrown, remedy);
  }
}

void blame_for_change(const std::string& who, const std::string& what) {
  throw Error(ErrorKind::plugin, who, "changed " + what + " and left it so",
              "a component puts back what it changes of the process: report it to the plugin's author");
}

std::string FloatingPointMode::put_back() const {
  const FloatingPointMode found = now();
  if (found == *this) return {};
#if defined(__SSE2__)
  const std::uint32_t differs = found.bits_ ^ bits_;
  // The unit of long double has a word of its own, which <cfenv> sets together with this one.
  std::fesetround(static_cast<int>((bits_ & _MM_ROUND_MASK) >> 3));
  fedisableexcept(FE_ALL_EXCEPT);
  feenableexcept(static_cast<int>(~(bits_ >> 7) & FE_ALL_EXCEPT));
  _mm_setcsr(bits_);
  if (differs & _MM_ROUND_MASK) return "the rounding mode";
  return differs & _MM_MASK_MASK ? "which floating-point exceptions trap"
                                 : "how numbers below 1e-308 are computed (flush to zero)";
#else
  std::fesetround(static_cast<int>(bits_));
  return "the rounding mode";
#endif
}

namespace {
thread_local const char* who_is_at_work = nullptr;
}

AtWork::AtWork(const char* who) noexcept : before_(std::exchange(who_is_at_work, who)) {}

AtWork::~AtWork() { who_is_at_work = before_; }

const char* AtWork::now() noexcept { return who_is_at_work; }

}  // namespace claros
