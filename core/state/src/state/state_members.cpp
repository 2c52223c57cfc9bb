// SPDX-License-Identifier: BSD-3-Clause
#include "state/state_members.hpp"

namespace claros {

namespace {

class MemberFinder final : public StateVisitor {
 public:
  bool found = false;

  bool loading() const noexcept override { return false; }
  void archive(std::string_view, const StateStream&, std::string_view&) override { found = true; }

 private:
  void visit(std::string_view, Index&) override { found = true; }
  void visit(std::string_view, double&) override { found = true; }
  void visit(std::string_view, bool&) override { found = true; }
  void visit(std::string_view, std::uint64_t&) override { found = true; }
  void visit(std::string_view, std::string&) override { found = true; }
  void visit(std::string_view, std::vector<double>&) override { found = true; }
  void visit(std::string_view, std::vector<Index>&) override { found = true; }
  void visit(std::string_view, std::span<double>) override { found = true; }
  void visit(std::string_view, Buffer&) override { found = true; }
  void visit(std::string_view, Element&) override { found = true; }
  bool open(std::string_view, bool present) override {
    found = found || !present;
    return present;
  }
  void close() override {}
  void misfit(std::string_view, std::string_view) override {}
};

}  // namespace

bool has_members(State& state) {
  MemberFinder finder;
  state.state(finder);
  return finder.found;
}

}  // namespace claros
