// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdlib.h>

#include <optional>
#include <string>

/// A variable of the environment for as long as this lives; then its former value is back.
class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* former = std::getenv(name)) former_ = former;
    ::setenv(name, value.c_str(), 1);
  }
  ~EnvironmentVariable() { former_ ? ::setenv(name_, former_->c_str(), 1) : ::unsetenv(name_); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> former_;
};
