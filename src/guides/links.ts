/** Rewrites links of a guide for serving: links to other guides get their address, links to files of the repository become plain text. */

const FENCE = /^\s*(```|~~~)/;
const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;
const ELSEWHERE = /^(?:[a-z]+:|\/|#)/;

/**
 * The Markdown with its relative links replaced. `addressOf` gives the address of a file of the `docs` folder, or null where it is not
 * served: then the text of the link stays. Code, and links with a scheme, a path from the root or only a fragment stay as they are.
 */
export function withServedLinks(markdown: string, addressOf: (file: string) => string | null): string {
  let isCode = false;
  const lines = markdown.split("\n").map((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode) return line;
    return line.replace(LINK, (link, text: string, target: string) => {
      if (ELSEWHERE.test(target)) return link;
      const [file = "", fragment] = target.split("#");
      const address = addressOf(file);
      if (address === null) return text;
      return `[${text}](${address}${fragment === undefined ? "" : `#${fragment}`})`;
    });
  });
  return lines.join("\n");
}
