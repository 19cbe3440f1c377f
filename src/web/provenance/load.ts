/** Opens the provenance of a number beside the page, or in a drawer when there is no room. The server renders it: digits stay exact. */

export interface Asked {
  readonly from: string;
  readonly to: string;
  /** Null for the latest rate. */
  readonly date: string | null;
}

/** From this width on the page has a column for it; the style sheets use the same width. */
const WIDE = "(min-width: 64rem)";

/** The last request, and the element for its answer. */
let shown: { readonly asked: Asked; readonly place: HTMLElement } | null = null;

/** How often to ask again for a number that is not in the lake yet. */
const AWAITED_MILLISECONDS = 10_000;

/** Call it once, with the page's provenance. */
export function watchProvenance(first: Asked | null): void {
  const column = document.getElementById("provenance");
  if (first !== null && column !== null) shown = { asked: first, place: column };
  setInterval(async () => {
    const asked = renewable();
    if (document.hidden || asked === null || !shown?.place.querySelector("[data-awaits-lake]")) return;
    const html = await load(asked);
    if (html !== null) renew(asked, html);
  }, AWAITED_MILLISECONDS);
}

/**
 * Shows the provenance, or a sentence when it cannot be loaded. An answer that a later request has overtaken is dropped. For a
 * reader who asks by keyboard, the focus moves to the answer, and Escape returns it to the number.
 */
export async function showProvenance(asked: Asked): Promise<void> {
  const column = document.getElementById("provenance");
  if (column === null) return;
  const asker = document.activeElement;
  const isByKeyboard = asker?.matches(":focus-visible") === true;
  const isWide = matchMedia(WIDE).matches;
  const place = isWide ? column : openDrawer();
  shown = { asked, place };
  place.setAttribute("aria-busy", "true");
  const html = await load(asked);
  if (shown.asked !== asked) return;
  place.removeAttribute("aria-busy");
  if (html !== null) place.innerHTML = html;
  else place.textContent = "The source of this number could not be loaded. Try again in a minute.";
  if (!isWide) return;
  const { top } = column.getBoundingClientRect();
  if (top < 0 || top > innerHeight) column.scrollIntoView();
  if (isByKeyboard && asker instanceof HTMLElement) lead(column, asker);
}

/** Resolves with null when it cannot be loaded. */
async function load({ from, to, date }: Asked): Promise<string | null> {
  const day = date === null ? "" : `?date=${date}`;
  const answer = await fetch(`/site/provenance/${from}/${to}${day}`).catch(() => null);
  return answer?.ok === true ? await answer.text().catch(() => null) : null;
}

/** The provenance on view if it is that of the latest rate, else null. */
export function renewable(): Asked | null {
  const isOnView = shown?.place.closest("dialog")?.open !== false;
  return isOnView && shown?.asked.date === null ? shown.asked : null;
}

/** Loads the provenance of a day again, if one is on view: its figures may have been corrected. */
export async function renewDay(): Promise<void> {
  const asked = shown?.asked;
  if (asked === undefined || asked.date === null) return;
  const html = await load(asked);
  if (html !== null) renew(asked, html);
}

/** Takes over the provenance from a newer page, if `asked` is still the one shown. */
export function renewProvenance(asked: Asked, page: Document): void {
  const html = page.getElementById("provenance")?.innerHTML;
  if (html !== undefined) renew(asked, html);
}

/** Selected text stays until the next time: the reader may be about to copy it. */
function renew(asked: Asked, html: string): void {
  if (shown?.asked !== asked || html === shown.place.innerHTML) return;
  const { place } = shown;
  const selection = getSelection();
  if (selection?.isCollapsed === false && place.contains(selection.anchorNode)) return;
  const isOpen = place.querySelector("details")?.open === true;
  const focused = links(place).indexOf(document.activeElement);
  place.innerHTML = html;
  const details = place.querySelector("details");
  if (isOpen && details !== null) details.open = true;
  (links(place)[focused] as HTMLElement | undefined)?.focus({ preventScroll: true });
}

function links(place: HTMLElement): (Element | null)[] {
  return [...place.querySelectorAll("a, summary")];
}

/** The focus goes to the column, and back by Escape. */
function lead(column: HTMLElement, asker: HTMLElement): void {
  column.tabIndex = -1;
  column.focus({ preventScroll: true });
  column.onkeydown = ({ key }) => {
    if (key === "Escape") asker.focus();
  };
}

/** The browser holds the focus inside, closes on Escape, and gives the focus back. Returns the element for the answer. */
function openDrawer(): HTMLElement {
  const present = document.querySelector<HTMLDialogElement>("dialog.drawer");
  const drawer = present ?? document.body.appendChild(newDrawer());
  const place = drawer.lastElementChild as HTMLElement;
  place.innerHTML = '<p class="dim" role="status">Loading …</p>';
  if (!drawer.open) drawer.showModal();
  drawer.scrollTop = 0;
  return place;
}

function newDrawer(): HTMLDialogElement {
  const drawer = document.createElement("dialog");
  drawer.className = "drawer";
  drawer.setAttribute("aria-label", "Where this number comes from");
  // A click outside closes it.
  drawer.setAttribute("closedby", "any");
  drawer.innerHTML =
    '<form method="dialog"><button type="submit" class="button">Close</button></form><div></div>';
  return drawer;
}
