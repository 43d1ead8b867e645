import { OAuthError } from './errors.ts';

/** A request's parameters: each at most once, none empty (RFC 6749 §3.1, §3.2). */
export type Parameters = ReadonlyMap<string, string>;

/** @throws OAuthError `invalid_request` when it is missing */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`);
  return value;
}
