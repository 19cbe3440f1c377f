/** `.sql` and `.lua` files are imported as their text: `import sql from "./x.sql" with { type: "text" }`. */

declare module "*.sql" {
  const text: string;
  export default text;
}

declare module "*.lua" {
  const text: string;
  export default text;
}
