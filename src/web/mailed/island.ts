/** A mailed link in the browser: removes its token from the address bar, waits for the button, and sends the token once. */

import { type Answer, post } from "./post.ts";

interface Link {
  readonly path: string;
  /** The beginnings of what is said meanwhile, and after a refusal. */
  readonly busy: string;
  readonly failed: string;
  /** The body to send; null where the form is not right yet. */
  bodyOf(token: string): object | null;
  refused(paths: readonly string[]): void;
  done(answer: Answer): void;
}

const form = one("form", HTMLFormElement);
const button = one("form button", HTMLButtonElement);
const said = one("#said", HTMLElement);
const details = one("details", HTMLDetailsElement);

function one<E extends Element>(selector: string, kind: new () => E): E {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Shows the parts for a state, and hides those for all others. */
function show(state: "ready" | "no-link" | "dead" | "done"): void {
  for (const part of document.querySelectorAll<HTMLElement>("[data-when]"))
    part.hidden = part.dataset["when"] !== state;
}

/** One line that screen readers read out; "" takes it away. */
function say(text: string, isRefusal = false): void {
  said.classList.toggle("wrong", isRefusal && text !== "");
  said.textContent = text;
}

function follow(link: Link): void {
  let token = "";
  let isSending = false;

  const arrive = () => {
    const brought = takeToken();
    if (brought === "" && token !== "") return;
    token = brought;
    say("");
    show(token === "" ? "no-link" : "ready");
    details.open = token === "";
  };

  const setSending = (now: boolean) => {
    isSending = now;
    // Not `disabled`: that would take the focus away.
    button.setAttribute("aria-disabled", String(now));
  };

  const send = async (event: Event) => {
    event.preventDefault();
    if (isSending) return;
    const body = link.bodyOf(token);
    if (body === null) return;
    setSending(true);
    say(`${link.busy} …`);
    const posted = await post(link.path, body);
    setSending(false);
    if ("refusal" in posted) refuse(posted.refusal, posted.paths);
    else finish(posted.answer);
  };

  const refuse = (refusal: string, paths: readonly string[]) => {
    say(`${link.failed}: ${refusal}.`, true);
    if (!paths.includes("/token")) {
      link.refused(paths);
      return;
    }
    token = "";
    show("dead");
    details.open = true;
    document.querySelector<HTMLElement>("[data-when=dead]")?.focus();
  };

  const finish = (answer: Answer) => {
    token = "";
    say("");
    form.reset();
    link.done(answer);
    show("done");
    document.querySelector<HTMLElement>("[data-when=done] h2")?.focus();
  };

  form.addEventListener("submit", send);
  // A link that is pasted into the address bar of this page does not load it again.
  addEventListener("hashchange", arrive);
  arrive();
}

/** The token behind the `#`, which is taken out of the address bar, and with it out of sight and of the history. "" is none. */
function takeToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  return token.trim();
}

function verifyEmail(): Link {
  return {
    path: "/v1/auth/verify-email",
    busy: "Confirming",
    failed: "Not confirmed",
    bodyOf: (token) => ({ token }),
    refused: () => {},
    done: ({ identity }) => {
      if (typeof identity?.email === "string") one("#confirmed", HTMLElement).textContent = identity.email;
    },
  };
}

function resetPassword(): Link {
  const password = one("#new", HTMLInputElement);
  const again = one("#again", HTMLInputElement);
  const markWrong = (wrong: HTMLInputElement | null) => {
    for (const field of [password, again]) field.setAttribute("aria-invalid", String(field === wrong));
    wrong?.focus();
  };
  return {
    path: "/v1/auth/password-reset/confirm",
    busy: "Setting the password",
    failed: "Not set",
    bodyOf: (token) => {
      markWrong(null);
      if (password.value === again.value) return { token, new: password.value };
      say("Not set: the two passwords differ.", true);
      markWrong(again);
      return null;
    },
    refused: (paths) => {
      if (paths.includes("/new")) markWrong(password);
    },
    done: () => {},
  };
}

follow(location.pathname === "/reset-password" ? resetPassword() : verifyEmail());
