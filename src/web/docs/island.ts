/** The documentation in the browser: contents, one language for all calls, copied code, and an API key that fills the examples. */

import { API_KEY_PATTERN } from "#domain/account/key.ts";

const SHOWN_MILLISECONDS = 1500;

const contents = document.querySelector<HTMLDetailsElement>(".docs-contents");
if (contents !== null && matchMedia("(min-width: 56rem)").matches) contents.open = true;

for (const pre of document.querySelectorAll(".docs-page .code > pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(pre.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, SHOWN_MILLISECONDS);
  });
  pre.after(button);
}

/** A language that is chosen for one call is chosen for all of the page. What was clicked stays where it is on the screen. */
function watchLanguages(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>(".call > input")];
  for (const chosen of choices) {
    chosen.addEventListener("change", () => {
      const before = chosen.getBoundingClientRect().top;
      for (const other of choices) if (other.value === chosen.value) other.checked = true;
      scrollBy({ top: chosen.getBoundingClientRect().top - before, behavior: "instant" });
    });
  }
}

watchLanguages();
const keyField = document.querySelector<HTMLElement>(".docs-key");
if (keyField !== null) watchKeyField(keyField);

const KEY = new RegExp(`^${API_KEY_PATTERN}$`);

const NOT_A_KEY = "Not a key: a key is fxk_ and 38 letters or digits.";
const OUT_OF_REACH = "The server cannot be reached. Try again in a moment.";
const UNREADABLE = "This server cannot show your key right now. Paste it here.";
const NO_KEY = "You have no key yet. Create one in the dashboard.";

interface OwnKey {
  readonly key: string | null;
  /** Why there is none. */
  readonly reason: string;
  readonly needsSignIn: boolean;
}

interface AccountAnswer {
  readonly message?: string;
  readonly key?: { readonly plaintext: string | null } | null;
}

/** The key of the person who is signed in to this site. What it resolves with after the signal was aborted means nothing. */
async function readOwnKey(signal: AbortSignal): Promise<OwnKey> {
  const none = (reason: string, needsSignIn = false): OwnKey => ({ key: null, reason, needsSignIn });
  const headers = { Accept: "application/json" };
  const answer = await fetch("/v1/account", { headers, signal })
    .then(async (got) => ({ ok: got.ok, status: got.status, body: (await got.json()) as AccountAnswer }))
    .catch(() => null);
  if (answer === null) return none(OUT_OF_REACH);
  const { ok, status, body } = answer;
  if (status === 401) return none("You are not signed in.", true);
  if (!ok) return none(body.message ?? OUT_OF_REACH);
  if (body.key === null || body.key === undefined) return none(NO_KEY);
  return { key: body.key.plaintext, reason: UNREADABLE, needsSignIn: false };
}

/** `box` has the field and its buttons. The key goes into every `[data-key-place]` of the page. */
export function watchKeyField(box: HTMLElement): void {
  const field = box.querySelector<HTMLInputElement>("input");
  const own = box.querySelector<HTMLButtonElement>("[data-own-key]");
  const forget = box.querySelector<HTMLButtonElement>("[data-forget-key]");
  const signIn = box.querySelector<HTMLAnchorElement>("[data-sign-in]");
  const status = box.querySelector<HTMLElement>("[role=status]");
  if (field === null || own === null || forget === null || signIn === null || status === null) return;
  const places = Array.from(document.querySelectorAll("[data-key-place]"), (place) => ({
    place,
    documented: place.textContent,
  }));

  const show = (key: string | null, said: string, needsSignIn = false) => {
    for (const { place, documented } of places) place.textContent = key ?? documented;
    forget.hidden = key === null;
    status.textContent = said;
    signIn.hidden = !needsSignIn;
  };
  const filled = (key: string) => {
    const count = places.length === 1 ? "one place" : `${places.length} places`;
    show(key, `Filled in at ${count} of this page.`);
  };
  let asking = new AbortController();
  /** Ends the request before, and begins one. */
  const begin = (): AbortSignal => {
    asking.abort();
    asking = new AbortController();
    return asking.signal;
  };
  field.addEventListener("input", () => {
    begin();
    const typed = field.value.trim();
    if (KEY.test(typed)) filled(typed);
    else show(null, typed === "" ? "" : NOT_A_KEY);
  });
  own.addEventListener("click", async () => {
    const signal = begin();
    const { key, reason, needsSignIn } = await readOwnKey(signal);
    if (signal.aborted) return;
    field.value = key ?? "";
    if (key === null) show(null, reason, needsSignIn);
    else filled(key);
  });
  const clear = () => {
    begin();
    field.value = "";
    show(null, "");
  };
  forget.addEventListener("click", () => {
    clear();
    field.focus();
  });
  // The browser may keep the page that is left, to show it again as it was.
  addEventListener("pagehide", clear);
}
