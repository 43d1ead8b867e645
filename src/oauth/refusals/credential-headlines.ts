import type { MessageKey } from '../../language/catalog.ts';
import { message, type Message } from '../../language/message.ts';
import { durationMessage } from './duration-message.ts';
import type { RefusalOf, RefusalRule, CredentialRefusal } from './refusal.ts';
import type { UpstreamRefusal, PasswordsOff } from './upstream-refusal.ts';
import type { IssuerRefusal } from './issuer-refusal.ts';
import { issuerUseName, modeName, checkName } from './named-choices.ts';
import type { ExchangeRefusal } from './exchange-refusal.ts';
import { formatList } from './list-text.ts';

/** The headline of a refusal, or a function that derives it from the facts. */
type HeadlineOf<Rule extends RefusalRule> = MessageKey | ((refusal: RefusalOf<Rule>) => Message);

/** The headlines for these rules. A rule without a headline fails the build. */
export type Headlines<Rule extends RefusalRule> = { readonly [Name in Rule]: HeadlineOf<Name> };

/** The value of the `credential` choice in messages, for each credential. */
const CREDENTIALS = {
  code: 'code',
  device_code: 'device_code',
  refresh_token: 'refresh_token',
  'access token': 'access_token',
};

/** The headlines for refused grant management requests (FAPI Grant Management). */
const MANAGEMENT_HEADLINES = {
  'grant-management-not-allowed': 'headline.grant-management-not-allowed',
  'grant-id-misplaced': ({ beside }: RefusalOf<'grant-id-misplaced'>) =>
    message('headline.grant-id-misplaced', { beside }),
  'grant-id-unknown': 'headline.grant-id-unknown',
  'grant-management-for-device': 'headline.grant-management-for-device',
  'merge-of-all-resources': 'headline.merge-of-all-resources',
  'merge-too-large': 'headline.merge-too-large',
  'updated-grant-ended': 'headline.updated-grant-ended',
} as const;

const ISSUER_TIMES: Readonly<Record<RefusalOf<'issuer-time'>['problem'], MessageKey>> = {
  'no-expiry': 'headline.issuer-time.no-expiry',
  expired: 'headline.issuer-time.expired',
  'too-long': 'headline.issuer-time.too-long',
  'too-old': 'headline.issuer-time.too-old',
  'not-yet': 'headline.issuer-time.not-yet',
};

/** The headlines for refused JWTs from other issuers. */
const ISSUER_HEADLINES: Headlines<IssuerRefusal['rule']> = {
  'issuer-token-malformed': ({ parameter }) => message('headline.issuer-token-malformed', { parameter }),
  'issuer-token-type': ({ parameter, seen }) => message('headline.issuer-token-type', { parameter, seen }),
  'issuer-untrusted': ({ seen }) => message('headline.issuer-untrusted', { seen }),
  'issuer-use': ({ use }) => message('headline.issuer-use', { use: issuerUseName(use) }),
  'issuer-client': 'headline.issuer-client',
  'issuer-algorithm': ({ parameter, seen }) => message('headline.issuer-algorithm', { parameter, seen }),
  'issuer-key-unknown': 'headline.issuer-key-unknown',
  'issuer-keys-unreadable': 'headline.issuer-keys-unreadable',
  'issuer-signature-wrong': ({ parameter }) => message('headline.issuer-signature-wrong', { parameter }),
  'issuer-audience': ({ parameter, seen }) => message('headline.issuer-audience', { parameter, seen }),
  'issuer-time': ({ parameter, problem }) => message(ISSUER_TIMES[problem], { parameter }),
  'issuer-claim': ({ name }) => message('headline.issuer-claim', { claim: name }),
  'issuer-subject': 'headline.issuer-subject',
  'issuer-act': ({ parameter }) => message('headline.issuer-act', { parameter }),
  'issuer-scope-beyond': 'headline.issuer-scope-beyond',
  'issuer-resource-beyond': 'headline.issuer-resource-beyond',
  'issuer-no-scope-left': 'headline.issuer-no-scope-left',
  'issuer-no-resource-left': 'headline.issuer-no-resource-left',
  'issuer-token-replayed': 'headline.issuer-token-replayed',
  'issuer-second-factor': 'headline.issuer-second-factor',
};

/** The headlines for refused token exchanges (RFC 8693). */
const EXCHANGE_HEADLINES: Headlines<ExchangeRefusal['rule']> = {
  'exchange-policy-missing': 'headline.exchange-policy-missing',
  'exchange-mode-not-allowed': ({ mode }) => message('headline.exchange-mode-not-allowed', { mode: modeName(mode) }),
  'exchange-token-type': ({ parameter }) => message('headline.exchange-token-type', { parameter }),
  'exchange-id-token': ({ parameter }) => message('headline.exchange-id-token', { parameter }),
  'exchange-may-act': 'headline.exchange-may-act',
  'exchange-chain-ended': 'headline.exchange-chain-ended',
  'exchange-type-alone': 'headline.exchange-type-alone',
  'exchange-format': 'headline.exchange-format',
  'exchange-actor-of-another-client': 'headline.exchange-actor-of-another-client',
  'exchange-actor-exchanged': 'headline.exchange-actor-exchanged',
  'exchange-actor-is-subject': 'headline.exchange-actor-is-subject',
  'exchange-actor-repeated': 'headline.exchange-actor-repeated',
  'exchange-client-repeated': 'headline.exchange-client-repeated',
  'exchange-chain-too-deep': 'headline.exchange-chain-too-deep',
  'exchange-not-bound': 'headline.exchange-not-bound',
  'exchange-second-factor': 'headline.exchange-second-factor',
  'exchange-too-many': 'headline.exchange-too-many',
  'exchange-token-ended': ({ parameter }) => message('headline.exchange-token-ended', { parameter }),
  'exchange-resource-removed': ({ parameter }) => message('headline.exchange-resource-removed', { parameter }),
  'exchange-scope-beyond': ({ missing }) =>
    message('headline.exchange-scope-beyond', { scope: formatList(missing.slice(0, 3)) }),
  'exchange-resource-beyond': 'headline.exchange-resource-beyond',
  'exchange-details-beyond': ({ limit }) => message('headline.exchange-details-beyond', { limit }),
  'exchange-no-details-left': 'headline.exchange-no-details-left',
  'exchange-no-scope-left': 'headline.exchange-no-scope-left',
  'exchange-no-resource-left': 'headline.exchange-no-resource-left',
};

/** The headlines for refused logins through providers, and for passwords while password logins are off. */
const UPSTREAM_HEADLINES: Headlines<(PasswordsOff | UpstreamRefusal)['rule']> = {
  'passwords-off': 'headline.passwords-off',
  'upstream-unavailable': ({ provider }) => message('headline.upstream-unavailable', { provider }),
  'upstream-login-unknown': 'headline.upstream-login-unknown',
  'upstream-provider-changed': ({ provider }) => message('headline.upstream-provider-changed', { provider }),
  'upstream-issuer-differs': ({ provider }) => message('headline.upstream-issuer-differs', { provider }),
  'upstream-denied': ({ provider }) => message('headline.upstream-denied', { provider }),
  'upstream-code-refused': ({ provider }) => message('headline.upstream-code-refused', { provider }),
  'upstream-token-invalid': ({ provider, check }) =>
    message('headline.upstream-token-invalid', { provider, check: checkName(check) }),
  'upstream-login-too-old': ({ provider }) => message('headline.upstream-login-too-old', { provider }),
  'upstream-user-unknown': ({ provider }) => message('headline.upstream-user-unknown', { provider }),
  'upstream-user-inactive': ({ provider }) => message('headline.upstream-user-inactive', { provider }),
  'upstream-linked-elsewhere': ({ provider }) => message('headline.upstream-linked-elsewhere', { provider }),
};

/** The headlines for refused codes, tokens and passwords, grant management, exchanges, and logins through providers. */
export const CREDENTIAL_HEADLINES: Headlines<(CredentialRefusal | UpstreamRefusal)['rule']> = {
  'credential-unknown': ({ parameter }) =>
    message('headline.credential-unknown', { credential: CREDENTIALS[parameter] }),
  'credential-of-another-client': ({ parameter }) =>
    message('headline.credential-of-another-client', { credential: CREDENTIALS[parameter] }),
  'credential-dead': ({ parameter }) => message('headline.credential-dead', { credential: CREDENTIALS[parameter] }),
  'code-expired': ({ secondsAgo }) => message('headline.code-expired', { duration: durationMessage(secondsAgo) }),
  'code-redeemed': ({ parameter }) => message('headline.code-redeemed', { credential: parameter }),
  'device-pending': 'headline.device-pending',
  'device-polls-too-fast': ({ intervalSeconds }) =>
    message('headline.device-polls-too-fast', { duration: durationMessage(intervalSeconds) }),
  'device-code-expired': ({ secondsAgo }) =>
    message('headline.device-code-expired', { duration: durationMessage(secondsAgo) }),
  'device-denied': 'headline.device-denied',
  'devices-full': 'headline.devices-full',
  ...MANAGEMENT_HEADLINES,
  ...ISSUER_HEADLINES,
  ...EXCHANGE_HEADLINES,
  'grant-revoked': ({ parameter }) => message('headline.grant-revoked', { credential: CREDENTIALS[parameter] }),
  'session-ended': ({ parameter }) => message('headline.session-ended', { credential: CREDENTIALS[parameter] }),
  'user-inactive': ({ parameter }) => message('headline.user-inactive', { credential: CREDENTIALS[parameter] }),
  'redirect-uri-left-out': 'headline.redirect-uri-left-out',
  'redirect-uri-differs': 'headline.redirect-uri-differs',
  'code-verifier-missing': 'headline.code-verifier-missing',
  'code-verifier-unexpected': 'headline.code-verifier-unexpected',
  'code-verifier-mismatch': 'headline.code-verifier-mismatch',
  'second-factor-needed': 'headline.second-factor-needed',
  'password-wrong': 'headline.password-wrong',
  ...UPSTREAM_HEADLINES,
  'refresh-token-expired': ({ secondsAgo }) =>
    message('headline.refresh-token-expired', { duration: durationMessage(secondsAgo) }),
  'refresh-token-reused': 'headline.refresh-token-reused',
  'retry-differs': ({ parameter }) => message('headline.retry-differs', { parameter }),
  'retry-key-differs': 'headline.retry-key-differs',
  'credential-bound-to-key': ({ parameter }) =>
    message('headline.credential-bound-to-key', { credential: CREDENTIALS[parameter] }),
  'answer-not-repeatable': 'headline.answer-not-repeatable',
};
