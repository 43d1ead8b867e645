import type { Refusal } from './refusal.ts';

/** Shorter ones are words, which a refusal may have for another reason. */
const SHORTEST_SECRET = 6;
/** Fields that are from closed lists. */
const CLOSED = ['rule', 'parameter', 'form', 'component', 'limit'];

/** The refusal without any of `secrets`, which the request may have had in a wrong place as well. */
export function withoutSecrets(refusal: Refusal, secrets: readonly string[]): Refusal {
  const long = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  if (long.length === 0) return refusal;
  const clean = (text: string): string => long.reduce((rest, secret) => rest.replaceAll(secret, '[left out]'), text);
  return JSON.parse(JSON.stringify(refusal), (key, value: unknown) => (typeof value === 'string' && !CLOSED.includes(key) ? clean(value) : value)) as Refusal;
}
