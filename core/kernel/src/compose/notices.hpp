// SPDX-License-Identifier: BSD-3-Clause
/// @file notices.hpp  Messages from the making of a result, kept for it.
#pragma once

#include <claros/context.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace claros {

/// Passes messages on and keeps them until they are taken; components that were made in the meantime may go
/// on speaking, from any thread.
class Notices {
 public:
  explicit Notices(MessageSink next) : kept_(std::make_shared<Kept>()), next_(std::move(next)) {}

  MessageSink sink() const {
    return [kept = kept_, next = next_](Severity severity, const std::string& text) {
      {
        const std::lock_guard lock(kept->mutex);
        if (kept->open) kept->texts.push_back(text);
      }
      if (next) next(severity, text);
    };
  }
  /// Returns the messages so far, and keeps none from here on.
  std::vector<std::string> take() const {
    const std::lock_guard lock(kept_->mutex);
    kept_->open = false;
    return std::move(kept_->texts);
  }

 private:
  struct Kept {
    std::mutex mutex;
    bool open = true;
    std::vector<std::string> texts;
  };
  std::shared_ptr<Kept> kept_;
  MessageSink next_;
};

}  // namespace claros
