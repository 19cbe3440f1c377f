/** Guides are imported as their text: `import page from "#docs/x.md" with { type: "text" }`. */

declare module "*.md" {
  const text: string;
  export default text;
}
