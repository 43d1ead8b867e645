import type { IssueCode } from '../../domain/authorization-grant.ts';
import { effectiveSecurity, type ClientSecurityInput } from '../../domain/security-profile.ts';
import { sanitize } from '../refusals/sanitize.ts';
import { wireError, type ProtocolRefusal } from '../refusals/refusal-messages.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { redirectUriProblem, settingToAllow, type RedirectUriSettings } from '../clients/redirect-uris.ts';
import { message, type Message, type Text } from '../../language/message.ts';

// Rules for authorization codes that depend on the settings and on the client's registration. They are applied to the
// authorization request and again when the code is redeemed, because the settings or the registration may have changed
// in the meantime.

export interface CodeRuleSettings extends RedirectUriSettings {
  readonly requirePkce: 'all' | 'public' | 'none';
  readonly pkceMethods: readonly ('S256' | 'plain')[];
}

export interface RuleViolation {
  readonly refusal: Refusal;
  /** The message for the caller. */
  readonly message: Message;
}

/** A violation that is reported in English only. */
interface CodeViolation {
  readonly refusal: Refusal;
  readonly message: Text;
}

type CodeClient = ClientSecurityInput;

/**
 * Returns why the settings do not allow the redirect URI (RFC 9700 §2.1), or undefined if they do. A URI that was
 * registered under other settings may no longer be allowed.
 */
export function redirectUriViolation(
  uri: string,
  { clientType }: Pick<CodeClient, 'clientType'>,
  settings: RedirectUriSettings,
): RuleViolation | undefined {
  const problem = redirectUriProblem(uri, clientType, settings);
  if (problem === undefined) return undefined;
  const setting = settingToAllow(uri, clientType, settings);
  return {
    refusal: { rule: 'redirect-uri-not-allowed', uri: sanitize(uri), problem, setting },
    message: message('unusable.forbidden-redirect-uri', { problem }),
  };
}

/**
 * Returns why no response can be sent to a redirect URI, or undefined if one can. The client's security profile may
 * allow fewer URIs than the settings.
 * @param isExplicit whether the request contained the URI; otherwise, it is the client's only redirect URI
 */
export function responseUriViolation(
  uri: string,
  client: CodeClient,
  settings: RedirectUriSettings,
  isExplicit = true,
): RuleViolation | undefined {
  const compliesWithProfile = uri.startsWith('https:') && isExplicit;
  if (compliesWithProfile || effectiveSecurity(client, {}).allowsLoopbackRedirects)
    return redirectUriViolation(uri, client, settings);
  const what = isExplicit ? 'https-redirect' : 'redirect-uri';
  const refusal = { rule: 'profile-requires', what, seen: isExplicit ? sanitize(uri) : null } as const;
  return {
    refusal,
    message: message(isExplicit ? 'unusable.profile-https-redirect' : 'unusable.profile-redirect-uri'),
  };
}

/**
 * Returns the refusal if a required challenge is missing or its method is not allowed (RFC 7636 §4.4.1), and
 * undefined otherwise.
 * @param challenge null if none was sent
 */
export function challengeViolation(
  challenge: IssueCode['codeChallenge'],
  client: CodeClient,
  settings: CodeRuleSettings,
): ProtocolRefusal | undefined {
  const { clientType } = client;
  const { requirePkce, pkceMethods } = settings;
  if (challenge?.method !== 'S256' && effectiveSecurity(client, {}).s256 !== null)
    return { rule: 'profile-requires', what: 'pkce', seen: challenge?.method ?? null };
  if (challenge === null) {
    if (requirePkce === 'none' || (requirePkce === 'public' && clientType !== 'public')) return undefined;
    return { rule: 'code-challenge-missing', clientType, isMethodSent: false };
  }
  const { method } = challenge;
  if (pkceMethods.includes(method)) return undefined;
  return {
    rule: 'parameter-value',
    parameter: 'code_challenge_method',
    allowed: pkceMethods,
    seen: method,
    length: method.length,
  };
}

/**
 * Returns why a code that complied with the rules when it was issued violates a current rule, or undefined if it still
 * complies.
 */
export function codeViolation(
  code: Pick<IssueCode, 'redirectUri' | 'codeChallenge'>,
  client: CodeClient,
  settings: CodeRuleSettings,
): CodeViolation | undefined {
  const { redirectUri, codeChallenge } = code;
  const violation = responseUriViolation(redirectUri, client, settings);
  if (violation !== undefined) return violation;
  const refusal = challengeViolation(codeChallenge, client, settings);
  return refusal === undefined ? undefined : { refusal, message: wireError(refusal).description };
}
