/** Runs in the browser: shows the description of this server. Everything that would call another server is off. */

window.Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  theme: "default",
  layout: "modern",
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
