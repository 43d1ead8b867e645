import type { Text } from '../../../language/message.ts';
import { browserName } from '../browser-name.ts';
import type { LoginSessions, IdentifiedSession } from '../../../accounts/login-sessions.ts';
import { indexGrantsBySession, type AuthorizedInSession } from '../../../audit/queries/authorized-in-sessions.ts';
import { loginMethod } from '../../../audit/queries/login-method.ts';
import type { ClientId, EpochSeconds, GrantId } from '../../../domain/values.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Exchanges } from '../../../projections/exchanges.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import type { SessionLocals } from './session-locals.ts';

export interface SessionListDeps {
  readonly loginSessions: Pick<LoginSessions, 'listByUser' | 'browserOf' | 'lastUse' | 'endByHash'>;
  readonly grants: Pick<Grants, 'listByUser' | 'listBySession'>;
  readonly exchanges: Pick<Exchanges, 'listByRoot' | 'isLive'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly now: () => EpochSeconds;
}

/** The user whose sessions are listed, and the current session of the reader, who can be a different user. */
type SessionOwner = Pick<LoggedInUser, 'user' | 'sessionHash'>;

/** Lists a user's sessions, each with the applications that the user authorized in that session. */
export interface SessionList {
  /** Returns the user's open sessions: first the reader's current session, then all others, newest first. */
  openSessions(owner: SessionOwner): readonly IdentifiedSession[];
  locals(sessions: readonly IdentifiedSession[], owner: SessionOwner): readonly SessionLocals[];
  /** Returns the names of the applications whose access ends with the session. */
  applicationsEndingWith(owner: SessionOwner, sessionHash: string): readonly string[];
}

/** The maximum number of applications that are named for a session. Further applications are only counted. */
const MAX_APPLICATIONS = 10;

export function createSessionList({ loginSessions, grants, exchanges, clients, now }: SessionListDeps): SessionList {
  const nameOf = (clientId: ClientId): string => clients.find(clientId)?.name ?? clientId;

  /**
   * Returns each distinct pair of clients in which the first client passed access on to the second in an exchange, if
   * the resulting token is still valid.
   */
  function findPassedOnPairs(grantIds: readonly GrantId[]): SessionLocals['passedOn'] {
    const time = now();
    const pairs = new Map<string, SessionLocals['passedOn'][number]>();
    for (const grantId of grantIds) {
      for (const { grantId: exchangeId, clientId, parent, expiresAt } of exchanges.listByRoot(grantId)) {
        if (expiresAt <= time || !exchanges.isLive(exchangeId)) continue;
        pairs.set(`${parent.clientId} ${clientId}`, { from: nameOf(parent.clientId), to: nameOf(clientId) });
      }
    }
    return [...pairs.values()];
  }

  function browserNameOf(session: IdentifiedSession): Text | null {
    const browser = loginSessions.browserOf(session);
    return browser === undefined ? null : browserName(browser);
  }

  function toLocals(
    session: IdentifiedSession,
    authorization: AuthorizedInSession,
    owner: SessionOwner,
  ): SessionLocals {
    const { sessionHash, startedAt, authentication } = session;
    const pairs = findPassedOnPairs(authorization.grantIds);
    return {
      id: sessionHash,
      since: startedAt as EpochSeconds,
      lastUse: loginSessions.lastUse(session),
      how: authentication === undefined ? '' : loginMethod(authentication),
      browser: browserNameOf(session),
      isCurrent: sessionHash === owner.sessionHash,
      applications: authorization.clients.slice(0, MAX_APPLICATIONS).map(nameOf),
      applicationCount: authorization.clients.length,
      passedOn: pairs.slice(0, MAX_APPLICATIONS),
      passedOnCount: pairs.length,
      ending: authorization.endingClients.slice(0, MAX_APPLICATIONS).map(nameOf),
      endingCount: authorization.endingClients.length,
    };
  }

  return {
    openSessions({ user, sessionHash }) {
      const rank = (session: IdentifiedSession): number => Number(session.sessionHash === sessionHash);
      return loginSessions.listByUser(user.userId, now()).toSorted((a, b) => rank(b) - rank(a));
    },

    locals(sessions, owner) {
      const authorizedBySession = indexGrantsBySession(grants.listByUser(owner.user.userId, now()));
      return sessions.map((session) => toLocals(session, authorizedBySession(session.sessionHash), owner));
    },

    applicationsEndingWith: ({ user }, sessionHash) =>
      indexGrantsBySession(grants.listBySession(user.userId, sessionHash))(sessionHash).endingClients.map(nameOf),
  };
}
