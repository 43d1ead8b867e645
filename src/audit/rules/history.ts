import type { RecordedEvent, Revision, StreamName } from '../../event-store/event-log.ts';
import { createAccessTokenHistory, type AccessTokenHistory } from './history/access-tokens.ts';
import { createClockHistory, type ClockHistory } from './history/clock.ts';
import { createClientDomainHistory, type ClientDomainHistory } from './history/client-domains.ts';
import { createClientHistory, type ClientHistory } from './history/clients.ts';
import { createExchangePolicyHistory, type ExchangePolicyHistory } from './history/exchange-policies.ts';
import { createExchangeHistory, type ExchangeHistory } from './history/exchanges.ts';
import { createFingerprints, type Fingerprints } from './history/fingerprints.ts';
import { createGrantHistory, type GrantHistory } from './history/grants.ts';
import { createGroupHistory, type GroupHistory } from './history/groups.ts';
import { createGrantUpdateHistory, type GrantUpdateHistory } from './history/grant-updates.ts';
import { createInvitationHistory, type InvitationHistory } from './history/invitations.ts';
import { createLogoutHistory, type LogoutHistory } from './history/logouts.ts';
import { createResourceHistory, type ResourceHistory } from './history/resources.ts';
import { createSecondFactorHistory, type SecondFactorHistory } from './history/second-factors.ts';
import { createSessionHistory, type SessionHistory } from './history/sessions.ts';
import { createSettingHistory, type SettingHistory } from './history/settings.ts';
import { createSigningKeyHistory, type SigningKeyHistory } from './history/signing-keys.ts';
import { createTrustedIssuerHistory, type TrustedIssuerHistory } from './history/trusted-issuers.ts';
import { createUpstreamHistory, type UpstreamHistory } from './history/upstream.ts';
import { createUserHistory, type UserHistory } from './history/users.ts';
import type { AuditedEvent } from './audited-event.ts';

/**
 * The facts about earlier events that the rules need. They are derived from the events alone, so a mistake in a decider
 * or projection is not repeated here. The history also accepts invalid logs, and grows with the number of streams and
 * of issued credentials.
 */
export interface History {
  /** Returns the previous event, or undefined before the first one. */
  readonly previous: () => Pick<RecordedEvent, 'position' | 'recordedAt'> | undefined;
  readonly revisions: ReadonlyMap<StreamName, Revision>;
  readonly grants: GrantHistory;
  readonly accessTokens: AccessTokenHistory;
  readonly grantUpdates: GrantUpdateHistory;
  readonly exchanges: ExchangeHistory;
  readonly clients: ClientHistory;
  readonly clientDomains: ClientDomainHistory;
  readonly users: UserHistory;
  readonly sessions: SessionHistory;
  readonly secondFactors: SecondFactorHistory;
  readonly logouts: LogoutHistory;
  readonly resources: ResourceHistory;
  readonly exchangePolicies: ExchangePolicyHistory;
  readonly trustedIssuers: TrustedIssuerHistory;
  readonly upstream: UpstreamHistory;
  readonly settings: SettingHistory;
  readonly signingKeys: SigningKeyHistory;
  readonly clock: Pick<ClockHistory, 'findSetBackThatEnded'>;
  /** Hashes of codes, access tokens and refresh tokens, and of redeemed assertions. */
  readonly credentials: Fingerprints;
  readonly groups: GroupHistory;
  readonly invitations: InvitationHistory;
}

export interface HistoryRecorder {
  readonly history: History;
  /** Records an event's envelope. Call it after the envelope rules. */
  applyEnvelope(record: RecordedEvent): void;
  /** Records an event's data. Call it after all rules. */
  applyEvent(auditedEvent: AuditedEvent): void;
}

export function createHistoryRecorder(): HistoryRecorder {
  const revisions = new Map<StreamName, Revision>();
  const [grants, clients, users, sessions] = [
    createGrantHistory(),
    createClientHistory(),
    createUserHistory(),
    createSessionHistory(),
  ];
  const accessTokens = createAccessTokenHistory();
  const clientDomains = createClientDomainHistory();
  const secondFactors = createSecondFactorHistory();
  const grantUpdates = createGrantUpdateHistory();
  const exchanges = createExchangeHistory();
  const logouts = createLogoutHistory();
  const resources = createResourceHistory();
  const exchangePolicies = createExchangePolicyHistory();
  const trustedIssuers = createTrustedIssuerHistory();
  const upstream = createUpstreamHistory();
  const settings = createSettingHistory();
  const signingKeys = createSigningKeyHistory();
  const clock = createClockHistory();
  const credentials = createFingerprints();
  const groups = createGroupHistory();
  const invitations = createInvitationHistory();
  let previous: Pick<RecordedEvent, 'position' | 'recordedAt'> | undefined;

  function recordCredentials({ event: { type, data } }: AuditedEvent): void {
    if (type === 'AssertionRedeemed') credentials.add(data.assertionHash);
    if (type === 'AuthorizationCodeIssued' || type === 'DeviceAuthorized') credentials.add(data.codeHash);
    if (type === 'AccessTokenIssued' || type === 'RefreshTokenIssued' || type === 'RefreshTokenRotated')
      credentials.add(data.tokenHash);
  }

  const histories = [
    grants,
    accessTokens,
    exchanges,
    clients,
    users,
    sessions,
    secondFactors,
    logouts,
    resources,
    exchangePolicies,
    grantUpdates,
    trustedIssuers,
    upstream,
    settings,
    clientDomains,
    groups,
    invitations,
    signingKeys,
    clock,
  ];

  return {
    history: {
      previous: () => previous,
      revisions,
      grants,
      accessTokens,
      grantUpdates,
      exchanges,
      clients,
      clientDomains,
      users,
      sessions,
      secondFactors,
      logouts,
      resources,
      exchangePolicies,
      trustedIssuers,
      upstream,
      settings,
      signingKeys,
      clock,
      credentials,
      groups,
      invitations,
    },

    applyEnvelope({ stream, revision, position, recordedAt }) {
      revisions.set(stream, revision);
      previous = { position, recordedAt };
    },

    applyEvent(auditedEvent) {
      recordCredentials(auditedEvent);
      for (const history of histories) history.apply(auditedEvent);
    },
  };
}
