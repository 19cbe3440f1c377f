/** Runs in the browser: says how a checkout ended, by the address that the payment provider leads back to. */

import { show } from "./show.js";

const ended = new URLSearchParams(location.search).get("checkout");
show(ended === "success" || ended === "cancelled" ? ended : "other");
