/** `.lua` files are imported as their text: `import script from "./x.lua" with { type: "text" }`. */

declare module "*.lua" {
  const text: string;
  export default text;
}
