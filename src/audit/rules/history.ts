import type { RecordedEvent, Revision, StreamName } from '../../event-store/event-log.ts';
import { createClockHistory, type ClockHistory } from './history/clock.ts';
import { createClientHistory, type ClientHistory } from './history/clients.ts';
import { createFingerprints, type Fingerprints } from './history/fingerprints.ts';
import { createGrantHistory, type GrantHistory } from './history/grants.ts';
import { createSessionHistory, type SessionHistory } from './history/sessions.ts';
import { createUserHistory, type UserHistory } from './history/users.ts';
import type { AuditedEvent } from './rule.ts';

/**
 * What the log has said so far, as the rules need it: kept by the auditor for itself and from the
 * events alone, so that a mistake in a decider or a projection is not repeated here. It takes in
 * broken logs as well, and grows with the number of streams and of credentials ever issued.
 */
export interface History {
  /** The event before; undefined at the first. */
  readonly newest: () => Pick<RecordedEvent, 'position' | 'recordedAt'> | undefined;
  readonly revisions: ReadonlyMap<StreamName, Revision>;
  readonly grants: GrantHistory;
  readonly clients: ClientHistory;
  readonly users: UserHistory;
  readonly sessions: SessionHistory;
  readonly clock: Pick<ClockHistory, 'findSetBackThatEnded'>;
  /** Hashes of codes and tokens. */
  readonly credentials: Fingerprints;
  readonly groupIds: ReadonlySet<string>;
  readonly groupNames: ReadonlySet<string>;
}

export interface HistoryRecorder {
  readonly history: History;
  /** Takes in an event's envelope; to be called after the rules have looked at it. */
  applyEnvelope(recorded: RecordedEvent): void;
  /** Takes in what an event says; to be called after the rules have looked at it. */
  applyEvent(fact: AuditedEvent): void;
}

export function createHistoryRecorder(): HistoryRecorder {
  const revisions = new Map<StreamName, Revision>();
  const [grants, clients, users, sessions] = [
    createGrantHistory(),
    createClientHistory(),
    createUserHistory(),
    createSessionHistory(),
  ];
  const clock = createClockHistory();
  const credentials = createFingerprints();
  const groupIds = new Set<string>();
  const groupNames = new Set<string>();
  let newest: Pick<RecordedEvent, 'position' | 'recordedAt'> | undefined;

  function noteIdentity({ event: { type, data } }: AuditedEvent): void {
    if (type === 'AuthorizationCodeIssued') credentials.add(data.codeHash);
    if (type === 'AccessTokenIssued' || type === 'RefreshTokenIssued' || type === 'RefreshTokenRotated')
      credentials.add(data.tokenHash);
    if (type !== 'GroupCreated') return;
    groupIds.add(data.groupId);
    groupNames.add(data.name);
  }

  return {
    history: {
      newest: () => newest,
      revisions,
      grants,
      clients,
      users,
      sessions,
      clock,
      credentials,
      groupIds,
      groupNames,
    },

    applyEnvelope({ stream, revision, position, recordedAt }) {
      revisions.set(stream, revision);
      newest = { position, recordedAt };
    },

    applyEvent(fact) {
      noteIdentity(fact);
      for (const part of [grants, clients, users, sessions, clock]) part.apply(fact);
    },
  };
}
