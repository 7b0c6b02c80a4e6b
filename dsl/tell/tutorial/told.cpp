// What the page of a user's own kernel says about its run.
#include <cstdio>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/timeline/timeline_figure.hpp>
#include <sectile/dsl/tell/tutorial/told.hpp>
#include <sectile/layouts/picture_style.hpp>

namespace sectile::tell {
namespace {

/// "2.1e-03"
std::string scientific(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2e", x);
  return text;
}

/// "A 256 x 128", or "scale = 0.125" of a number.
std::string extents_text(const tensor_values& t) {
  std::string text = t.name;
  if (t.extent.empty()) {
    char number[32];
    std::snprintf(number, sizeof number, "%g", t.values.front());
    return text + " = " + number;
  }
  for (std::size_t d = 0; d < t.extent.size(); ++d) text += (d == 0 ? " " : " x ") + std::to_string(t.extent[d]);
  return text;
}

/// How the result compares, in words.
std::string error_text(const trial_result& r) {
  if (!r.hazard.empty()) return "the run broke off";
  const std::string not_finite =
      r.not_finite == 0 ? ""
                        : say(r.not_finite, " of ", r.elements, " elements are infinite, NaN or were never written");
  if (!r.compared)
    return not_finite.empty() ? say("no reference was given, so the numbers were not compared; all ", r.elements,
                                    " elements of the result were written and are finite")
                              : say("no reference was given; ", not_finite);
  const std::string distance = say("relative L2 ", scientific(r.relative_l2), " (at most ", scientific(r.tolerance),
                                   " is tolerated), largest difference ", scientific(r.largest));
  return not_finite.empty() ? distance : not_finite;
}

}  // namespace

checked_run told_run(const trial_result& result, const trial_options& options) {
  std::vector<std::string> shapes;
  for (const tensor_values& t : result.operands) shapes.push_back(extents_text(t));
  return {.machine = "CPU model",
          .shape = list(shapes),
          .what = list(shapes),
          .data = say("the operands are random, from seed ", options.seed),
          .error = error_text(result),
          .relative_error = result.relative_l2,
          .bar = result.compared ? result.tolerance : 0,
          .ok = result.hazard.empty() && result.compared && result.not_finite == 0 &&
                result.relative_l2 <= result.tolerance,
          .hazard = result.hazard};
}

std::string page_name(const std::string& type) {
  const std::size_t arguments = type.find('<'), scope = type.rfind("::", arguments);
  std::string name;
  for (const char c : scope == std::string::npos ? type : type.substr(scope + 2)) {
    const bool word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (word || (!name.empty() && name.back() != '_')) name += word ? c : '_';
  }
  name.erase(name.find_last_not_of('_') + 1);
  return name.empty() ? "kernel" : name;
}

void add_timeline(nlohmann::json& facts, const kernel_timeline& timeline) {
  facts["timeline"] = nlohmann::json(facts_of(timeline));
  if (!timeline.refused.empty()) return;
  const auto add = [&](const char* name, const figure& f) {
    facts["figures"][name] = {{"svg", f.svg}, {"title", f.title}, {"alt", f.alt}};
  };
  add("timeline", draw_timeline(timeline.shown));
  add("timeline.start", draw_timeline_start(timeline.shown));
}

std::string text_for_page(nlohmann::json facts) {
  facts["figure_style"] = picture_page_style();
  return facts.dump(1) + "\n";
}

}  // namespace sectile::tell
