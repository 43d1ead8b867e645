import { formatDuration, formatList } from './messages.ts';
import type { CertificateProblem } from '../../platform/certificates/presented-certificate.ts';
import { MANAGEMENT_HEADLINES } from './management-headlines.ts';
import { EXCHANGE_HEADLINES } from './exchange-headlines.ts';
import { ISSUER_HEADLINES } from './issuer-headlines.ts';
import type { Refusal, RefusalOf, RefusalRule } from './refusal.ts';

type HeadlineOf<Rule extends RefusalRule> = string | ((refusal: RefusalOf<Rule>) => string);

const CREDENTIALS = {
  code: 'authorization code',
  device_code: 'device code',
  refresh_token: 'refresh token',
  'access token': 'access token',
};
const PROFILE_HEADLINES: Readonly<Record<RefusalOf<'profile-requires'>['what'], string>> = {
  pkce: 'FAPI 2.0 requires PKCE with S256',
  'https-redirect': 'FAPI 2.0 requires a redirect URI with https',
  'redirect-uri': 'FAPI 2.0 requires redirect_uri',
  signature: 'FAPI 2.0 requires another algorithm of the client assertion',
};
const NOBODY_LOGGED_IN: Readonly<Record<RefusalOf<'log-in-required'>['why'], string>> = {
  nobody: 'Nobody is logged in, and prompt=none allows no login page',
  'too-old': 'The login is too old, and prompt=none allows no login page',
  'another-user': 'Another user is logged in, and prompt=none allows no login page',
  'login-class': 'The login is of another class, and prompt=none allows no login page',
  'second-factor': 'The login has no second factor, and prompt=none allows no page',
  'not-recorded': 'The kind of login is not recorded, and prompt=none allows no login page',
};
const ASSERTION_TIMES: Readonly<Record<RefusalOf<'assertion-time'>['problem'], string>> = {
  'no-expiry': 'The client assertion never expires',
  expired: 'The client assertion has expired',
  'too-long': 'The client assertion is valid for too long',
  'not-yet': 'The client assertion is from the future',
};
const UNPROVEN_SENDERS: Readonly<Record<RefusalOf<'sender-not-proven'>['problem'], string>> = {
  'sent-as-bearer': 'A token that is bound to a key was sent as a bearer token',
  'proof-missing': 'A token that is bound to a key was sent without a proof',
  'another-key': 'The access token is bound to another key',
  'certificate-missing': 'A token that is bound to a certificate was sent without one',
  'certificate-refused': 'The certificate of the request cannot be accepted',
  'another-certificate': 'The access token is bound to another certificate',
};

const INSUFFICIENT_LOGINS: Readonly<Record<RefusalOf<'login-insufficient'>['problem'], string>> = {
  'no-user': 'A login is required, and the token is of no user',
  'not-recorded': 'The login behind the token is not recorded',
  'too-old': 'The login behind the token is too old',
  'too-weak': 'The login behind the token is too weak',
};

const OBJECT_PROBLEMS: Readonly<Record<RefusalOf<'request-object-malformed'>['problem'], string>> = {
  'not-a-jwt': 'The request object cannot be read',
  encrypted: 'The request object is encrypted',
  nested: 'The request object contains another one',
  critical: 'The request object demands an extension',
};

const OBJECT_TIMES: Readonly<Record<RefusalOf<'request-object-time'>['problem'], string>> = {
  'no-expiry': 'The request object never expires',
  'no-start': 'The request object does not state when it begins',
  expired: 'The request object has expired',
  'too-long': 'The request object is valid for too long',
  'not-yet': 'The request object is from the future',
  'too-old': 'The request object is too old',
};

/** The refusal in a few words, for the title of an explanation. A rule without a headline fails the build. */
const CERTIFICATE_PROBLEMS: Readonly<Record<CertificateProblem['problem'], string>> = {
  'untrusted-hop': 'A client certificate from an address that is not trusted',
  malformed: 'The client certificate cannot be read',
  expired: 'The client certificate has expired',
  'not-yet-valid': 'The client certificate is not valid yet',
  'weak-key': 'The key of the client certificate is too weak',
  'weak-signature': 'The signature of the client certificate is too weak',
};

const HEADLINES: { readonly [Rule in RefusalRule]: HeadlineOf<Rule> } = {
  // requests
  'method-not-allowed': 'The wrong HTTP method',
  'parameters-in-address': 'Parameters in the query instead of the body',
  'content-type': 'Unsupported Content-Type',
  'content-encoding': 'The body is compressed',
  charset: 'The text is not UTF-8',
  'body-too-large': 'The body is too large',
  'body-in-pieces': 'The body arrived in too many pieces',
  'body-malformed': 'The body cannot be read',
  'too-many-parameters': 'Too many parameters',
  'parameter-repeated': ({ parameter }) => `Repeated ${parameter ?? 'parameter'}`,
  'parameter-not-a-string': ({ parameter }) => `${parameter ?? 'A parameter'} is not a string`,
  'parameter-missing': ({ parameter }) => `Missing ${parameter}`,
  'parameter-value': ({ parameter, seen }) => `Unsupported ${parameter}${seen === null ? '' : `: ${seen}`}`,
  'parameter-malformed': ({ parameter }) => `Malformed ${parameter}`,
  'form-not-of-session': 'The form is of another session',
  'rate-limit': 'Too many requests',
  overloaded: 'The server was too busy to check a password',
  // clients
  'client-credentials-missing': 'No client credentials',
  'client-id-missing': 'No client ID',
  'authorization-header': 'The Authorization header cannot be read',
  'client-credentials-disagree': ({ differs }) => `Two different values of ${differs}`,
  'client-unknown': ({ isSwapped }) => (isSwapped ? 'Client ID and secret are swapped' : 'Unknown client ID'),
  'client-secret-missing': 'No client secret',
  'client-secret-unexpected': 'A client secret from a public application',
  'client-key-missing': 'The client secret cannot be checked',
  'client-secret-wrong': 'Wrong client secret',
  'client-secret-ended': ({ secondsAgo }) =>
    secondsAgo === null ? 'An old client secret' : `A client secret that ended ${formatDuration(secondsAgo)} ago`,
  'client-method-not-allowed': ({ seen }) => `The application may not authenticate with ${seen}`,
  'client-methods-mixed': 'Two ways of authentication in one request',
  'assertion-type': ({ seen }) =>
    seen === 'no assertion' ? 'No client assertion' : 'Unsupported client_assertion_type',
  'assertion-malformed': 'The client assertion cannot be read',
  'assertion-too-long': 'The client assertion is too long',
  'assertion-issuer': ({ differs }) => `The client assertion is about another ${differs}`,
  'assertion-client-unknown': 'The client assertion is of an unknown client',
  'assertion-algorithm': ({ seen }) => `Unsupported algorithm of the client assertion: ${seen}`,
  'client-keys-unreadable': 'The keys of the application could not be read',
  'assertion-key-unknown': 'The key of the client assertion is not registered',
  'assertion-signature-wrong': 'Wrong signature of the client assertion',
  'assertion-audience': ({ seen }) => `The client assertion is for another audience: ${seen}`,
  'assertion-time': ({ problem }) => ASSERTION_TIMES[problem],
  'assertion-without-id': 'The client assertion has no usable jti',
  'assertion-replayed': 'The client assertion was used before',
  'certificate-missing': 'No client certificate',
  'certificate-refused': ({ problem }) => CERTIFICATE_PROBLEMS[problem],
  'certificate-chain': 'The client certificate is from another chain',
  'certificate-subject-differs': 'The client certificate has another subject',
  'certificate-key-unknown': 'The key of the client certificate is not registered',
  'client-public': ({ what }) => `A public application cannot use ${what}`,
  'client-not-registered-for': ({ grantType }) => `The application is not registered for ${grantType}`,
  // clients that describe themselves
  'client-address': 'The client ID is an address that cannot be used',
  'client-document-not-accepted': ({ host }) => `Applications of ${host} are not accepted`,
  'client-document-unreadable': 'The description of the application cannot be fetched',
  'client-document-invalid': 'The description of the application cannot be used',
  // authorization
  'redirect-uri-missing': 'Missing redirect_uri',
  'redirect-uri-not-registered': 'The redirect_uri is not registered',
  'redirect-uri-not-allowed': 'The settings no longer allow this redirect_uri',
  'profile-requires': ({ what }) => PROFILE_HEADLINES[what],
  'code-challenge-missing': 'Missing code_challenge (PKCE)',
  'log-in-required': ({ why }) => NOBODY_LOGGED_IN[why],
  'consent-required': 'The user has not authorized this request yet',
  'interaction-required': 'The user has to confirm each request of this application',
  'login-class-unmet': ({ seen }) => `The login does not meet acr_values${seen === null ? '' : `: ${seen}`}`,
  'hinted-user-not-logged-in': 'Another user logged in than the request names',
  'post-logout-uri-without-client': 'post_logout_redirect_uri without an application',
  'post-logout-uri-not-registered': 'The post_logout_redirect_uri is not registered',
  'hint-refused': 'Unusable id_token_hint',
  'parameter-not-supported': ({ parameter }) => `Unsupported parameter ${parameter}`,
  denied: ({ how }) => (how === 'refused' ? 'The user declined' : 'The user unticked every permission'),
  'request-aged': 'The consent form was too old',
  'request-answered': 'The consent form was already answered',
  'client-in-test-mode': 'The application is in test mode',
  // request objects and pushed requests
  'request-objects-mixed': 'Both request and request_uri',
  'request-object-missing': 'The request is not signed',
  'request-object-malformed': ({ problem }) => OBJECT_PROBLEMS[problem],
  'request-object-type': ({ seen }) => `Unsupported type of the request object: ${seen}`,
  'request-object-algorithm': ({ seen }) => `Unsupported algorithm of the request object: ${seen}`,
  'request-object-key-unknown': 'The key of the request object is not registered',
  'request-object-keys-unreadable': 'The keys of the application cannot be fetched',
  'request-object-signature-wrong': 'Wrong signature of the request object',
  'request-object-claim': ({ claim }) => `Wrong ${claim} in the request object`,
  'request-object-time': ({ problem }) => OBJECT_TIMES[problem],
  'request-object-parameter': ({ parameter }) => `Malformed ${parameter} in the request object`,
  'request-object-contradicted': ({ parameter }) => `Two different values of ${parameter}`,
  'push-required': 'The request was not pushed',
  'request-uri-pushed': 'A request_uri in a pushed request',
  'request-too-long': 'The request is too long to be pushed',
  'request-uri-unknown': 'Unknown request_uri',
  'request-uri-of-another-client': 'The request_uri of another application',
  'request-uri-expired': ({ secondsAgo }) => `The request_uri expired ${formatDuration(secondsAgo)} ago`,
  'request-uri-used': 'The request_uri was already used',
  'request-uri-not-registered': 'The request_uri is not registered',
  'request-uri-unreadable': 'The request object cannot be fetched',
  // scopes and resources
  'scope-missing': 'Missing scope',
  'scope-malformed': 'Malformed scope',
  'scope-unknown': ({ unknown }) => `Unknown scope: ${formatList(unknown.slice(0, 3))}`,
  'scope-restricted': ({ restricted }) => `Restricted scope: ${formatList(restricted.slice(0, 3))}`,
  'scope-needs-role': ({ scope }) => `The user cannot delegate the scope ${scope}`,
  'scope-needs-login': ({ scope }) => `The scope ${scope} needs a user who logs in`,
  'scope-not-granted': ({ missing }) => `More scope than was granted: ${formatList(missing.slice(0, 3))}`,
  'scope-not-of-resource': 'Scope that the resource server does not define',
  'scope-of-several-resources': ({ scope }) => `Several resource servers define the scope ${formatList(scope)}`,
  'resources-disagree': 'Resource servers that need different tokens',
  'token-algorithm-forbidden': ({ seen }) => `FAPI 2.0 forbids access tokens signed with ${seen}`,
  'too-many-resources': 'Too many resource parameters',
  'resource-malformed': 'Malformed resource',
  'resource-unknown': 'Unknown resource server',
  'resource-not-granted': 'A resource server that was not granted',
  'details-malformed': 'Authorization details that cannot be read',
  'details-type-unknown': 'An unknown type of authorization details',
  'details-type-not-allowed': 'A type of authorization details that the application is not registered for',
  'details-schema': 'Authorization details that violate their schema',
  'details-need-consent': 'Authorization details without a page for consent',
  'details-not-granted': 'More authorization details than were granted',
  'details-of-other-resource': 'Authorization details of another resource server',
  'details-none-left': 'No authorization details are left',
  // proofs of possession
  'dpop-proof-missing': 'No DPoP proof',
  'dpop-proof-form': ({ problem }) => (problem === 'repeated' ? 'Two DPoP proofs' : 'The DPoP proof cannot be read'),
  'dpop-proof-algorithm': ({ seen }) => `A DPoP proof signed with ${seen}`,
  'dpop-proof-key': ({ problem }) =>
    problem === 'private' ? 'A private key in a DPoP proof' : 'The key of the DPoP proof cannot be used',
  'dpop-proof-signature': 'The signature of the DPoP proof is wrong',
  'dpop-proof-method': 'A DPoP proof for another method',
  'dpop-proof-address': 'A DPoP proof for another address',
  'dpop-proof-time': ({ problem }) =>
    problem === 'future' ? 'The DPoP proof is from the future' : 'The DPoP proof is too old',
  'dpop-proof-id': 'The DPoP proof has no usable id',
  'dpop-proof-token': 'A DPoP proof for another access token',
  'dpop-nonce-needed': 'The DPoP proof needs a nonce of this server',
  'dpop-proof-replayed': 'A DPoP proof was used twice',
  'dpop-proofs-full': 'Too many DPoP proofs at once',
  'dpop-keys-disagree': 'dpop_jkt is not the key of the DPoP proof',
  // credentials
  'credential-unknown': ({ parameter }) => `Unknown ${CREDENTIALS[parameter]}`,
  'credential-of-another-client': ({ parameter }) => `The ${CREDENTIALS[parameter]} of another application`,
  'credential-dead': ({ parameter }) => `The ${CREDENTIALS[parameter]} is no longer valid`,
  'code-expired': ({ secondsAgo }) => `The authorization code expired ${formatDuration(secondsAgo)} ago`,
  'code-redeemed': ({ parameter }) =>
    `The ${parameter === 'code' ? 'authorization code' : 'device code'} was already used`,
  'device-pending': 'The user has not approved the device yet',
  'device-polls-too-fast': ({ intervalSeconds }) => `The device asked again within ${formatDuration(intervalSeconds)}`,
  'device-code-expired': ({ secondsAgo }) => `The device code expired ${formatDuration(secondsAgo)} ago`,
  'device-denied': 'The user denied the request of the device',
  'devices-full': 'Too many devices are waiting for approval',
  ...MANAGEMENT_HEADLINES,
  ...ISSUER_HEADLINES,
  ...EXCHANGE_HEADLINES,
  // programs that register themselves
  'registration-metadata': ({ member }) => `Invalid ${member}`,
  'registration-too-long': 'The registration is too long',
  'software-statement-untrusted': 'The issuer of the software statement is not trusted',
  'software-statement-invalid': 'The software statement is not valid',
  'registration-token-missing': 'No registration access token',
  'registration-token-wrong': 'Wrong registration access token',
  'registration-not-recorded': 'Nobody has authorized the application yet',
  'grant-revoked': ({ parameter }) => `The grant of the ${CREDENTIALS[parameter]} was revoked`,
  'session-ended': ({ parameter }) => `The session of the ${CREDENTIALS[parameter]} has ended`,
  'user-inactive': ({ parameter }) => `The account behind the ${CREDENTIALS[parameter]} is disabled or erased`,
  'redirect-uri-left-out': 'Missing redirect_uri in the token request',
  'redirect-uri-differs': 'Another redirect_uri than in the authorization request',
  'code-verifier-missing': 'Missing code_verifier (PKCE)',
  'code-verifier-unexpected': 'A code_verifier for a code without PKCE',
  'code-verifier-mismatch': 'The code_verifier does not match the code_challenge',
  'second-factor-needed': 'This login needs a second factor',
  'password-wrong': 'Wrong user name or password',
  'refresh-token-expired': ({ secondsAgo }) => `The refresh token expired ${formatDuration(secondsAgo)} ago`,
  'refresh-token-reused': 'A refresh token was used twice',
  'retry-differs': ({ parameter }) => `A retried refresh with another ${parameter}`,
  'retry-key-differs': 'A retried refresh with another key',
  'credential-bound-to-key': ({ parameter }) => `The ${CREDENTIALS[parameter]} of another key`,
  'answer-not-repeatable': 'A retried refresh under other settings',
  // tokens and policies
  'credentials-missing': 'No access token',
  'csrf-token-missing': 'Missing CSRF token',
  'csrf-token-wrong': 'Wrong CSRF token',
  'token-sent-twice': 'The access token was sent twice',
  'token-unknown': 'Unknown access token',
  'token-expired': ({ secondsAgo }) => `The access token expired ${formatDuration(secondsAgo)} ago`,
  'token-key-retired': 'The key of the access token was retired',
  'token-superseded': 'A refresh has replaced the access token',
  'token-client-removed': 'The application was deleted',
  'token-for-other-resource': 'The access token is for another resource server',
  'token-lacks-scope': 'The access token lacks a scope',
  'sender-not-proven': ({ problem }) => UNPROVEN_SENDERS[problem],
  'token-unbound': 'The access token is bound to no key or certificate',
  'login-insufficient': ({ problem }) => INSUFFICIENT_LOGINS[problem],
  'policy-forbids': ({ method }) => `${method} is not allowed for this caller`,
};

export function headlineOf(refusal: Refusal): string {
  // The type of the table ties each rule to its refusal.
  const headline = HEADLINES[refusal.rule] as string | ((refused: Refusal) => string);
  return typeof headline === 'string' ? headline : headline(refusal);
}
