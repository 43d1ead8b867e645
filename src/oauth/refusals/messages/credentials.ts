import type { RevocationReason } from '../../../domain/events.ts';
import type { CredentialForm } from '../credential-form.ts';
import type { PastEvent } from '../refusal.ts';
import { formatDifferences } from './clients.ts';
import { formatList, formatDuration, type MessagesFor } from '../messages.ts';

const CREDENTIAL_NAMES = { code: 'code', refresh_token: 'refresh token', 'access token': 'access token' } as const;

const REVOCATION_CAUSES: Readonly<Record<RevocationReason, string>> = {
  'code-replayed': 'because its code was presented a second time',
  'refresh-token-reused': 'because a refresh token was used a second time',
  'revoked-by-client': 'by the application itself',
  'revoked-by-resource-owner': 'by the user',
  'revoked-by-operator': 'by the operator',
};

function timeAgo(happened: PastEvent | null): string {
  return happened === null
    ? ''
    : ` ${formatDuration(happened.secondsAgo)} ago (position ${happened.position} of the log)`;
}

function describeCredential(form: CredentialForm, wanted: CredentialForm): string {
  if (form === wanted) return 'one of the right form that this server has no record of';
  if (form === 'other') return 'something that was not made here';
  return form === 'incomplete'
    ? 'a credential that was cut short or mistyped'
    : `something that looks like another kind: ${form}`;
}

/** Scopes, resource servers, codes, tokens and passwords. */
export const CREDENTIAL_MESSAGES: MessagesFor<
  | 'scope-missing'
  | 'scope-malformed'
  | 'scope-unknown'
  | 'scope-restricted'
  | 'scope-needs-role'
  | 'scope-not-granted'
  | 'too-many-resources'
  | 'resource-malformed'
  | 'resource-unknown'
  | 'resource-not-granted'
  | 'credential-unknown'
  | 'credential-of-another-client'
  | 'credential-dead'
  | 'code-expired'
  | 'code-redeemed'
  | 'grant-revoked'
  | 'user-inactive'
  | 'redirect-uri-left-out'
  | 'redirect-uri-differs'
  | 'code-verifier-missing'
  | 'code-verifier-unexpected'
  | 'code-verifier-mismatch'
  | 'password-wrong'
  | 'refresh-token-expired'
  | 'refresh-token-reused'
  | 'retry-differs'
  | 'answer-not-repeatable'
> = {
  'scope-missing': ({ grant }) => ({
    rule: `The grant ${grant} has no default scope here.`,
    expected: 'scope',
    seen: 'none',
    advice: 'Name the scopes. The operator can set defaultScopes.',
  }),
  'scope-malformed': () => ({
    rule: 'Scope names are printable ASCII, one space between them (RFC 6749 §3.3).',
    expected: 'names without quotes and backslashes',
    seen: 'another character',
    advice: 'Separate the names by spaces, not by commas or as a JSON list, and percent-encode the parameter.',
  }),
  'scope-unknown': ({ unknown, known }) => ({
    rule: 'Scopes are named as this server knows them.',
    expected: formatList(known),
    seen: formatList(unknown),
    advice: 'Ask for known scopes, in their exact spelling. The operator defines them in the setting scopes.',
  }),
  'scope-restricted': ({ restricted }) => ({
    rule: 'Some scopes are for applications that the operator allowed them.',
    expected: "the operator's permission",
    seen: formatList(restricted),
    advice: 'Ask the operator: grantlog client update ID --allow-scope SCOPE.',
  }),
  'scope-needs-role': ({ scope }) => ({
    rule: `Only auditors and administrators can lend the scope ${scope}.`,
    expected: 'a user with the role auditor or administrator',
    seen: 'a user without it',
    advice: 'Leave the scope out for other users, or ask the operator to give this one the role.',
  }),
  'scope-not-granted': ({ missing, granted }) => ({
    rule: 'A refresh may narrow the scope and never widen it (RFC 6749 §6).',
    expected: `some of: ${formatList(granted)}`,
    seen: `also ${formatList(missing)}`,
    advice: 'Leave scope out to get all that was granted; for more, send the user through authorization again.',
  }),
  'too-many-resources': ({ most, seen }) => ({
    rule: 'A request names few resource servers.',
    expected: `at most ${most}`,
    seen: String(seen),
    advice: 'Ask for several tokens, each for some of them.',
  }),
  'resource-malformed': ({ seen }) => ({
    rule: 'resource is an absolute URI without a fragment (RFC 8707 §2).',
    expected: 'such as https://api.example',
    seen,
    advice: "Send the resource server's full address.",
  }),
  'resource-unknown': ({ seen, known }) => ({
    rule: 'Tokens are restricted to resource servers that this server knows.',
    expected: formatList(known),
    seen,
    advice: 'Send one of the known ones, or have the operator add yours to the setting resources.',
  }),
  'resource-not-granted': ({ missing, granted }) => ({
    rule: 'Only resource servers that the grant is for can be asked for (RFC 8707 §2.2).',
    expected: formatList(granted),
    seen: `also ${formatList(missing)}`,
    advice: 'Name it in the authorization request already.',
  }),
  'credential-unknown': ({ parameter, form }) => ({
    rule: `${parameter} must be one that this server issued.`,
    expected: `a ${CREDENTIAL_NAMES[parameter]} as it was issued`,
    seen: describeCredential(form, parameter === 'code' ? 'authorization code' : 'refresh token'),
    advice: 'Send it whole and unchanged, decoded once from the redirect, and to the server that issued it.',
  }),
  'credential-of-another-client': ({ parameter }) => ({
    rule: `A ${CREDENTIAL_NAMES[parameter]} is its own client's alone.`,
    expected: `a ${CREDENTIAL_NAMES[parameter]} issued to this client`,
    seen: 'one of another client',
    advice:
      'Use the client_id of the authorization request. If it did not come from there, somebody may have injected it.',
  }),
  'credential-dead': ({ parameter }) => ({
    rule: `The ${CREDENTIAL_NAMES[parameter]} must be live.`,
    expected: 'a grant that still stands',
    seen: 'one that is unknown or over; more is not known, because too much was refused at once for the log to be asked',
    advice: 'Start a new authorization.',
  }),
  'code-expired': ({ secondsAgo, lifetimeSeconds }) => ({
    rule: 'A code is redeemed at once (RFC 6749 §4.1.2).',
    expected: `within ${formatDuration(lifetimeSeconds)}`,
    seen: `${formatDuration(secondsAgo)} too late`,
    advice:
      'Redeem it as soon as the redirect arrives. If it was, compare the clocks and look for a queue or a debugger in between.',
  }),
  'code-redeemed': ({ redeemed, endsGrant }) => ({
    rule: 'A code works once (RFC 6749 §4.1.2).',
    expected: 'a code not used before',
    seen: `already redeemed${timeAgo(redeemed)}`,
    advice: `${endsGrant ? 'The tokens that came of it are revoked now. ' : ''}Look for a page that is loaded twice, or a request that is retried: keep the first answer.`,
  }),
  'grant-revoked': ({ parameter, reason, revoked }) => ({
    rule: 'What was revoked stays revoked.',
    expected: 'a grant that still stands',
    seen: `the grant of this ${CREDENTIAL_NAMES[parameter]} was ended${reason === null ? '' : ` ${REVOCATION_CAUSES[reason]}`}${timeAgo(revoked)}`,
    advice: 'Start a new authorization.',
  }),
  'user-inactive': ({ parameter }) => ({
    rule: 'The grants of an account end with it.',
    expected: 'an active account',
    seen: `the user of this ${CREDENTIAL_NAMES[parameter]} was disabled or erased since`,
    advice: 'Nothing helps but another user.',
  }),
  'redirect-uri-left-out': () => ({
    rule: 'redirect_uri is sent again where the authorization request had it (RFC 6749 §4.1.3).',
    expected: 'the redirect_uri of the authorization request',
    seen: 'none',
    advice: 'Send the same redirect_uri with the code.',
  }),
  'redirect-uri-differs': ({ expected, differences }) => ({
    rule: 'redirect_uri is the same as in the authorization request, character by character (RFC 6749 §4.1.3).',
    expected: `${expected} (${formatDifferences(differences, 'expected')})`,
    seen: formatDifferences(differences, 'seen'),
    advice: 'Take both from one constant.',
  }),
  'code-verifier-missing': () => ({
    rule: 'A code that was asked for with PKCE is redeemed with it (RFC 7636 §4.5).',
    expected: 'code_verifier',
    seen: 'none',
    advice: 'Keep the verifier from the authorization request and send it with the code.',
  }),
  'code-verifier-unexpected': () => ({
    rule: 'A verifier without a challenge is refused (RFC 9700 §2.1.1).',
    expected: 'no code_verifier',
    seen: 'one, where the authorization request had no code_challenge',
    advice: 'Send code_challenge with the authorization request. If the client did, somebody took it out on the way.',
  }),
  'code-verifier-mismatch': ({ method, isChallenge }) => ({
    rule: `code_verifier must belong to the code_challenge (${method}).`,
    expected:
      method === 'S256' ? 'base64url(SHA-256(code_verifier)) = code_challenge' : 'code_verifier = code_challenge',
    seen: isChallenge ? 'the challenge itself' : 'another one',
    advice: isChallenge
      ? 'Send the verifier that the challenge was made from.'
      : "Keep one verifier for each authorization request, with its state: two tabs overwrite each other's. The hash is base64url without padding.",
  }),
  'password-wrong': () => ({
    rule: "The user's name and password must be right, and the account active.",
    expected: 'the credentials of an active account',
    seen: 'others; which part is wrong is told nobody',
    advice: 'Try them on the log-in page.',
  }),
  'refresh-token-expired': ({ secondsAgo }) => ({
    rule: 'A refresh token has an end (refreshTokenLifetimeSeconds).',
    expected: 'one that lives',
    seen: `expired ${formatDuration(secondsAgo)} ago`,
    advice: 'Start a new authorization.',
  }),
  'refresh-token-reused': ({ rotated, windowSeconds }) => ({
    rule: `A refresh token is used once; the same answer can be had again for ${formatDuration(windowSeconds)} (RFC 9700 §4.14.2).`,
    expected: 'the newest refresh token',
    seen: `one that was exchanged before${timeAgo(rotated)}`,
    advice:
      'The whole grant is revoked now. Save the new refresh token before using the answer, and let one process refresh at a time.',
  }),
  'retry-differs': ({ parameter, before }) => ({
    rule: 'A refresh that is asked for again gets the same answer.',
    expected: `${parameter}: ${formatList(before)}`,
    seen: `another ${parameter}`,
    advice: 'Retry with the same parameters, or use the newest refresh token.',
  }),
  'answer-not-repeatable': () => ({
    rule: 'A lost answer can be given again while the settings are the same.',
    expected: 'unchanged settings of the server and the client',
    seen: 'others than when the answer was first given',
    advice: 'Start a new authorization.',
  }),
};
