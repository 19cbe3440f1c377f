/** What every page can do in the browser: open the search on ⌘K and "/", copy what a button names, and send a form once. */

const WAIT_MILLISECONDS = 120;

let dialog: HTMLDialogElement | null = null;

function openSearch(): void {
  dialog ??= newDialog();
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("input")?.select();
}

function newDialog(): HTMLDialogElement {
  const made = document.createElement("dialog");
  made.className = "search-dialog";
  made.setAttribute("aria-label", "Search");
  // A click outside closes it.
  made.setAttribute("closedby", "any");
  made.innerHTML =
    '<form action="/search" method="get"><input type="search" name="q" autocomplete="off" aria-label="Search" placeholder="Currency, country, table or guide"></form><div aria-live="polite"></div>';
  document.body.append(made);
  const [field, results] = [made.querySelector("input"), made.querySelector("div")];
  if (field === null || results === null) return made;
  let timer: ReturnType<typeof setTimeout> | undefined;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(results, field), WAIT_MILLISECONDS);
  });
  // Enter opens the first result, if the results belong to the typed text.
  made.querySelector("form")?.addEventListener("submit", (event) => {
    const first = made.querySelector<HTMLAnchorElement>("div a");
    if (first === null || results.dataset["query"] !== field.value.trim()) return;
    event.preventDefault();
    location.assign(first.href);
  });
  made.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops = [field, ...made.querySelectorAll<HTMLElement>("div a")];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
    event.preventDefault();
    next?.focus();
  });
  return made;
}

/** Only the answer to what the field still has counts. */
async function show(place: HTMLElement, field: HTMLInputElement): Promise<void> {
  const query = field.value.trim();
  if (query === "") return place.replaceChildren();
  const answer = await fetch(`/site/search?q=${encodeURIComponent(query)}`).catch(() => null);
  const html = answer?.ok === true ? await answer.text().catch(() => null) : null;
  if (query !== field.value.trim()) return;
  place.dataset["query"] = query;
  if (html === null) place.textContent = "The search does not answer. Press Enter to try again.";
  else place.innerHTML = html;
}

document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  const isTyping = target instanceof HTMLElement && target.matches("input, textarea, select");
  const isSlash = key === "/" && !isTyping && !ctrlKey && !metaKey && !altKey;
  if (!isSlash && !(key.toLowerCase() === "k" && (ctrlKey || metaKey))) return;
  event.preventDefault();
  openSearch();
});

document.querySelector("[data-search]")?.addEventListener("click", (event) => {
  if (!(event instanceof MouseEvent) || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  openSearch();
});

const SHOWN_MILLISECONDS = 1500;

if (!("clipboard" in navigator)) document.documentElement.classList.add("no-clipboard");
document.addEventListener("click", async ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null;
  if (button === null) return;
  const code = button.parentElement?.querySelector("pre")?.textContent ?? "";
  const copying = navigator.clipboard.writeText(button.dataset["copy"] || code);
  // Screen readers announce the new text. A browser may refuse: a secret must not be taken for copied.
  button.textContent = await copying.then(() => "Copied").catch(() => "Not copied");
  setTimeout(() => {
    button.textContent = "Copy";
  }, SHOWN_MILLISECONDS);
});

/** Longer than an answer takes. Afterwards a form whose answer was lost can be sent again. */
const ANSWER_MILLISECONDS = 5000;
/** When each form that was sent may be sent again. */
const againAt = new WeakMap<EventTarget, number>();

// The second click of a double click would repeat the form and hide the answer to the first: "the current password is wrong".
document.addEventListener("submit", (event) => {
  const { target: form, timeStamp } = event;
  if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
  if (timeStamp < (againAt.get(form) ?? 0)) event.preventDefault();
  else againAt.set(form, timeStamp + ANSWER_MILLISECONDS);
});
