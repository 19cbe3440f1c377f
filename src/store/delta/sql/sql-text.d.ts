/** `.sql` files are imported as their text: `import sql from "./sql/x.sql" with { type: "text" }`. */

declare module "*.sql" {
  const text: string;
  export default text;
}
