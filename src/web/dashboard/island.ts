/** The dashboard and the pages of mailed links in the browser: counts down the grace period, refreshes parts that wait, takes tokens of links. */

import { clockText } from "./words.ts";

function countDown(place: HTMLElement): void {
  const start = Number(place.dataset["countdown"]);
  const began = performance.now();
  const timer = setInterval(() => {
    const left = Math.max(0, start - Math.floor((performance.now() - began) / 1000));
    place.textContent = clockText(left);
    if (left > 0) return;
    clearInterval(timer);
    location.replace("/dashboard/keys");
  }, 1000);
}

const LOOK_MILLISECONDS = 1000;
/** An attempt takes 10 seconds at most; the next one may be hours away. */
const MOST_LOOKS = 20;
/** Ten minutes for the first call. */
const MOST_FIRST_LOOKS = 600;

/** Changes only what differs: the focus and what is open stay, and screen readers announce what is new alone. */
function renew(part: ChildNode, newer: ChildNode): void {
  if (part.isEqualNode(newer)) return;
  if (!(part instanceof Element && newer instanceof Element) || part.tagName !== newer.tagName) {
    part.replaceWith(newer);
    return;
  }
  for (const { name, value } of newer.attributes) part.setAttribute(name, value);
  const [parts, children] = [[...part.childNodes], [...newer.childNodes]];
  for (const [at, child] of children.entries()) {
    const old = parts[at];
    if (old === undefined) part.append(child);
    else renew(old, child);
  }
  for (const old of parts.slice(children.length)) old.remove();
}

/** Loads this page again every second and renews the element of the id, at most `mostLooks` times, while it is marked as pending. */
function follow(id: string, mostLooks = MOST_LOOKS): void {
  let looks = 0;
  const look = async () => {
    const part = document.getElementById(id);
    if (part?.dataset["pending"] !== "yes" || looks >= mostLooks) return;
    looks += 1;
    const response = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    // Signed out meanwhile: the server redirects to the sign-in.
    if (response?.redirected === true) location.assign(response.url);
    if (response?.ok === true) {
      const newer = new DOMParser().parseFromString(await response.text(), "text/html").getElementById(id);
      if (newer !== null) renew(part, newer);
    }
    setTimeout(look, LOOK_MILLISECONDS);
  };
  setTimeout(look, LOOK_MILLISECONDS);
}

// The answer to a form, such as a secret, has the form's address. Loading the page again must not repeat the form.
const ownAddress = document.querySelector<HTMLElement>("[data-address]")?.dataset["address"];
if (ownAddress !== undefined && ownAddress !== location.pathname) history.replaceState(null, "", ownAddress);

for (const place of document.querySelectorAll<HTMLElement>("[data-countdown]")) countDown(place);
follow("deliveries");
follow("plan-page");
follow("first-call", MOST_FIRST_LOOKS);

/** The field for the token of a mailed link; null on other pages. */
const linkField = document.querySelector<HTMLInputElement>("#token");

/** Moves the token of a mailed link from the address bar, and so from the history, into the form. */
function takeToken(field: HTMLInputElement): void {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  field.value = token || field.value;
  const box = field.closest<HTMLElement>(".form-field");
  if (box !== null) box.hidden = field.value !== "";
}

if (linkField !== null) {
  takeToken(linkField);
  // A link that is pasted into this page's address bar changes only the fragment: the page does not load again.
  addEventListener("hashchange", () => takeToken(linkField));
}
