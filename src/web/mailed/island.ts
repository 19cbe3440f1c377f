/** A mailed link in the browser: moves its token from the address bar, and so from the history, into the form. */

const field = document.querySelector<HTMLInputElement>("#token");
const box = field?.closest<HTMLElement>(".form-field");

function takeToken(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  if (field == null || box == null) return;
  field.value = token || field.value;
  box.hidden = field.value !== "";
}

// A link that is pasted into this page's address bar changes only the fragment: the page does not load again.
addEventListener("hashchange", takeToken);
takeToken();
