/** Opens the provenance of a number in its place on the page. The server renders it, so that no digit passes through a double. */

export interface Asked {
  readonly from: string;
  readonly to: string;
  /** Null for the latest rate. */
  readonly date: string | null;
}

let latest = 0;

/** Shows the answer, or in words that there is none. An answer that a later request has overtaken is dropped. */
export async function showProvenance({ from, to, date }: Asked): Promise<void> {
  const place = document.getElementById("provenance");
  if (place === null) return;
  latest += 1;
  const mine = latest;
  place.setAttribute("aria-busy", "true");
  const answer = await fetch(`/site/provenance/${from}/${to}${date === null ? "" : `?date=${date}`}`).catch(
    () => null,
  );
  const html = answer?.ok === true ? await answer.text() : null;
  if (mine !== latest) return;
  place.removeAttribute("aria-busy");
  if (html === null)
    place.textContent = "The server did not say where this number comes from. Try again in a minute.";
  else place.innerHTML = html;
}
