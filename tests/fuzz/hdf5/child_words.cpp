// SPDX-License-Identifier: BSD-3-Clause
// In the place of sdk/data/io/src/io/child_stream.cpp: no program is started, its words are given.
#include "child_words.hpp"

#include "io/child_stream.hpp"

#include <claros/error.hpp>

#include <cstring>

namespace {

std::string words;
std::size_t at = 0;

}  // namespace

void claros::fuzz::set_words_of_child(std::string all) { words = std::move(all), at = 0; }

namespace claros {

ChildStream::ChildStream(const Start&, std::string subject) : subject_(std::move(subject)) {}
ChildStream::~ChildStream() = default;

void ChildStream::read(void* to, std::size_t size) {
  if (size > words.size() - at) fail_ended();
  std::memcpy(to, words.data() + at, size);
  at += size;
}

void ChildStream::fail_ended() {
  throw Error(ErrorKind::data, subject_, "cannot be read: the program that reads it ended",
              "is the file damaged?");
}

}  // namespace claros
