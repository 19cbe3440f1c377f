/** Opens the provenance of a number beside the page, or in a drawer when there is no room. The server renders it: digits stay exact. */

export interface Asked {
  readonly from: string;
  readonly to: string;
  /** Null for the latest rate. */
  readonly date: string | null;
}

/** From this width on the page has a column for it; the style sheets use the same width. */
const WIDE = "(min-width: 64rem)";

let latest = 0;
/** The last request, and the element for its answer. */
let shown: { readonly asked: Asked; readonly place: HTMLElement } | null = null;
/** The HTML that was shown last. */
let last: string | null = null;

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
  const html = await load(place, asked);
  if (html === undefined) return;
  put(place, html);
  if (!isWide) return;
  const { top } = column.getBoundingClientRect();
  if (top < 0 || top > innerHeight) column.scrollIntoView();
  if (isByKeyboard && asker instanceof HTMLElement) lead(column, asker);
}

/** The provenance on view if it is that of the latest rate, else null. */
export function renewable(): Asked | null {
  const isOnView = shown?.place.closest("dialog")?.open !== false;
  return isOnView && shown?.asked.date === null ? shown.asked : null;
}

/** Takes over the provenance from a newer page, if `asked` is still the one shown. */
export function renewProvenance(asked: Asked, page: Document): void {
  const html = page.getElementById("provenance")?.innerHTML;
  if (html === undefined || shown?.asked !== asked || shown.place.hasAttribute("aria-busy")) return;
  renew(shown.place, html);
}

/** How often to ask again for a number that is not in the lake yet. */
const AWAITED_MILLISECONDS = 10_000;

/** Selected text stays until the selection ends: the reader may be about to copy it. */
function renew(place: HTMLElement, html: string | null): void {
  if (html === last) return;
  const selection = getSelection();
  if (selection?.isCollapsed === false && place.contains(selection.anchorNode)) {
    place.dataset["old"] = "";
    return;
  }
  delete place.dataset["old"];
  const isOpen = place.querySelector("details")?.open === true;
  const focused = links(place).indexOf(document.activeElement);
  put(place, html);
  const details = place.querySelector("details");
  if (isOpen && details !== null) details.open = true;
  (links(place)[focused] as HTMLElement | undefined)?.focus({ preventScroll: true });
}

function links(place: HTMLElement): (Element | null)[] {
  return [...place.querySelectorAll("a, summary")];
}

/** Call it once, with the page's provenance. Asks again while a number is not in the lake yet, and after a selection held an update back. */
export function watchProvenance(first: Asked | null): void {
  const column = document.getElementById("provenance");
  if (first !== null && column !== null) shown = { asked: first, place: column };
  const again = async () => {
    const asked = renewable();
    if (asked === null || shown === null) return;
    const { place } = shown;
    const html = await load(place, asked);
    place.removeAttribute("aria-busy");
    if (html !== undefined) renew(place, html);
  };
  setInterval(() => {
    if (!document.hidden && shown?.place.querySelector("[data-awaits-lake]") != null) void again();
  }, AWAITED_MILLISECONDS);
  document.addEventListener("selectionchange", () => {
    const isOld = shown?.place.dataset["old"] !== undefined;
    if (isOld && getSelection()?.isCollapsed !== false) void again();
  });
}

/** Resolves with null when loading fails, and with undefined when a later request has overtaken this one. */
async function load(place: HTMLElement, asked: Asked): Promise<string | null | undefined> {
  const { from, to, date } = asked;
  latest += 1;
  const mine = latest;
  shown = { asked, place };
  place.setAttribute("aria-busy", "true");
  const answer = await fetch(`/site/provenance/${from}/${to}${date === null ? "" : `?date=${date}`}`).catch(
    () => null,
  );
  const html = answer?.ok === true ? await answer.text().catch(() => null) : null;
  return mine === latest ? html : undefined;
}

function put(place: HTMLElement, html: string | null): void {
  place.removeAttribute("aria-busy");
  last = html;
  if (html === null)
    place.textContent = "The source of this number could not be loaded. Try again in a minute.";
  else place.innerHTML = html;
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
  const known = document.querySelector<HTMLDialogElement>("dialog.drawer");
  const drawer = known ?? document.body.appendChild(newDrawer());
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
