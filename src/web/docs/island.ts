/** The documentation in the browser: contents, one language for all calls, and an API key that fills the examples. */

import { API_KEY_PATTERN } from "#domain/account/key.ts";

const contents = document.querySelector<HTMLDetailsElement>(".docs-contents");
if (contents !== null && matchMedia("(min-width: 64rem)").matches) contents.open = true;

/** A language chosen for one call is chosen for all calls of the page. The clicked element keeps its place on the screen. */
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
    const read = await readOwnKey(signal);
    if (signal.aborted) return;
    field.value = "key" in read ? read.key : "";
    if ("key" in read) filled(read.key);
    else show(null, read.reason, read.needsSignIn);
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
  // The browser may keep the page in memory and show it again: it must not show the key.
  addEventListener("pagehide", clear);
}

type OwnKey = { readonly key: string } | { readonly reason: string; readonly needsSignIn?: boolean };

/** The key of the person who is signed in. Never rejects; after an abort the result means nothing. */
async function readOwnKey(signal: AbortSignal): Promise<OwnKey> {
  const answer = await fetch("/v1/account", { headers: { Accept: "application/json" }, signal }).catch(
    () => null,
  );
  if (answer?.status === 401) return { reason: "You are not signed in.", needsSignIn: true };
  const body = await answer?.json().catch(() => null);
  if (answer?.ok !== true || body === null)
    return { reason: body?.message ?? "The server cannot be reached. Try again in a moment." };
  if (body.key === null) return { reason: "You have no key yet. Create one in the dashboard." };
  const { plaintext } = body.key;
  return plaintext === null ? { reason: "This server cannot show your key right now." } : { key: plaintext };
}
