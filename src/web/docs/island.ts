/** The documentation in the browser: the contents are open where there is room, code is copied by one click, "/" goes to the search. */

const contents = document.querySelector<HTMLDetailsElement>(".docs-contents");
if (contents !== null && matchMedia("(min-width: 56rem)").matches) contents.open = true;

for (const pre of document.querySelectorAll(".docs-page pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(pre.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  const holder = document.createElement("div");
  holder.className = "code";
  pre.replaceWith(holder);
  holder.append(pre, button);
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  document.querySelector<HTMLInputElement>('.docs-side input[name="q"]')?.focus();
});
