// SPDX-License-Identifier: BSD-3-Clause
#include "bench.hpp"

#include <claros/compose/plan.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/proximal_oracle.hpp>

#include <algorithm>
#include <filesystem>

namespace claros::doctor {

namespace {

std::uint32_t hash(const std::string& name) {
  std::uint32_t h = 2166136261U;  // FNV-1a
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 16777619U;
  return h;
}

/// Values for the parameters that have no usable default. A required parameter gets a value of its range.
/// Groups are those of the SDK's group norms for a set or a penalty; an objective's groups are folds of its
/// rows.
Settings stand_ins(const PluginEntry& entry) {
  const ParameterList& parameters = entry.parameters();
  Settings settings;
  for (const ParameterInfo& row : parameters.rows())
    if (row.range.required) settings.push_back({row.name, example_value(row), {}, {}});
  const bool has_norm = entry.kind == Kind::set || entry.kind == Kind::penalty;
  const ParameterInfo* groups = has_norm ? parameters.find("groups") : nullptr;
  if (groups && groups->type == "text" && groups->fallback.empty() && !groups->range.required)
    settings.push_back({"groups", "rows", {}, {}});
  return settings;
}

/// A setting that states a constant of the problem is taken at its word, and so never drawn.
bool states_constant(const std::string& key) {
  const std::vector<std::string> constants{"smoothness",       "component_smoothness", "strong_convexity",
                                           "lower_smoothness", "hessian_smoothness",   "lower_bound"};
  return std::find(constants.begin(), constants.end(), key) != constants.end();
}

bool has_key(const Settings& settings, const std::string& key) {
  return std::any_of(settings.begin(), settings.end(), [&](const Setting& s) { return s.key == key; });
}

}  // namespace

std::string settings_text(const Settings& settings) {
  std::string text;
  for (const Setting& s : settings) text += (text.empty() ? "" : " ") + s.key + "=" + s.value;
  return text.empty() ? "the defaults" : text;
}

Settings settings_of(const std::vector<std::string>& words) {
  Settings settings;
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    settings.push_back({word.substr(0, equals), word.substr(equals + 1), {}, {}});
  }
  return settings;
}

Bench::Bench(const Subject& subject, const std::string& test, std::function<void(const std::string&)> told,
             double seconds)
    : subject_(subject),
      random_(subject.seed, Purpose::test, hash(test)),
      told_(std::move(told)),
      seconds_(seconds) {}

bool Bench::tries(std::size_t k, std::size_t all) {
  const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  if (k == 0 || spent < 0.5 * seconds_) return true;
  left_out_ = said("tried ", k, " of ", all, " settings, in half of the time; --limit SECONDS gives it more");
  return false;
}

std::vector<Shape> Bench::shapes() const {
  if (!subject_.shapes.empty()) return subject_.shapes;
  const std::vector<Shape> usual{Shape::matrix(1, 1), Shape::vector(12), Shape::matrix(3, 8),
                                 Shape::matrix(8, 3), Shape::matrix(5, 5)};
  const bool fits =
      subject_.entry.kind != Kind::set ||
      std::any_of(usual.begin(), usual.end(), [this](const Shape& shape) { return takes(shape); });
  return fits ? usual
              : std::vector<Shape>{Shape::vector(2), Shape::vector(3), Shape::vector(4), Shape::matrix(4, 4)};
}

bool Bench::takes(const Shape& shape) const {
  try {
    const auto set = make(settings(), context());
    Element x;
    if (auto* linear = query<LinearOracle>(*set))
      (void)linear->minimize(Element(shape), {}, x);
    else if (auto* proximal = query<ProximalOracle>(*set))
      (void)proximal->apply(Element(shape), 1.0, x, {});
    return true;
  } catch (const Error&) {
    return false;  // and if none is taken, the tests say why
  }
}

Settings Bench::settings() const {
  Settings all = subject_.settings;
  for (const Setting& s : stand_ins(subject_.entry))
    if (!has_key(all, s.key)) all.push_back(s);
  return all;
}

Setting Bench::sampled(const ParameterInfo& row) {
  Setting setting{row.name, example_value(row), {}, {}};
  const auto& choices = row.range.choices;
  if (row.type == "boolean") setting.value = index(2) ? "true" : "false";
  if (row.type == "choice")
    setting.value = choices[static_cast<std::size_t>(index(static_cast<Index>(choices.size())))];
  std::vector<std::string> possible = row.range.number_or_choice ? choices : std::vector<std::string>();
  const auto add = [&](double value) {
    if (!row.range.accepts || row.range.accepts(value)) possible.push_back(print_real(value));
  };
  if (row.type == "real")
    for (const double value : {-1.0, -0.4, 0.0, 0.02, 0.1, 0.25, 0.5, 0.8, 1.0, 1.5, 2.5, 3.7, 10.0, 300.0})
      add(value);
  if (row.type == "integer")
    for (const double value : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 12.0}) add(value);
  if (row.range.number_or_choice)
    for (const double value : {0.25, 0.5, 1.0, 2.0, 3.0}) add(value);
  if (!possible.empty())
    setting.value = possible[static_cast<std::size_t>(index(static_cast<Index>(possible.size())))];
  return setting;
}

std::vector<Settings> Bench::variants(int count) {
  std::vector<Settings> all{settings()};
  if (!subject_.vary || count == 0) return all;
  const Settings first = all.front();
  all = choices(first);
  for (const ParameterInfo& row : subject_.entry.parameters().rows())
    for (const double value : {0.2, 0.6, 3.0})
      if (row.type == "real" && !has_key(subject_.settings, row.name) && !states_constant(row.name) &&
          (!row.range.accepts || row.range.accepts(value))) {
        all.push_back(first);
        all.back().push_back({row.name, print_real(value), {}, {}});
      }
  for (int k = 0; k < count; ++k) {
    Settings variant = settings();
    for (const ParameterInfo& row : subject_.entry.parameters().rows()) {
      const bool varied = row.type != "text";
      // A later setting takes the place of a stand-in.
      const bool free =
          !has_key(variant, row.name) || (row.range.required && !has_key(subject_.settings, row.name));
      if (varied && free && !states_constant(row.name) && index(2)) variant.push_back(sampled(row));
    }
    for (const Role& role : subject_.entry.parameters().roles())
      if (const auto names = parts_for(role); !names.empty() && !has_key(variant, role.name) && index(2))
        variant.push_back(
            {role.name, names[static_cast<std::size_t>(index(static_cast<Index>(names.size())))], {}, {}});
    all.push_back(variant);
  }
  return all;
}

std::vector<Settings> Bench::choices(const Settings& settings) const {
  std::vector<Settings> all{settings};
  if (!subject_.vary) return all;
  for (const ParameterInfo& row : subject_.entry.parameters().rows()) {
    if (has_key(settings, row.name)) continue;
    std::vector<std::string> words = row.range.choices;
    const auto number = [&](double value, const char* text) {
      if (!row.range.accepts || row.range.accepts(value)) words.push_back(text);
    };
    if (row.type == "boolean") words = {"true", "false"};
    if (row.range.number_or_choice) number(1, "1");
    if (row.type == "integer") number(1, "1"), number(2, "2"), number(3, "3"), number(7, "7");
    for (const std::string& word : words) {
      if (word == row.fallback) continue;
      all.push_back(settings);
      all.back().push_back({row.name, word, {}, {}});
    }
  }
  for (const Role& role : subject_.entry.parameters().roles())
    for (const std::string& name :
         has_key(settings, role.name) ? std::vector<std::string>() : parts_for(role)) {
      all.push_back(settings);
      all.back().push_back({role.name, name, {}, {}});
    }
  return all;
}

std::vector<std::string> Bench::parts_for(const Role& role) const {
  std::vector<std::string> names;
  if (!subject_.catalog || role.many) return names;
  for (const std::string& name : subject_.catalog->names(role.kind))
    if (subject_.catalog->at(role.kind, name).is_built_in()) names.push_back(name);
  return names;
}

Context Bench::context(int threads) const {
  Context context;
  context.base = std::filesystem::current_path();
  context.seed = subject_.seed;
  context.threads = threads;
  return context;
}

/// `settings` and the usual parts of the roles that they and the caller leave open, with stand-ins for what
/// the parts require.
Settings Bench::with_parts(Settings settings, const Context& context) const {
  for (const Role& role : subject_.entry.parameters().roles()) {
    const bool listed = role.many && has_key(settings, role.name + ".1.use");
    if (listed || context.part<Component>(role.name)) continue;
    const auto use = std::ranges::find_if(
        settings, [&](const Setting& s) { return s.key == role.name || s.key == role.name + ".use"; });
    const bool named = use != settings.end();
    const std::vector<std::string> names = named ? std::vector<std::string>{use->value} : usual_parts(role);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::string path = role.name + (role.many ? '.' + std::to_string(k + 1) : "") + '.';
      if (!named) settings.push_back({path + std::string(kUse), names[k], {}, {}});
      for (const Setting& s : stand_ins(subject_.catalog->at(role.kind, names[k], role.name)))
        if (!has_key(settings, path + s.key)) settings.push_back({path + s.key, s.value, {}, {}});
    }
  }
  return settings;
}

/// The parts that fill a role which the caller left empty: its default, if it has one. Else a role that must
/// be filled gets sets or penalties that take variables of any shape, two in a list.
std::vector<std::string> Bench::usual_parts(const Role& role) const {
  if (!role.fallback.empty()) return {role.fallback};
  if (role.required && role.kind == Kind::penalty)
    return role.many ? std::vector<std::string>{"l1", "tv"} : std::vector<std::string>{"l1"};
  if (!role.required || role.kind != Kind::set) return {};
  return role.many ? std::vector<std::string>{"simplex", "box"} : std::vector<std::string>{"simplex"};
}

std::vector<std::shared_ptr<Component>> Bench::make_with_parts(const Settings& settings,
                                                               const Context& context) const {
  const PluginEntry& entry = subject_.entry;
  if (!subject_.catalog)
    return {Catalog::create(
        entry,
        assign_settings(entry.parameters(), own_settings(entry.parameters(), settings), entry.label())
            .checked()
            .get(),
        context)};
  Node planned = plan_component(*subject_.catalog, entry, with_parts(settings, context), context);
  // Watchers stand before the parts that the subject holds, as in a run; they refuse whatever does not fit
  // them.
  std::vector<std::shared_ptr<Component>> all{create_planned(planned, context, std::make_shared<Ledger>())};
  for (const Node& held : planned.held)
    if (!held.restarted) all.push_back(held.component);
  return all;
}

Numbers Bench::normals(Index n) {
  Numbers values(static_cast<std::size_t>(n));
  random_.fill_normal(values);
  return values;
}

Numbers Bench::point(const Shape& shape, double scale) {
  Numbers x = normals(shape.size());
  for (double& value : x) {
    value *= scale;
    if (index(8) == 0) value = 0.0;
    if (index(8) == 0) value = scale;
  }
  return x;
}

Element element_of(const Shape& shape, const Numbers& x) {
  if (!shape.is_product()) return Element::dense(shape, x);
  std::vector<Element> blocks;
  auto from = x.begin();
  for (const Shape& block : shape.blocks) {
    const auto to = from + static_cast<std::ptrdiff_t>(block.size());
    blocks.push_back(element_of(block, Numbers(from, to)));
    from = to;
  }
  return Element::product(std::move(blocks));
}

Numbers numbers_of(const Element& x) {
  if (!x.shape().is_product()) return x.to_dense();
  Element folded(x);
  folded.fold();
  Numbers all;
  for (Index k = 0; k < x.block_count(); ++k) {
    const Numbers some = numbers_of(folded.block(k));
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

double dot(const Numbers& x, const Numbers& y) {
  double sum = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += x[j] * y[j];
  return sum;
}

double length(const Numbers& x) { return std::sqrt(dot(x, x)); }

Numbers combined(double a, const Numbers& x, double b, const Numbers& y) {
  Numbers z(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) z[j] = a * x[j] + b * y[j];
  return z;
}

double distance(const Numbers& x, const Numbers& y) { return length(combined(1.0, x, -1.0, y)); }

std::string numbers_text(const Numbers& x) {
  std::string text;
  for (std::size_t k = 0; k < x.size() && k < 4; ++k) text += (k ? ", " : "") + print_real(x[k]);
  return "(" + text + (x.size() > 4 ? ", ...)" : ")");
}

bool finite(const Numbers& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

bool holds_nan(const Numbers& x) {
  return std::any_of(x.begin(), x.end(), [](double value) { return std::isnan(value); });
}

bool same_bits(const Numbers& x, const Numbers& y) {
  return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), [](double a, double b) {
           return a == b || (std::isnan(a) && std::isnan(b));
         });
}

}  // namespace claros::doctor
