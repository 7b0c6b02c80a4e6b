// Light or dark: the system's preference, or what was chosen on any page of the site.
const start_theme = () => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.querySelector("button.theme");
  const remembered = {
    get: () => { try { return localStorage.getItem("theme"); } catch { return null; } },
    set: (theme) => { try { localStorage.setItem("theme", theme); } catch { /* private window */ } },
  };
  const shown = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  const label = () => {
    button.textContent = shown() === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `${button.textContent} theme`);
  };
  if (["light", "dark"].includes(remembered.get())) root.dataset.theme = remembered.get();
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = shown() === "dark" ? "light" : "dark";
    remembered.set(root.dataset.theme);
    label();
  });
  dark.addEventListener("change", label);
  label();
};
