/** What the envelope of a signing secret is bound to: moved to another row it does not open. */

/** As the vault takes it. */
export function secretSealedFor(organizationId: string, endpointId: string) {
  return { org: organizationId, id: endpointId, purpose: "webhook_secret" } as const;
}
