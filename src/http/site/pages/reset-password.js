/** Runs in the browser: sets the password that is typed twice, with a mailed link. */

import { followLink } from "./mailed-link.js";
import { say } from "./show.js";

const password = document.getElementById("new");
const again = document.getElementById("again");

followLink({
  path: "/v1/auth/password-reset/confirm",
  busy: "Setting the password",
  failed: "Not set",
  bodyOf: (token) => {
    markWrong(null);
    if (password.value === again.value) return { token, new: password.value };
    say("Not set: the two passwords differ.", { isRefusal: true });
    markWrong(again);
    return null;
  },
  onRefused: (paths) => {
    if (paths.includes("/new")) markWrong(password);
  },
});

function markWrong(wrong) {
  for (const field of [password, again]) field.setAttribute("aria-invalid", String(field === wrong));
  wrong?.focus();
}
