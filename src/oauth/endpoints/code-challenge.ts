import { message } from '../../language/message.ts';
import type { IssueCode } from '../../domain/authorization-grant.ts';
import type { Client } from '../../projections/clients.ts';
import { challengeViolation, type CodeRuleSettings } from '../grant-types/code-rules.ts';
import { unknownValueRefusal } from '../refusals/unknown-value.ts';
import { oauthError } from './errors.ts';
import type { Parameters } from './parameters.ts';

/**
 * The valid formats of code challenges (RFC 7636 §4.2). S256 always yields 43 base64url characters. No verifier could
 * match a challenge in any other format, such as padded base64, so the client gets the error now rather than when it
 * redeems the code. A `plain` challenge is the verifier itself, so it must have the format of a verifier.
 */
const CODE_CHALLENGES = {
  S256: { pattern: /^[\w-]{43}$/, form: message('refusal-form.hashed-challenge') },
  plain: { pattern: /^[\w.~-]{43,128}$/, form: message('refusal-form.plain-challenge') },
} as const;

/**
 * Returns the PKCE challenge of an authorization request, or null if it has none.
 * @throws OAuthError if the challenge is malformed, its method is not allowed, or it is missing although the settings,
 * the client's profile or the challenge method in the request require it
 */
export function readCodeChallenge(
  parameters: Parameters,
  client: Client,
  settings: CodeRuleSettings,
): IssueCode['codeChallenge'] {
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method') ?? 'plain'; // RFC 7636 §4.3
  if (challenge === undefined) {
    if (parameters.has('code_challenge_method')) {
      throw oauthError({ rule: 'code-challenge-missing', clientType: client.clientType, isMethodSent: true });
    }
    return requireAllowedChallenge(null, client, settings);
  }
  const allowedMethod = settings.pkceMethods.find((name) => name === method);
  if (allowedMethod === undefined)
    throw oauthError(unknownValueRefusal('code_challenge_method', method, settings.pkceMethods));
  const { pattern, form } = CODE_CHALLENGES[allowedMethod];
  if (!pattern.test(challenge)) {
    throw oauthError({ rule: 'parameter-malformed', parameter: 'code_challenge', form, length: challenge.length });
  }
  return requireAllowedChallenge({ challenge, method: allowedMethod }, client, settings);
}

function requireAllowedChallenge(
  challenge: IssueCode['codeChallenge'],
  client: Client,
  settings: CodeRuleSettings,
): IssueCode['codeChallenge'] {
  const violation = challengeViolation(challenge, client, settings);
  if (violation !== undefined) throw oauthError(violation);
  return challenge;
}
