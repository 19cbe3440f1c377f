/** Files that are imported for their path: fonts, and the renderer of pictures. */
declare module "*.woff2" {
  const path: string;
  export default path;
}

declare module "*.woff" {
  const path: string;
  export default path;
}

declare module "*.wasm" {
  const path: string;
  export default path;
}
