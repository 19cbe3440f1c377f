/** The programs and calls that README.md and the guides show, by page, and which of them are one call in three languages. */

import { type CodeBlock, codeBlocks, readDocument } from "./document.ts";

export const DOCUMENTED_URL = "http://localhost:3000";
export const DOCUMENTED_KEY = "fxk_…";
/** Of one call, adjacent and in this order. */
const CALL_LANGUAGES = ["sh", "ts", "python"] as const;

export interface Snippet extends CodeBlock {
  readonly page: string;
  /** It is part of one call in three languages. */
  readonly isOfCall: boolean;
  /** The JSON that is printed behind it, or behind its call. */
  readonly answer: string | null;
}

/** Blocks of a page in order; `text` in place of what lies at that path. */
export async function snippetsOf(page: string, text?: string): Promise<readonly Snippet[]> {
  const markdown = text ?? (await readDocument(page));
  const blocks: (CodeBlock & { readonly end: number; readonly isAdjacent: boolean })[] = [];
  let from = 0;
  for (const block of codeBlocks(markdown)) {
    const fence = `\`\`\`${block.language}\n${block.content}\`\`\``;
    const at = markdown.indexOf(fence, from);
    const isAdjacent = blocks.length > 0 && markdown.slice(from, at).trim() === "";
    from = at + fence.length;
    blocks.push({ ...block, end: from, isAdjacent });
  }
  const starts = blocks.flatMap((_, at) => {
    const call = blocks.slice(at, at + CALL_LANGUAGES.length);
    const isCall = CALL_LANGUAGES.every(
      (language, nth) => call[nth]?.language === language && (nth === 0 || call[nth].isAdjacent),
    );
    return isCall ? [at] : [];
  });
  return blocks.map(({ language, content }, at) => {
    const start = starts.find((one) => at >= one && at < one + CALL_LANGUAGES.length);
    const next = blocks[start === undefined ? at + 1 : start + CALL_LANGUAGES.length];
    const answer = next?.language === "json" ? next.content : null;
    return { page, language, content, isOfCall: start !== undefined, answer };
  });
}
