/** Runs in the browser: the way of a mailed link. Its token leaves the address bar, waits for the button, and is sent once. */

import { post } from "./post.js";
import { say, show } from "./show.js";

/**
 * `bodyOf(token)` gives the body to post to `path`, or null where the form is not right yet. `busy` and `failed` are the
 * beginnings of what is said meanwhile and after a refusal; `onRefused(paths)` and `onDone(answer)` are told of the end.
 */
export function followLink({ path, busy, failed, bodyOf, onRefused = () => {}, onDone = () => {} }) {
  const form = document.querySelector("form");
  const button = form.querySelector("button");
  let token = "";
  let isSending = false;

  function arrive() {
    const brought = takeToken();
    if (brought === "" && token !== "") return;
    token = brought;
    say("");
    show(token === "" ? "no-link" : "ready");
    document.querySelector("details").open = token === "";
  }

  async function send(event) {
    event.preventDefault();
    if (isSending) return;
    const body = bodyOf(token);
    if (body === null) return;
    setSending(true);
    say(`${busy} …`);
    const { answer, refusal, paths } = await post(path, body);
    setSending(false);
    if (refusal !== undefined) refuse(refusal, paths);
    else finish(answer);
  }

  function setSending(now) {
    isSending = now;
    // Not `disabled`: that would take the focus away.
    button.setAttribute("aria-disabled", String(now));
  }

  function refuse(refusal, paths) {
    say(`${failed}: ${refusal}.`, { isRefusal: true });
    if (paths.includes("/token")) {
      token = "";
      show("dead");
      document.querySelector("details").open = true;
      document.querySelector("[data-when=dead]").focus();
    } else {
      onRefused(paths);
    }
  }

  function finish(answer) {
    token = "";
    say("");
    form.reset();
    onDone(answer);
    show("done");
    document.querySelector("[data-when=done] h2").focus();
  }

  form.addEventListener("submit", send);
  // A link that is pasted into the address bar of this very page loads nothing anew.
  addEventListener("hashchange", arrive);
  arrive();
}

/** The token behind the `#`, which is taken out of the address bar, and with it out of sight and of the history. "" is none. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  return token.trim();
}
