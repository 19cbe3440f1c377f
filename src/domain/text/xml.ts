/** Writing XML: elements with attributes and text, escaped. */

/** Characters that XML 1.0 cannot hold, and halves of a surrogate pair. */
const UNWRITABLE = /[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** A text as it is written between tags or quotes; what XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(UNWRITABLE, "\ufffd").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** `content` must be markup already; without it the element is empty. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  content = "",
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const tag = `${name}${written.join("")}`;
  return content === "" ? `<${tag}/>` : `<${tag}>${content}</${name}>`;
}
