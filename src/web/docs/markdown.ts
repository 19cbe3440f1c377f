/** Renders a guide's Markdown as HTML: headings with anchors, highlighted code, calls in tabs, tables that scroll. */

import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import ini from "highlight.js/lib/languages/ini";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { Marked, Renderer, type Token, type Tokens } from "marked";
import { renderToString } from "preact-render-to-string";
import { newAnchors, textOf } from "#guides/sections.ts";
import { CopyButton } from "#web/shared/forms.tsx";

const LANGUAGES = { bash, ini, json, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);
highlighter.registerAliases("js", { languageName: "typescript" });

/** The blocks of one call, in the order of their tabs. */
const CALL_LANGUAGES = [
  ["sh", "curl"],
  ["ts", "TypeScript"],
  ["python", "Python"],
] as const;

const DOCUMENTED_ORIGIN = "http://localhost:3000";
const COPY = renderToString(CopyButton({}));
const KEY_PLACE = /\$KEY\b|fxk_…/g;

/**
 * HTML inside the Markdown is shown as text. Blocks of code in `sh`, `ts` and `python`, with nothing between them, are one call in three
 * languages. They become radio buttons with a block each, which need no script. Places of an API key have the attribute `data-key-place`.
 * Code gets this server's `origin`, because it is copied from the page and run.
 */
export function htmlOf(markdown: string, origin: string): string {
  const anchorOf = newAnchors();
  let table = 0;
  let call = 0;
  const codeOf = ({ text, lang = "" }: Tokens.Code): string => {
    const language = /^\w+/.exec(lang)?.[0] ?? "";
    const own = text.replaceAll(DOCUMENTED_ORIGIN, origin);
    const isKnown = highlighter.getLanguage(language) !== undefined;
    const code = isKnown ? highlighter.highlight(own, { language }).value : Bun.escapeHTML(own);
    const filled = code.replace(KEY_PLACE, (place) => `<span data-key-place="">${place}</span>`);
    return `<pre tabindex="0"><code>${filled}</code></pre>${COPY}`;
  };
  const marked = new Marked({
    hooks: { processAllTokens: withCalls },
    extensions: [
      {
        name: "call",
        renderer(token) {
          const group = `call-${++call}`;
          const parts = (token as CallToken).parts.map((part, at) => {
            const [language, name] = CALL_LANGUAGES[at] ?? ["", ""];
            const id = `${group}-${language}`;
            const choice = `<input type="radio" autocomplete="off" name="${group}" id="${id}" value="${language}"${at === 0 ? " checked" : ""}><label for="${id}">${name}</label>`;
            return [choice, `<div class="code" data-language="${language}">${codeOf(part)}</div>`];
          });
          const legend = `<legend class="visually-hidden">Language of call ${call}</legend>`;
          const [choices, blocks] = [0, 1].map((side) => parts.map((part) => part[side]).join(""));
          return `<fieldset class="call">${legend}${choices}${blocks}</fieldset>`;
        },
      },
    ],
    renderer: {
      heading(token: Tokens.Heading) {
        const { tokens, depth } = token;
        const anchor = Bun.escapeHTML(anchorOf(textOf(token)));
        const text = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${anchor}">${text}</h1>`;
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${text}</a></h${depth}>`;
      },
      // An answer is read, not copied: its long lines wrap.
      code: (token: Tokens.Code) =>
        `<div class="${token.lang === "json" ? "code wraps" : "code"}">${codeOf(token)}</div>`,
      codespan: ({ text }: Tokens.Codespan) => `<code>${breakable(Bun.escapeHTML(text))}</code>`,
      table(token: Tokens.Table) {
        const html = Renderer.prototype.table.call(this, token);
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table ${++table}">${html}</div>`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => Bun.escapeHTML(text),
    },
  });
  return marked.parse(markdown, { async: false });
}

interface CallToken {
  readonly type: "call";
  readonly raw: string;
  readonly parts: readonly Tokens.Code[];
}

function withCalls(tokens: Token[]): Token[] {
  const grouped: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const next = tokens.slice(at, at + 2 * CALL_LANGUAGES.length);
    const blocks = next.filter(({ type }) => type !== "space").slice(0, CALL_LANGUAGES.length);
    const isCall = CALL_LANGUAGES.every(([language], nth) => languageOf(blocks[nth]) === language);
    const token = tokens[at] as Token;
    if (!isCall || token.type === "space") {
      grouped.push(token);
      continue;
    }
    const raw = blocks.map((block) => block.raw).join("\n\n");
    grouped.push({ type: "call", raw, parts: blocks as Tokens.Code[] } satisfies CallToken);
    at = tokens.indexOf(blocks.at(-1) as Token);
  }
  return grouped;
}

function languageOf(token: Token | undefined): string | null {
  return token?.type === "code" ? ((token as Tokens.Code).lang ?? "") : null;
}

const LONGEST_WHOLE = 24;

/** Short names stay whole. A long list, address or query can break between its parts: it must not widen a table. */
function breakable(html: string): string {
  return html.length <= LONGEST_WHOLE ? html : html.replace(/[,/?_({]|&amp;/g, "$&<wbr>");
}
