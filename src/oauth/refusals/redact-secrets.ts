import type { Refusal } from './refusal.ts';

/** Shorter secrets are left in: they could be ordinary words in the refusal. */
const MIN_SECRET_LENGTH = 6;
/** Fields whose values come from closed lists. */
const CLOSED_FIELDS = ['rule', 'parameter', 'form', 'component', 'limit'];

/** Returns the refusal without `secrets`, because a client may have sent a secret in the wrong parameter. */
export function redactSecrets(refusal: Refusal, secrets: readonly string[]): Refusal {
  const redactableSecrets = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  if (redactableSecrets.length === 0) return refusal;
  let isChanged = false;
  const redactedRefusal = JSON.parse(JSON.stringify(refusal), (key, value: unknown) => {
    if (typeof value !== 'string' || CLOSED_FIELDS.includes(key)) return value;
    const redactedValue = redactableSecrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), value);
    isChanged ||= redactedValue !== value;
    return redactedValue;
  }) as Refusal;
  return isChanged ? redactedRefusal : refusal; // the original shares its strings, so a copy would take more memory
}
