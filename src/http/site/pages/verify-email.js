/** Runs in the browser: confirms an e-mail address with a mailed link, when the button is pressed. */

import { followLink } from "./mailed-link.js";

followLink({
  path: "/v1/auth/verify-email",
  busy: "Confirming",
  failed: "Not confirmed",
  bodyOf: (token) => ({ token }),
  onDone: ({ identity }) => {
    if (identity.email !== null) document.getElementById("confirmed").textContent = identity.email;
  },
});
