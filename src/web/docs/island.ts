/** The documentation in the browser: opens the contents, selects one language for all calls, copies code, focuses the search on "/". */

import { watchKeyField } from "./key.ts";

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

document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  document.querySelector<HTMLInputElement>('.docs-side input[name="q"]')?.focus();
});
