// Two comforts; everything on the page can be read without them: a button for the theme, and one to copy a block.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.querySelector("button.theme");
  const remember = (theme) => { try { localStorage.setItem("theme", theme); } catch { /* private window */ } };
  const shown = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  const label = () => {
    const other = shown() === "dark" ? "Light" : "Dark";
    button.textContent = other;
    button.setAttribute("aria-label", `${other} theme`);
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = shown() === "dark" ? "light" : "dark";
    remember(root.dataset.theme);
    label();
  });
  dark.addEventListener("change", label);
  label();

  const narrow = matchMedia("(max-width: 60rem)");
  const contents = document.querySelector(".contents details");
  if (contents && narrow.matches) contents.open = false;

  // Beside the text it is open, above it folded.
  const beside = matchMedia("(min-width: 94rem)");
  const onThisPage = document.querySelector(".on-this-page details");
  const fold = () => { if (onThisPage) onThisPage.open = beside.matches; };
  beside.addEventListener("change", fold);
  fold();

  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll(".code")) {
    const copy = document.createElement("button");
    copy.type = "button";
    copy.className = "copy";
    copy.textContent = "Copy";
    copy.setAttribute("aria-label", "Copy this block");
    copy.addEventListener("click", async () => {
      const commands = [...block.querySelectorAll(".command")].map((c) => c.textContent);
      const text = commands.length ? commands.join("\n") : block.querySelector("code").innerText;
      await navigator.clipboard.writeText(text);
      copy.textContent = "Copied";
      setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    });
    block.append(copy);
  }
})();
