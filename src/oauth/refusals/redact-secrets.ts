import type { Refusal } from './refusal.ts';

/** Shorter ones are words, which a refusal may have for another reason. */
const MIN_SECRET_LENGTH = 6;
/** Fields that are from closed lists. */
const CLOSED_FIELDS = ['rule', 'parameter', 'form', 'component', 'limit'];

/** The refusal without any of `secrets`, which the request may have had in a wrong place as well. */
export function redactSecrets(refusal: Refusal, secrets: readonly string[]): Refusal {
  const long = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  if (long.length === 0) return refusal;
  let had = false;
  const cleaned = JSON.parse(JSON.stringify(refusal), (key, value: unknown) => {
    if (typeof value !== 'string' || CLOSED_FIELDS.includes(key)) return value;
    const clean = long.reduce((rest, secret) => rest.replaceAll(secret, '[left out]'), value);
    had ||= clean !== value;
    return clean;
  }) as Refusal;
  return had ? cleaned : refusal; // the copy shares no text with anything, and many are kept
}
