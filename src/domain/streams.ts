import type { Revision, ObservedRevision, StreamName } from '../event-store/event-log.ts';
import type { ClientId, GrantId, ProviderId } from './values.ts';

// The names of the streams. Each stream contains the events of one entity that must change atomically.

export const grantStream = (id: GrantId): StreamName => `grant-${id}`;
export const clientStream = (id: ClientId): StreamName => `client-${id}`;
/** `nameHash` is keyed, so that the log alone does not reveal who has an account. */
export const userStream = (nameHash: string): StreamName => `user-${nameHash}`;
export const groupStream = (nameHash: string): StreamName => `group-${nameHash}`;
/** `uriHash` is the SHA-256 of the URI, so that a URI cannot be registered twice. */
export const resourceStream = (uriHash: string): StreamName => `resource-${uriHash}`;
/** `pairHash` is the SHA-256 of the two client ids, so that each pair has one policy. */
export const exchangePolicyStream = (pairHash: string): StreamName => `exchange-${pairHash}`;
/** `issuerHash` is the SHA-256 of the issuer, so that each issuer has one registration. */
export const trustedIssuerStream = (issuerHash: string): StreamName => `issuer-${issuerHash}`;
export const providerStream = (id: ProviderId): StreamName => `provider-${id}`;
/** `subjectHash` is keyed, so that the log alone does not reveal which accounts at providers belong to users. */
export const upstreamAccountStream = (subjectHash: string): StreamName => `upstream-${subjectHash}`;
export const invitationStream = (hash: string): StreamName => `invitation-${hash}`;
export const sessionStream = (sessionHash: string): StreamName => `session-${sessionHash}`;

/** `nameHash` is keyed, so that the log does not reveal the ids that clients choose for their assertions. */
export const assertionStream = (nameHash: string): StreamName => `assertion-${nameHash}`;

/** Corrections to the server's clock. */
export const CLOCK_STREAM: StreamName = 'clock';

/** The domains whose clients are allowed or blocked. */
export const CLIENT_DOMAINS_STREAM: StreamName = 'domains';

/** Changes to settings while the server is running. */
export const SETTINGS_STREAM: StreamName = 'settings';

/** The keys that sign tokens. */
export const SIGNING_KEYS_STREAM: StreamName = 'signing-keys';

/** Reports whether the stream belongs to a grant or a session. The names of such streams are never reused. */
export const isNeverReused = (stream: StreamName): boolean =>
  stream.startsWith('grant-') || stream.startsWith('session-');

interface ClientRevision {
  readonly clientId: ClientId;
  readonly revision: Revision;
}

interface ResourceRevision {
  readonly resourceId: string;
  readonly revision: Revision;
}

interface ProviderRevision {
  readonly providerId: ProviderId;
  readonly revision: Revision;
}

interface LinkRevision {
  readonly subjectHash: string;
  readonly revision: Revision;
}

interface ExchangePolicyRevision {
  readonly policyId: string;
  readonly revision: Revision;
}

interface TrustedIssuerRevision {
  readonly issuerId: string;
  readonly revision: Revision;
}

// These functions return the revision that an entity was read at, for decisions that are outdated once it changes.

export const observedAccount = ({ stream, revision }: ObservedRevision): ObservedRevision => ({ stream, revision });
export const observedGroup = observedAccount;
export const observedClient = ({ clientId, revision }: ClientRevision): ObservedRevision => ({
  stream: clientStream(clientId),
  revision,
});
export const observedResource = ({ resourceId, revision }: ResourceRevision): ObservedRevision => ({
  stream: resourceStream(resourceId),
  revision,
});
export const observedExchangePolicy = ({ policyId, revision }: ExchangePolicyRevision): ObservedRevision => ({
  stream: exchangePolicyStream(policyId),
  revision,
});
export const observedTrustedIssuer = ({ issuerId, revision }: TrustedIssuerRevision): ObservedRevision => ({
  stream: trustedIssuerStream(issuerId),
  revision,
});
export const observedProvider = ({ providerId, revision }: ProviderRevision): ObservedRevision => ({
  stream: providerStream(providerId),
  revision,
});
export const observedLink = ({ subjectHash, revision }: LinkRevision): ObservedRevision => ({
  stream: upstreamAccountStream(subjectHash),
  revision,
});
