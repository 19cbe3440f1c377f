/** Runs in the browser: shows the description of this server. Everything that would call another server is off. */

/** The colours of the site, in both schemes: those of the library have too little contrast. */
const COLOURS = {
  "color-1": "ink",
  "color-2": "dim",
  "color-3": "dim",
  "color-accent": "accent",
  "color-blue": "accent",
  "color-purple": "accent",
  "color-green": "live",
  "color-orange": "warn",
  "color-yellow": "warn",
  "color-red": "wrong",
  "background-1": "paper",
  "background-2": "soft",
  "sidebar-background-1": "paper",
  "sidebar-color-1": "ink",
  "sidebar-color-2": "dim",
  "sidebar-search-color": "dim",
};
const variables = Object.entries(COLOURS).map(
  ([name, token]) => `--scalar-${name}: var(--${token}) !important;`,
);
const customCss = `.light-mode, .dark-mode { ${variables.join(" ")} }`;

/** The library makes its parts when they come into view. The menu of narrow windows is named; what scrolls is a stop of the Tab key. */
const place = document.getElementById("reference");
new MutationObserver(() => {
  const menu = place.querySelector(".t-doc__header:not([role])");
  menu?.setAttribute("role", "navigation");
  menu?.setAttribute("aria-label", "Operations");
  const scrolling = ".endpoints:not([tabindex]), .scalar-card-content:not([tabindex])";
  for (const part of place.querySelectorAll(scrolling)) part.tabIndex = 0;
}).observe(place, { childList: true, subtree: true });

window.Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  theme: "default",
  layout: "modern",
  customCss,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  persistAuth: false,
  hideModels: true,
  defaultOpenAllTags: true,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  documentDownloadType: "json",
});
