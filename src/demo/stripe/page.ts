/** The frame of the hosted pages: plain HTML and CSS, no script, and in every view that nothing here is real. */

export interface Page {
  readonly status: number;
  readonly html: string;
}

/** Text → HTML, for content and attributes. */
export function escaped(text: unknown): string {
  return String(text ?? "").replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** `body` is HTML. */
export function framed(title: string, body: string, status = 200): Page {
  const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – simulated</title>
<style>${CSS}</style>
</head>
<body>
<p class="notice"><strong>SIMULATED.</strong> This page stands in for Stripe. No card is asked for and no money moves.</p>
<main>${body}</main>
</body>
</html>
`;
  return { status, html };
}

/** A button that sends `action` to the page's own address. */
export function button(action: string, label: string, look: "main" | "plain" | "danger" = "plain"): string {
  return `<button class="${look}" name="action" value="${escaped(action)}">${escaped(label)}</button>`;
}

export function dollars(cents: number): string {
  return `US$${(cents / 100).toFixed(2)}`;
}

export function dayOf(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, 10);
}

const CSS = `
:root{color-scheme:light dark;--ink:#1a2233;--soft:#5b6577;--line:#d9dee7;--paper:#fff;--ground:#f4f6fa;--main:#3b5bdb;--bad:#c92a2a}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf2;--soft:#9aa5b8;--line:#333d4f;--paper:#1b2230;--ground:#121722;--main:#5c7cfa;--bad:#ff6b6b}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
.notice{margin:0;padding:.6rem 1rem;background:#ffe066;color:#3d3200;text-align:center;font-size:.9rem}
main{max-width:30rem;margin:3rem auto;padding:2rem;background:var(--paper);border:1px solid var(--line);border-radius:12px}
h1{margin:0 0 .25rem;font-size:1.35rem}
h2{margin:2rem 0 .5rem;font-size:1rem}
.price{font-size:2rem;font-weight:650;margin:.5rem 0 0}
.soft{color:var(--soft);margin:.25rem 0;overflow-wrap:anywhere}
.bad{color:var(--bad);font-weight:600}
form{display:flex;flex-wrap:wrap;gap:.6rem;margin:1.25rem 0 0}
button{font:inherit;padding:.6rem 1rem;border-radius:8px;border:1px solid var(--line);background:transparent;color:inherit;cursor:pointer}
button:focus-visible,a:focus-visible{outline:3px solid var(--main);outline-offset:2px}
button.main{flex:1 1 100%;background:var(--main);border-color:var(--main);color:#fff;font-weight:600}
button.danger{border-color:var(--bad);color:var(--bad)}
a{color:var(--main)}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:1rem 0 0}
dt{color:var(--soft)}dd{margin:0;text-align:right}
`;
