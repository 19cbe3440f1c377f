/** Why an attempt ended before a status came, as it travels up from where it was found out. Part of post.ts. */

import type { AttemptFault } from "#domain/webhook/endpoint.ts";

export class AttemptFailed extends Error {
  readonly fault: AttemptFault;

  constructor(fault: AttemptFault) {
    super(fault);
    this.name = "AttemptFailed";
    this.fault = fault;
  }
}
