// SPDX-License-Identifier: BSD-3-Clause
#include "state/archive_bytes.hpp"

#include <claros/error.hpp>

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace claros {

namespace {

constexpr std::size_t kInline = 64, kGathered = std::size_t{1} << 16, kPiece = std::size_t{1} << 20;

/// The last bytes of an archive.
struct Trailer {
  std::uint64_t names_size, size;  ///< of the names, and of all before the trailer
  std::uint32_t checksum;          ///< the checksum of all before the trailer
  char form[12] = {'c', 'l', 'a', 'r', 'o', 's', ' ', 's', 't', 'a', 't', '2'};
};

}  // namespace

std::uint32_t checksum(std::uint32_t before, std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Index integer_in(const Cbor& json) {
  if (!json.is_number_integer()) throw std::out_of_range("not an integer");
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
    throw std::out_of_range("an integer out of range");
  return json.get<Index>();
}

namespace {

/// Follows a reader and ends it if values nest too deep (it calls itself for each), or if a count exceeds the
/// number of bytes (it throws).
struct DepthLimit : nlohmann::json_sax<Cbor> {
  static constexpr int kDeepest = 64;  // elements of blocks within images: a dozen
  explicit DepthLimit(std::size_t bytes) : most(bytes) {}
  int depth = 0;
  std::size_t most;  ///< values that can follow: each takes a byte
  /// A size that is not written down is the largest one.
  bool deeper(std::size_t size) {
    return ++depth <= kDeepest && (size <= most || size == static_cast<std::size_t>(-1));
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t size) override { return deeper(size); }
  bool key(string_t&) override { return true; }
  bool end_object() override { return --depth, true; }
  bool start_array(std::size_t size) override { return deeper(size); }
  bool end_array() override { return --depth, true; }
  bool parse_error(std::size_t, const std::string&, const Cbor::exception&) override { return false; }
};

}  // namespace

Cbor names_in(std::string_view bytes) {
  DepthLimit limit(bytes.size());
  if (!Cbor::sax_parse(bytes.begin(), bytes.end(), &limit, Cbor::input_format_t::cbor))
    return Cbor(Cbor::value_t::discarded);
  return Cbor::from_cbor(bytes.begin(), bytes.end(), true, false);
}

Cbor ArchiveSink::put(std::string_view bytes) {
  if (bytes.size() <= kInline) return Cbor::binary(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  Cbor place = Cbor::array({written_, bytes.size()});
  write(bytes);
  return place;
}

Cbor ArchiveSink::put_stream(const StateStream& stream) {
  const std::uint64_t begin = written_;
  stream([this](std::string_view bytes) { write(bytes); });
  return Cbor::array({begin, written_ - begin});
}

void ArchiveSink::write(std::string_view bytes) {
  written_ += bytes.size();
  if (gathered_.size() + bytes.size() <= kGathered) return (void)gathered_.append(bytes);
  send(std::exchange(gathered_, {}));
  if (bytes.size() <= kGathered) return (void)gathered_.append(bytes);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kPiece, bytes.size()))) send(bytes.substr(0, kPiece));
}

void ArchiveSink::send(std::string_view bytes) {
  checksum_ = checksum(checksum_, bytes);
  if (!bytes.empty()) sink_(bytes);
}

void ArchiveSink::finish(const Cbor& names) {
  const std::vector<std::uint8_t> text = Cbor::to_cbor(names);
  write({reinterpret_cast<const char*>(text.data()), text.size()});
  send(std::exchange(gathered_, {}));
  const Trailer trailer{text.size(), written_, checksum_};
  sink_({reinterpret_cast<const char*>(&trailer), sizeof trailer});
}

ArchiveSource::ArchiveSource(std::string_view bytes, const std::string& origin) : bytes_(bytes) {
  const auto refuse = [&](const char* what) { throw Error(ErrorKind::data, origin, what, "start again"); };
  Trailer trailer{}, expected{};
  if (bytes.size() < sizeof trailer) refuse("is not a whole state of this version");
  std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof trailer, sizeof trailer);
  bytes_.remove_suffix(sizeof trailer);
  if (std::memcmp(trailer.form, expected.form, sizeof trailer.form) != 0 || trailer.size != bytes_.size() ||
      trailer.names_size > trailer.size)
    refuse("is not a whole state of this version");
  if (checksum(0, bytes_) != trailer.checksum) refuse("is damaged: its checksum does not fit");
  const std::string_view names = bytes_.substr(bytes_.size() - trailer.names_size);
  names_ = names_in(names);
  if (!names_.is_object() || !names_.contains("root") || !names_["root"].is_object() ||
      !names_.contains("shared") || !names_["shared"].is_array())
    refuse("is not a state of this version");
}

std::string_view ArchiveSource::bytes(const Cbor& place) const {
  if (place.is_binary()) {
    const auto& held = place.get_binary();
    return {reinterpret_cast<const char*>(held.data()), held.size()};
  }
  const Index from = integer_in(place.at(0)), count = integer_in(place.at(1));
  if (from < 0 || count < 0) throw std::out_of_range("an array lies outside the state");
  const auto begin = static_cast<std::uint64_t>(from), size = static_cast<std::uint64_t>(count);
  if (begin > bytes_.size() || size > bytes_.size() - begin)
    throw std::out_of_range("an array lies outside the state");
  return bytes_.substr(begin, size);
}

}  // namespace claros
