/** A mailed link in the browser: its token leaves the address bar, and with it the history, and goes into the form. */

const field = document.querySelector<HTMLInputElement>("#token");
const box = field?.closest<HTMLElement>(".form-field");

function takeToken(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  if (field == null || box == null) return;
  field.value = token || field.value;
  box.hidden = field.value !== "";
}

// A link that is pasted into the address bar of this page does not load it again.
addEventListener("hashchange", takeToken);
takeToken();
