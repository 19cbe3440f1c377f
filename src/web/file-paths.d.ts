/** Files that are imported for their path: fonts, pictures, and the ECB's history file. */
declare module "*.woff2" {
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
