/** Programs that reproduce what is on the page: one at a time, copied by one click. Without a script all of them are shown. */
/* @jsxImportSource preact */

import { useState } from "preact/hooks";

export interface Snippet {
  readonly name: string;
  readonly text: string;
}

export function Code({ text }: Pick<Snippet, "text">) {
  return (
    <pre>
      <code>{text}</code>
    </pre>
  );
}

/** The calls in three languages that return what a page shows; `ts` and `python` are lines on a client called `crossrate`. */
export function snippetsOf(
  { origin, key }: { readonly origin: string; readonly key?: string },
  path: string,
  ts: string,
  python: string,
): readonly Snippet[] {
  const [header, option, argument] =
    key === undefined
      ? ["", "", ""]
      : [` \\\n  -H "Authorization: Bearer ${key}"`, `, key: "${key}"`, `, key="${key}"`];
  const client = `import { Crossrate } from "@crossrate/client";\n\nconst crossrate = new Crossrate({ url: "${origin}"${option} });`;
  const session = `from crossrate import Crossrate\n\nwith Crossrate("${origin}"${argument}) as crossrate:`;
  return [
    { name: "curl", text: `curl '${origin}${path}'${header}` },
    { name: "TypeScript", text: `${client}\n${ts}` },
    { name: "Python", text: `${session}\n    ${python}` },
  ];
}

/** `isLive` in the browser: tabs and the copy button need a script. */
export function Snippets({
  snippets,
  isLive = false,
}: {
  readonly snippets: readonly Snippet[];
  readonly isLive?: boolean;
}) {
  const [chosen, choose] = useState(0);
  const [isCopied, setCopied] = useState(false);
  const shown = snippets[chosen] ?? snippets[0];
  if (shown === undefined) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(shown.text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <div class="snippets">
      <div class="tabs spread small">
        <div role="tablist" aria-label="Language">
          {snippets.map(({ name }, index) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={index === chosen ? "true" : "false"}
              aria-controls="snippet"
              tabIndex={index === chosen ? 0 : -1}
              onClick={() => choose(index)}
              onKeyDown={(event) => {
                const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
                if (step === 0) return;
                const next = (index + step + snippets.length) % snippets.length;
                choose(next);
                document.getElementById(`tab-${snippets[next]?.name}`)?.focus();
              }}
            >
              {name}
            </button>
          ))}
        </div>
        {/* Over plain http browsers have no clipboard for pages. */}
        {isLive && "clipboard" in navigator && (
          <button type="button" class="copy" onClick={copy}>
            {isCopied ? "Copied" : "Copy"}
          </button>
        )}
      </div>
      <div class="snippet" id="snippet" role="tabpanel" aria-labelledby={`tab-${shown.name}`}>
        <Code text={shown.text} />
      </div>
    </div>
  );
}
