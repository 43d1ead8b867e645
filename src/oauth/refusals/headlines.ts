import type { MessageKey } from '../../language/catalog.ts';
import { message, type Message, type Text } from '../../language/message.ts';
import { durationMessage } from './duration-message.ts';
import { formatList } from './list-text.ts';
import { confidentialUseChoice } from './named-choices.ts';
import type { CertificateProblem } from '../../platform/certificates/presented-certificate.ts';
import type { Refusal, RefusalOf, RefusalRule } from './refusal.ts';
import { CREDENTIAL_HEADLINES, type Headlines } from './credential-headlines.ts';

const PROFILE_HEADLINES: Readonly<Record<RefusalOf<'profile-requires'>['what'], MessageKey>> = {
  pkce: 'headline.profile-requires.pkce',
  'https-redirect': 'headline.profile-requires.https-redirect',
  'redirect-uri': 'headline.profile-requires.redirect-uri',
  signature: 'headline.profile-requires.signature',
};
const LOGIN_REASONS: Readonly<Record<RefusalOf<'log-in-required'>['why'], MessageKey>> = {
  nobody: 'headline.log-in-required.nobody',
  'too-old': 'headline.log-in-required.too-old',
  'another-user': 'headline.log-in-required.another-user',
  'login-class': 'headline.log-in-required.login-class',
  'second-factor': 'headline.log-in-required.second-factor',
  'not-recorded': 'headline.log-in-required.not-recorded',
};
const ASSERTION_TIMES: Readonly<Record<RefusalOf<'assertion-time'>['problem'], MessageKey>> = {
  'no-expiry': 'headline.assertion-time.no-expiry',
  expired: 'headline.assertion-time.expired',
  'too-long': 'headline.assertion-time.too-long',
  'not-yet': 'headline.assertion-time.not-yet',
};
const UNPROVEN_SENDERS: Readonly<Record<RefusalOf<'sender-not-proven'>['problem'], MessageKey>> = {
  'sent-as-bearer': 'headline.sender-not-proven.sent-as-bearer',
  'proof-missing': 'headline.sender-not-proven.proof-missing',
  'another-key': 'headline.sender-not-proven.another-key',
  'certificate-missing': 'headline.sender-not-proven.certificate-missing',
  'certificate-refused': 'headline.sender-not-proven.certificate-refused',
  'another-certificate': 'headline.sender-not-proven.another-certificate',
};

const INSUFFICIENT_LOGINS: Readonly<Record<RefusalOf<'login-insufficient'>['problem'], MessageKey>> = {
  'no-user': 'headline.login-insufficient.no-user',
  'not-recorded': 'headline.login-insufficient.not-recorded',
  'too-old': 'headline.login-insufficient.too-old',
  'too-weak': 'headline.login-insufficient.too-weak',
};

const CERTIFICATE_PROBLEMS: Readonly<Record<CertificateProblem['problem'], MessageKey>> = {
  'untrusted-hop': 'headline.certificate-refused.untrusted-hop',
  malformed: 'headline.certificate-refused.malformed',
  expired: 'headline.certificate-refused.expired',
  'not-yet-valid': 'headline.certificate-refused.not-yet-valid',
  'weak-key': 'headline.certificate-refused.weak-key',
  'weak-signature': 'headline.certificate-refused.weak-signature',
};

const OBJECT_PROBLEMS: Readonly<Record<RefusalOf<'request-object-malformed'>['problem'], MessageKey>> = {
  'not-a-jwt': 'headline.request-object-malformed.not-a-jwt',
  encrypted: 'headline.request-object-malformed.encrypted',
  nested: 'headline.request-object-malformed.nested',
  critical: 'headline.request-object-malformed.critical',
};

const OBJECT_TIMES: Readonly<Record<RefusalOf<'request-object-time'>['problem'], MessageKey>> = {
  'no-expiry': 'headline.request-object-time.no-expiry',
  'no-start': 'headline.request-object-time.no-start',
  expired: 'headline.request-object-time.expired',
  'too-long': 'headline.request-object-time.too-long',
  'not-yet': 'headline.request-object-time.not-yet',
  'too-old': 'headline.request-object-time.too-old',
};

const formatFirstThree = (names: readonly string[]): Text => formatList(names.slice(0, 3));

const PROOF_TIME_HEADLINES = {
  missing: 'headline.dpop-proof-time.missing',
  old: 'headline.dpop-proof-time.past',
  future: 'headline.dpop-proof-time.future',
} as const;

/** Describes each refusal in a few words, for the title of its explanation. */
const HEADLINES: Headlines<RefusalRule> = {
  // requests
  'method-not-allowed': 'headline.method-not-allowed',
  'parameters-in-address': 'headline.parameters-in-address',
  'content-type': 'headline.content-type',
  'content-encoding': 'headline.content-encoding',
  charset: 'headline.charset',
  'body-too-large': 'headline.body-too-large',
  'body-in-pieces': 'headline.body-in-pieces',
  'body-malformed': 'headline.body-malformed',
  'too-many-parameters': 'headline.too-many-parameters',
  'parameter-repeated': ({ parameter }) =>
    parameter === null
      ? message('headline.parameter-repeated.unnamed')
      : message('headline.parameter-repeated', { parameter }),
  'parameter-not-a-string': ({ parameter }) =>
    parameter === null
      ? message('headline.parameter-not-a-string.unnamed')
      : message('headline.parameter-not-a-string', { parameter }),
  'parameter-missing': ({ parameter }) => message('headline.parameter-missing', { parameter }),
  'parameter-value': ({ parameter, seen }) =>
    seen === null
      ? message('headline.parameter-value.unseen', { parameter })
      : message('headline.parameter-value', { parameter, seen }),
  'parameter-malformed': ({ parameter }) => message('headline.parameter-malformed', { parameter }),
  'form-not-of-session': 'headline.form-not-of-session',
  'rate-limit': 'headline.rate-limit',
  overloaded: 'headline.overloaded',
  // clients
  'client-credentials-missing': 'headline.client-credentials-missing',
  'client-id-missing': 'headline.client-id-missing',
  'authorization-header': 'headline.authorization-header',
  'client-credentials-disagree': ({ differs }) =>
    message('headline.client-credentials-disagree', { parameter: differs }),
  'client-disabled': 'headline.client-disabled',
  'client-unknown': ({ isSwapped }) =>
    message(isSwapped ? 'headline.client-unknown.swapped' : 'headline.client-unknown'),
  'client-secret-missing': 'headline.client-secret-missing',
  'client-secret-unexpected': 'headline.client-secret-unexpected',
  'client-key-missing': 'headline.client-key-missing',
  'client-secret-wrong': 'headline.client-secret-wrong',
  'client-secret-ended': ({ secondsAgo }) =>
    secondsAgo === null
      ? message('headline.client-secret-ended.long-ago')
      : message('headline.client-secret-ended', { duration: durationMessage(secondsAgo) }),
  'client-method-not-allowed': ({ seen }) => message('headline.client-method-not-allowed', { method: seen }),
  'client-methods-mixed': 'headline.client-methods-mixed',
  'assertion-type': ({ seen }) =>
    message(seen === 'no assertion' ? 'headline.assertion-type.missing' : 'headline.assertion-type'),
  'assertion-malformed': 'headline.assertion-malformed',
  'assertion-too-long': 'headline.assertion-too-long',
  'assertion-issuer': ({ differs }) => message('headline.assertion-issuer', { claim: differs }),
  'assertion-client-unknown': 'headline.assertion-client-unknown',
  'assertion-algorithm': ({ seen }) => message('headline.assertion-algorithm', { seen }),
  'client-keys-unreadable': 'headline.client-keys-unreadable',
  'assertion-key-unknown': 'headline.assertion-key-unknown',
  'assertion-signature-wrong': 'headline.assertion-signature-wrong',
  'assertion-audience': ({ seen }) => message('headline.assertion-audience', { seen }),
  'assertion-time': ({ problem }) => message(ASSERTION_TIMES[problem]),
  'assertion-without-id': 'headline.assertion-without-id',
  'assertion-replayed': 'headline.assertion-replayed',
  'certificate-missing': 'headline.certificate-missing',
  'certificate-refused': ({ problem }) => message(CERTIFICATE_PROBLEMS[problem]),
  'certificate-chain': 'headline.certificate-chain',
  'certificate-subject-differs': 'headline.certificate-subject-differs',
  'certificate-key-unknown': 'headline.certificate-key-unknown',
  'client-public': ({ what }) => message('headline.client-public', { what: confidentialUseChoice(what) }),
  'client-not-registered-for': ({ grantType }) => message('headline.client-not-registered-for', { grantType }),
  // clients with a metadata document
  'client-address': 'headline.client-address',
  'client-document-not-accepted': ({ why, host }) =>
    why === 'removed'
      ? message('headline.client-document-not-accepted.removed')
      : message('headline.client-document-not-accepted', { host }),
  'client-document-unreadable': 'headline.client-document-unreadable',
  'client-document-invalid': 'headline.client-document-invalid',
  // authorization
  'redirect-uri-missing': 'headline.redirect-uri-missing',
  'redirect-uri-not-registered': 'headline.redirect-uri-not-registered',
  'redirect-uri-not-allowed': 'headline.redirect-uri-not-allowed',
  'profile-requires': ({ what }) => message(PROFILE_HEADLINES[what]),
  'code-challenge-missing': 'headline.code-challenge-missing',
  'log-in-required': ({ why }) => message(LOGIN_REASONS[why]),
  'consent-required': 'headline.consent-required',
  'interaction-required': 'headline.interaction-required',
  'login-class-unmet': ({ seen }) =>
    seen === null ? message('headline.login-class-unmet.unseen') : message('headline.login-class-unmet', { seen }),
  'hinted-user-not-logged-in': 'headline.hinted-user-not-logged-in',
  'post-logout-uri-without-client': 'headline.post-logout-uri-without-client',
  'post-logout-uri-not-registered': 'headline.post-logout-uri-not-registered',
  'hint-refused': 'headline.hint-refused',
  'parameter-not-supported': ({ parameter }) => message('headline.parameter-not-supported', { parameter }),
  denied: ({ how }) => message(how === 'refused' ? 'headline.denied.refused' : 'headline.denied.nothing-ticked'),
  'request-aged': 'headline.request-aged',
  'request-answered': 'headline.request-answered',
  'client-in-test-mode': 'headline.client-in-test-mode',
  // request objects and pushed requests
  'request-objects-mixed': 'headline.request-objects-mixed',
  'request-object-missing': 'headline.request-object-missing',
  'request-object-malformed': ({ problem }) => message(OBJECT_PROBLEMS[problem]),
  'request-object-type': ({ seen }) => message('headline.request-object-type', { seen }),
  'request-object-algorithm': ({ seen }) => message('headline.request-object-algorithm', { seen }),
  'request-object-key-unknown': 'headline.request-object-key-unknown',
  'request-object-keys-unreadable': 'headline.request-object-keys-unreadable',
  'request-object-signature-wrong': 'headline.request-object-signature-wrong',
  'request-object-claim': ({ claim }) => message('headline.request-object-claim', { claim }),
  'request-object-time': ({ problem }) => message(OBJECT_TIMES[problem]),
  'request-object-parameter': ({ parameter }) => message('headline.request-object-parameter', { parameter }),
  'request-object-contradicted': ({ parameter }) => message('headline.request-object-contradicted', { parameter }),
  'push-required': 'headline.push-required',
  'request-uri-pushed': 'headline.request-uri-pushed',
  'request-too-long': 'headline.request-too-long',
  'request-uri-unknown': 'headline.request-uri-unknown',
  'request-uri-of-another-client': 'headline.request-uri-of-another-client',
  'request-uri-expired': ({ secondsAgo }) =>
    message('headline.request-uri-expired', { duration: durationMessage(secondsAgo) }),
  'request-uri-used': 'headline.request-uri-used',
  'request-uri-not-registered': 'headline.request-uri-not-registered',
  'request-uri-unreadable': 'headline.request-uri-unreadable',
  // scopes and resources
  'scope-missing': 'headline.scope-missing',
  'scope-malformed': 'headline.scope-malformed',
  'scope-unknown': ({ unknown }) => message('headline.scope-unknown', { scope: formatFirstThree(unknown) }),
  'scope-restricted': ({ restricted }) => message('headline.scope-restricted', { scope: formatFirstThree(restricted) }),
  'scope-needs-client': ({ scope }) => message('headline.scope-needs-client', { scope }),
  'scope-needs-role': ({ scope }) => message('headline.scope-needs-role', { scope }),
  'scope-needs-login': ({ scope }) => message('headline.scope-needs-login', { scope }),
  'scope-not-granted': ({ missing }) => message('headline.scope-not-granted', { scope: formatFirstThree(missing) }),
  'scope-not-of-resource': 'headline.scope-not-of-resource',
  'scope-of-several-resources': ({ scope }) =>
    message('headline.scope-of-several-resources', { scope: formatList(scope) }),
  'resources-disagree': 'headline.resources-disagree',
  'token-algorithm-forbidden': ({ seen }) => message('headline.token-algorithm-forbidden', { algorithm: seen }),
  'too-many-resources': 'headline.too-many-resources',
  'resource-malformed': 'headline.resource-malformed',
  'resource-unknown': 'headline.resource-unknown',
  'resource-not-granted': 'headline.resource-not-granted',
  'details-malformed': 'headline.details-malformed',
  'details-type-unknown': 'headline.details-type-unknown',
  'details-type-not-allowed': 'headline.details-type-not-allowed',
  'details-schema': 'headline.details-schema',
  'details-need-consent': 'headline.details-need-consent',
  'details-not-granted': 'headline.details-not-granted',
  'details-of-other-resource': 'headline.details-of-other-resource',
  'details-none-left': 'headline.details-none-left',
  // proofs of possession
  'dpop-proof-missing': 'headline.dpop-proof-missing',
  'dpop-proof-form': ({ problem }) =>
    message(problem === 'repeated' ? 'headline.dpop-proof-form.repeated' : 'headline.dpop-proof-form'),
  'dpop-proof-algorithm': ({ seen }) => message('headline.dpop-proof-algorithm', { algorithm: seen }),
  'dpop-proof-key': ({ problem }) =>
    message(problem === 'private' ? 'headline.dpop-proof-key.private' : 'headline.dpop-proof-key'),
  'dpop-proof-signature': 'headline.dpop-proof-signature',
  'dpop-proof-method': 'headline.dpop-proof-method',
  'dpop-proof-address': 'headline.dpop-proof-address',
  'dpop-proof-time': ({ problem }) => message(PROOF_TIME_HEADLINES[problem]),
  'dpop-proof-id': 'headline.dpop-proof-id',
  'dpop-proof-token': 'headline.dpop-proof-token',
  'dpop-nonce-needed': 'headline.dpop-nonce-needed',
  'dpop-proof-replayed': 'headline.dpop-proof-replayed',
  'dpop-proofs-full': 'headline.dpop-proofs-full',
  'dpop-keys-disagree': 'headline.dpop-keys-disagree',
  ...CREDENTIAL_HEADLINES,
  // clients that register themselves
  'registration-metadata': ({ member }) => message('headline.registration-metadata', { member }),
  'registration-too-long': 'headline.registration-too-long',
  'software-statement-untrusted': 'headline.software-statement-untrusted',
  'software-statement-invalid': 'headline.software-statement-invalid',
  'registration-token-missing': 'headline.registration-token-missing',
  'registration-token-wrong': 'headline.registration-token-wrong',
  'registration-not-recorded': 'headline.registration-not-recorded',
  // tokens and policies
  'credentials-missing': 'headline.credentials-missing',
  'csrf-token-missing': 'headline.csrf-token-missing',
  'csrf-token-wrong': 'headline.csrf-token-wrong',
  'token-sent-twice': 'headline.token-sent-twice',
  'token-unknown': 'headline.token-unknown',
  'token-expired': ({ secondsAgo }) => message('headline.token-expired', { duration: durationMessage(secondsAgo) }),
  'token-key-retired': 'headline.token-key-retired',
  'token-superseded': 'headline.token-superseded',
  'token-client-disabled': 'headline.token-client-disabled',
  'token-client-removed': 'headline.token-client-removed',
  'token-for-other-resource': 'headline.token-for-other-resource',
  'token-lacks-scope': 'headline.token-lacks-scope',
  'sender-not-proven': ({ problem }) => message(UNPROVEN_SENDERS[problem]),
  'token-unbound': 'headline.token-unbound',
  'login-insufficient': ({ problem }) => message(INSUFFICIENT_LOGINS[problem]),
  'policy-forbids': ({ method }) => message('headline.policy-forbids', { method }),
};

/** Describes the refusal in a few words. */
export function headlineOf(refusal: Refusal): Message {
  // The cast is safe, because the type of `HEADLINES` ties each rule to its refusal.
  const headline = HEADLINES[refusal.rule] as MessageKey | ((refusal: Refusal) => Message);
  return typeof headline === 'string' ? message(headline) : headline(refusal);
}
