/** Buttons that copy a text, and say for a moment that it was copied. */

const SHOWN_MILLISECONDS = 1500;

/** Shows the button where the browser has a clipboard for pages: over plain http it has none. A text of null copies nothing. */
export function watchCopy(button: HTMLButtonElement, textOf: () => Promise<string | null>): void {
  button.hidden = !("clipboard" in navigator);
  // Screen readers read out what it says then.
  button.ariaLive = "polite";
  button.addEventListener("click", async () => {
    const text = await textOf();
    if (text === null) return;
    await navigator.clipboard.writeText(text);
    const before = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = before;
    }, SHOWN_MILLISECONDS);
  });
}
