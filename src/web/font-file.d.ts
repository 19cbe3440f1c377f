/** Files imported for their path, under which they can be read: typefaces, and the renderer of pictures. */
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
