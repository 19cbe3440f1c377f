/** Opens the provenance of a number: beside the page where there is room, otherwise in a drawer. The server renders it, so that digits stay exact. */

export interface Asked {
  readonly from: string;
  readonly to: string;
  /** Null for the latest rate. */
  readonly date: string | null;
}

/** From here on the page has a column for it; the same as in landing.css. */
const WIDE = "(min-width: 64rem)";

let latest = 0;
/** What was asked last, and where its answer is. */
let shown: { readonly asked: Asked; readonly place: HTMLElement } | null = null;

/**
 * Shows the answer, or in words that there is none. An answer that a later request has overtaken is dropped. Who asked by
 * keyboard is led to the answer, and back to the number by Escape.
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

/** The provenance of the rate of now, loaded and not shown yet. */
export interface Renewal {
  /** As the provenance has it; null where it could not be loaded. */
  readonly rate: string | null;
  show(): void;
}

/** Loads the provenance of `asked` as it is now. Null where that of a day is shown, or none, and where a later request has overtaken it. */
export async function renewal(asked: Asked): Promise<Renewal | null> {
  const place = shown?.place ?? document.getElementById("provenance");
  if ((shown?.asked ?? asked).date !== null || place === null) return null;
  if (place.closest("dialog")?.open === false) return null;
  const html = await load(place, { ...asked, date: null });
  if (html === undefined) return null;
  const rate = /data-rate="([^"]*)"/.exec(html ?? "")?.[1] ?? null;
  return { rate, show: () => renew(place, html) };
}

/** To be called when the rate has changed: loads and shows it. */
export async function renewProvenance(asked: Asked): Promise<void> {
  (await renewal(asked))?.show();
}

/** How long a number that is not in the lake yet is left before it is asked for again. */
const AWAITED_MILLISECONDS = 10_000;

/** What a reader is about to copy stays until it is not selected any more. */
function renew(place: HTMLElement, html: string | null): void {
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

/** To be called once: keeps the provenance of the latest rate up to date while its rate stays, `first` until another one is asked for. */
export function watchProvenance(first: () => Asked | null): void {
  const again = () => {
    const asked = shown?.asked ?? first();
    if (asked !== null) void renewProvenance(asked);
  };
  setInterval(() => {
    const place = shown?.place ?? document.getElementById("provenance");
    if (!document.hidden && place?.querySelector("[data-awaits-lake]") != null) again();
  }, AWAITED_MILLISECONDS);
  document.addEventListener("selectionchange", () => {
    const isOld = shown?.place.dataset["old"] !== undefined;
    if (isOld && getSelection()?.isCollapsed !== false) again();
  });
}

/** Null where it could not be loaded; undefined where a later request has overtaken this one. */
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

/** The browser holds the focus inside, closes on Escape, and gives the focus back. Returns what the answer goes into. */
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
  // A click beside it closes it.
  drawer.setAttribute("closedby", "any");
  drawer.innerHTML =
    '<form method="dialog"><button type="submit" class="button">Close</button></form><div></div>';
  return drawer;
}
