/** Files that are imported for their path (fonts, pictures, the ECB's history file) or their text (guides, lists). */
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

declare module "*.md" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}
