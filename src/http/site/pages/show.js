/** Runs in the browser: of a page's texts the one that fits is shown, and what happens is said aloud. */

const SAID = document.getElementById("said");

/** Shows the parts that are marked for a state, and hides those of all others. */
export function show(state) {
  for (const part of document.querySelectorAll("[data-when]")) part.hidden = part.dataset.when !== state;
}

/** One line below the page's parts, read out by screen readers; "" takes it away. */
export function say(text, { isRefusal = false } = {}) {
  SAID.classList.toggle("refusal", isRefusal && text !== "");
  SAID.textContent = text;
}
