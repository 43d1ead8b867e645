import type { LoginSessions, KnownSession } from '../../../accounts/login-sessions.ts';
import { describeMethod } from '../../../audit/queries/sentence.ts';
import type { ClientId, EpochSeconds } from '../../../domain/values.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { LiveGrant } from '../../../projections/live-grant.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import type { SessionLocals } from './locals.ts';

export interface SessionListParts {
  readonly loginSessions: Pick<LoginSessions, 'ofUser' | 'browserOf' | 'endByHash'>;
  readonly grants: Pick<Grants, 'listByUser' | 'listBySession'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly now: () => EpochSeconds;
}

/** The user's sessions, with what was authorized from each. */
export interface SessionList {
  /** This browser's session first, then the newest. */
  open(caller: LoggedInUser): readonly KnownSession[];
  locals(sessions: readonly KnownSession[], caller: LoggedInUser): readonly SessionLocals[];
  /** The names of applications whose access ends with the session. */
  endingWith(caller: LoggedInUser, sessionHash: string): readonly string[];
}

/** The others are only counted. */
const APPLICATIONS_SHOWN = 10;

export function createSessionList({ loginSessions, grants, clients, now }: SessionListParts): SessionList {
  const nameOf = (clientId: ClientId): string => clients.find(clientId)?.name ?? clientId;

  function namesOf(some: readonly LiveGrant[]): readonly string[] {
    return [...new Set(some.map(({ clientId }) => clientId))].map(nameOf);
  }

  function toLocals(session: KnownSession, given: readonly LiveGrant[], caller: LoggedInUser): SessionLocals {
    const { sessionHash, startedAt, authentication } = session;
    const names = namesOf(given);
    return {
      id: sessionHash,
      since: startedAt as EpochSeconds,
      how: authentication === undefined ? '' : describeMethod(authentication),
      browser: loginSessions.browserOf(session) ?? null,
      isCurrent: sessionHash === caller.sessionHash,
      applications: names.slice(0, APPLICATIONS_SHOWN),
      applicationCount: names.length,
      ending: namesOf(given.filter(({ endsWith }) => endsWith !== undefined)).slice(0, APPLICATIONS_SHOWN),
    };
  }

  return {
    open({ user, sessionHash }) {
      const isCurrent = (session: KnownSession): number => Number(session.sessionHash === sessionHash);
      return loginSessions.ofUser(user.userId, now()).toSorted((one, other) => isCurrent(other) - isCurrent(one));
    },

    locals(sessions, caller) {
      const bySession = groupBySession(grants.listByUser(caller.user.userId, now()));
      return sessions.map((session) => toLocals(session, bySession.get(session.sessionHash) ?? [], caller));
    },

    endingWith: ({ user }, sessionHash) =>
      namesOf(grants.listBySession(user.userId, sessionHash).filter(({ endsWith }) => endsWith !== undefined)),
  };
}

/** Grants that end with a session belong to that one, which may continue the session in which they were given. */
function groupBySession(grants: readonly LiveGrant[]): ReadonlyMap<string, readonly LiveGrant[]> {
  const groups = new Map<string, LiveGrant[]>();
  for (const grant of grants) {
    const sessionHash = (grant.endsWith ?? grant.login)?.sessionHash ?? null;
    if (sessionHash === null) continue;
    const group = groups.get(sessionHash);
    if (group === undefined) groups.set(sessionHash, [grant]);
    else group.push(grant);
  }
  return groups;
}
