import type { IssueCode } from '../../domain/authorization-grant.ts';
import type { Client } from '../../projections/clients.ts';
import { sanitize } from '../refusals/sanitize.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { redirectUriProblem, settingToAllow, type RedirectUriSettings } from '../clients/redirect-uris.ts';

/**
 * Rules about authorization codes that depend on the settings and on the client's registration. They apply at the
 * authorize step and again when the code is redeemed, because either may have changed in between.
 */

export interface CodeRuleSettings extends RedirectUriSettings {
  readonly requirePkce: 'all' | 'public' | 'none';
  readonly pkceMethods: readonly ('S256' | 'plain')[];
}

export interface RuleViolation {
  readonly refusal: Refusal;
  /** In words, for the sender of the request. */
  readonly message: string;
}

type CodeClient = Pick<Client, 'clientType'>;

/** RFC 9700 §2.1: what was registered under other settings is not allowed by these. */
export function redirectUriViolation(
  uri: string,
  { clientType }: CodeClient,
  settings: RedirectUriSettings,
): RuleViolation | undefined {
  const problem = redirectUriProblem(uri, clientType, settings);
  if (problem === undefined) return undefined;
  const setting = settingToAllow(uri, clientType, settings);
  return {
    refusal: { rule: 'redirect-uri-not-allowed', uri: sanitize(uri), problem, setting },
    message: `This server does not allow the redirect_uri of the request: it ${problem}.`,
  };
}

/** RFC 7636 §4.4.1. @param challenge null: none was sent */
export function challengeViolation(
  challenge: IssueCode['codeChallenge'],
  { clientType }: CodeClient,
  settings: CodeRuleSettings,
): RuleViolation | undefined {
  const { requirePkce, pkceMethods } = settings;
  if (challenge === null) {
    if (requirePkce === 'none' || (requirePkce === 'public' && clientType !== 'public')) return undefined;
    return {
      refusal: { rule: 'code-challenge-missing', clientType, isMethodSent: false },
      message: 'code_challenge is required (PKCE, RFC 7636)',
    };
  }
  const { method } = challenge;
  if (pkceMethods.includes(method)) return undefined;
  return {
    refusal: {
      rule: 'parameter-value',
      parameter: 'code_challenge_method',
      allowed: pkceMethods,
      seen: method,
      length: method.length,
    },
    message: `code_challenge_method must be ${pkceMethods.join(' or ')}`,
  };
}

/** The first current rule that a code breaks, although it kept the rules in force when it was issued. */
export function codeViolation(
  code: Pick<IssueCode, 'redirectUri' | 'codeChallenge'>,
  client: CodeClient,
  settings: CodeRuleSettings,
): RuleViolation | undefined {
  const { redirectUri, codeChallenge } = code;
  return redirectUriViolation(redirectUri, client, settings) ?? challengeViolation(codeChallenge, client, settings);
}
