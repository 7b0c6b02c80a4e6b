#pragma once
// The style sheet of all pictures: one set of rules, in colours for light and for dark surroundings. A picture carries
// them itself, so that the file can stand alone; a page that shows many carries them once.
//
// Shapes are told apart by outline, hatching and words as well as by colour. Text has a contrast of at least 4.5 : 1
// against whatever it stands on, in both themes.

#include <string>

namespace sectile {

/// Eight fills for groups of cells: classes g0 .. g7.
constexpr int picture_colours = 8;

namespace detail {

/// A rule whose colour depends on the surroundings.
struct themed_rule {
  const char* selector;
  const char* property;
  const char* light;
  const char* dark;
};

/// All rules with colours.
inline constexpr themed_rule themed_rules[] = {
    {"", "fill", "#1f2328", "#e8eaed"},        {".muted", "fill", "#57606a", "#a9b2bc"},
    {".accent", "fill", "#a5341c", "#ffab93"}, {".second", "fill", "#0a56a5", "#93c6ff"},
    {".cell", "stroke", "#8b949e", "#7d8590"}, {".frame", "stroke", "#1f2328", "#e8eaed"},
    {".rule", "stroke", "#8b949e", "#7d8590"}, {".hatch", "stroke", "#8b949e", "#7d8590"},
    {".mark", "stroke", "#a5341c", "#ffab93"}, {".mark2", "stroke", "#0a56a5", "#93c6ff"},
    {".ink", "fill", "#1f2328", "#e8eaed"},    {".paper", "fill", "#ffffff", "#161b22"},
    {".soft", "fill", "#eef1f4", "#2b3138"},   {".g0", "fill", "#cfe1f7", "#24436d"},
    {".g1", "fill", "#fbdcc6", "#6a3c1b"},     {".g2", "fill", "#d1ecce", "#24542f"},
    {".g3", "fill", "#f4d6eb", "#5e2f56"},     {".g4", "fill", "#f8ebb5", "#56490f"},
    {".g5", "fill", "#ddd9f8", "#403a7e"},     {".g6", "fill", "#c8eae9", "#18545a"},
    {".g7", "fill", "#e5e0d6", "#4a453a"},
};

/// Rules without colours. `us` selects a picture. Widths are in pixels.
inline std::string plain_rules(const std::string& us) {
  constexpr const char* rules[] = {
      ".title{font-size:14px;font-weight:600}",
      ".strong{font-weight:600}",
      ".small{font-size:10px}",
      ".tiny{font-size:9px}",
      ".mono{font-family:ui-monospace,SFMono-Regular,Menlo,\"DejaVu Sans Mono\",monospace}",
      ".mid{text-anchor:middle}",
      ".end{text-anchor:end}",
      ".none{fill:none}",
      ".cell{stroke-width:.6}",
      ".frame{fill:none;stroke-width:1.6}",
      ".rule{fill:none;stroke-width:1}",
      ".hatch{fill:none;stroke-width:.7}",
      ".mark{fill:none;stroke-width:1.6}",
      ".mark2{fill:none;stroke-width:1.6}",
      ".bold{stroke-width:2.6}",
      ".dashed{stroke-dasharray:4 3}",
  };
  std::string css = us + "{font:12px system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif;" +
                    "font-variant-numeric:tabular-nums}\n";
  for (const char* rule : rules) css += us + " " + rule + "\n";
  return css;
}

/// Rules with the colours of one theme; `before` selects a picture.
inline std::string themed_text(const std::string& before, bool dark) {
  std::string css;
  for (const themed_rule& r : themed_rules)
    css += before + (*r.selector != '\0' ? " " : "") + r.selector + "{" + r.property + ":" + (dark ? r.dark : r.light) +
           "}\n";
  return css;
}

}  // namespace detail

/// The class that every picture's <svg> has; all rules are about what is inside it.
inline std::string picture_class() { return "sectile-figure"; }

/// The style sheet that a picture carries: it follows the system's preference for light or dark, and so does the paper
/// behind it (class backdrop), whatever the page is like that the picture stands on.
inline std::string picture_style() {
  const std::string us = "." + picture_class();
  return detail::plain_rules(us) + detail::themed_text(us, false) + "@media (prefers-color-scheme: dark) {\n" +
         detail::themed_text(us, true) + "}\n";
}

/// The same rules for a page with pictures inside, which must then have lost their own style sheets: the page's reader
/// may choose a theme against the system's preference (<html data-theme="light"> or "dark"), and the paper is the page.
inline std::string picture_page_style() {
  const std::string us = "." + picture_class();
  return detail::plain_rules(us) + detail::themed_text(us, false) + "@media (prefers-color-scheme: dark) {\n" +
         detail::themed_text(":root:not([data-theme=light]) " + us, true) + "}\n" +
         detail::themed_text(":root[data-theme=dark] " + us, true) + us + " .backdrop{display:none}\n";
}

}  // namespace sectile
