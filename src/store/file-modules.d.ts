/**
 * Files that are imported for their text (`import sql from "./x.sql" with { type: "text" }`: queries, scripts, guides) or for their path
 * (fonts, pictures, the ECB's history file). Bun declares lists (`.txt`).
 */
declare module "*.sql" {
  const text: string;
  export default text;
}

declare module "*.lua" {
  const text: string;
  export default text;
}

declare module "*.md" {
  const text: string;
  export default text;
}

declare module "*.woff2" {
  const path: string;
  export default path;
}

declare module "*.svg" {
  const path: string;
  export default path;
}

declare module "*.png" {
  const path: string;
  export default path;
}

declare module "*.zip" {
  const path: string;
  export default path;
}
