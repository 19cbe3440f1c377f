/** GET /verify-email and /reset-password: where mailed links lead. */

import { Elysia } from "elysia";
import { type Frame, NO_REFERRER } from "#web/frame.ts";
import type { Site } from "#web/shared/page.tsx";
import { resetPasswordPage, verifyEmailPage } from "./page.tsx";

/** A link's token passes through the page: no other site learns of it, and no cache stores it. */
export const mailed = (frame: Frame) => {
  const send = async (request: Request, page: (site: Site) => string) =>
    frame.page(request, page(await frame.site(request)), { isPrivate: true, headers: NO_REFERRER });
  return new Elysia({ name: "mailed" })
    .get("/verify-email", async ({ request }) => await send(request, verifyEmailPage))
    .get("/reset-password", async ({ request }) => await send(request, resetPasswordPage));
};
