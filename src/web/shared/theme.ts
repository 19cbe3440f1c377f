/** The switch between light and dark: a few lines that run before the first paint, and are allowed by their hash alone. */

/** The system's scheme holds until the visitor chooses; the choice is remembered in this browser and nowhere else. */
export const THEME_SCRIPT = `(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const chosen = stored();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]");
    if (button === null) return;
    const label = () => { button.textContent = isDark() ? "Light" : "Dark"; button.setAttribute("aria-label", "Switch to " + (isDark() ? "light" : "dark") + " colours"); };
    button.hidden = false;
    label();
    dark.addEventListener("change", label);
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try { localStorage.setItem("theme", root.dataset.theme); } catch {}
      label();
    });
  });
})();`;
