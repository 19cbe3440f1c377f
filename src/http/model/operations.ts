/** Every operation of the public interface, in the order of the document. */

import { ACCOUNT } from "./account.ts";
import { ACCOUNT_PROVISION } from "./account-provision.ts";
import { ACCOUNT_USAGE } from "./account-usage.ts";
import { AUTH } from "./auth.ts";
import { CHECKOUT } from "./checkout.ts";
import { CHECKOUT_EVENTS } from "./checkout-events.ts";
import { COMPAT_FRANKFURTER_V1 } from "./compat-frankfurter-v1.ts";
import { COMPAT_FRANKFURTER_V2 } from "./compat-frankfurter-v2.ts";
import { COMPAT_OXR } from "./compat-oxr.ts";
import { CONSENT } from "./consent.ts";
import { CONVERT } from "./convert.ts";
import { CONVERT_BATCH } from "./convert-batch.ts";
import { CURRENCIES } from "./currencies.ts";
import { HISTORICAL } from "./historical.ts";
import { KEYS } from "./keys.ts";
import { LAKE } from "./lake.ts";
import { LATEST } from "./latest.ts";
import { OFFICIAL } from "./official.ts";
import { OFFICIAL_CHANGES } from "./official-changes.ts";
import { OFFICIAL_PUBLICATIONS } from "./official-publications.ts";
import type { Operation } from "./operation.ts";
import { PROBES } from "./probes.ts";
import { RANGE } from "./range.ts";
import { RATE } from "./rate.ts";
import { STREAM } from "./stream.ts";

export const OPERATIONS: readonly Operation[] = [
  ...LATEST,
  ...STREAM,
  ...HISTORICAL,
  ...RATE,
  ...CONVERT,
  ...CONVERT_BATCH,
  ...RANGE,
  ...LAKE,
  ...OFFICIAL,
  ...OFFICIAL_CHANGES,
  ...OFFICIAL_PUBLICATIONS,
  ...CURRENCIES,
  ...ACCOUNT_PROVISION,
  ...ACCOUNT,
  ...ACCOUNT_USAGE,
  ...KEYS,
  ...CONSENT,
  ...CHECKOUT,
  ...CHECKOUT_EVENTS,
  ...AUTH,
  ...COMPAT_FRANKFURTER_V1,
  ...COMPAT_FRANKFURTER_V2,
  ...COMPAT_OXR,
  ...PROBES,
];
