/** The use cases of an account with their printers, as routes combine them: tests check the bodies that callers get. */

import { closeAccount as close, provision as provisioned } from "#accounts/account/organization.ts";
import {
  acceptPolicy as accept,
  profile as ownAccount,
  usageDaily as usageOfDays,
} from "#accounts/account/own-account.ts";
import { checkout as openPage } from "#accounts/billing/checkout.ts";
import { revokeKeys as revoke, rotateKey as rotate } from "#accounts/keys/keys.ts";
import {
  accountBody,
  closedAccountBody,
  consentBody,
  currentKeyBody,
  dailyUsageBody,
  revokedKeysBody,
} from "#api/account/account.ts";
import { checkoutBody } from "#api/billing/billing.ts";

const printing =
  <A extends readonly unknown[], V, B>(work: (...given: A) => Promise<V>, print: (value: V) => B) =>
  async (...given: A): Promise<B> =>
    print(await work(...given));

export const acceptPolicy = printing(accept, consentBody);
export const checkout = printing(openPage, checkoutBody);
export const closeAccount = printing(close, closedAccountBody);
export const profile = printing(ownAccount, accountBody);
export const provision = printing(provisioned, currentKeyBody);
export const revokeKeys = printing(revoke, revokedKeysBody);
export const rotateKey = printing(rotate, currentKeyBody);
export const usageDaily = printing(usageOfDays, dailyUsageBody);
