import type { ClientId, EpochSeconds, UserId } from '../../domain/values.ts';
import { message, type Message, type Text } from '../../language/message.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import type { EndingSession, LiveGrant } from '../../projections/live-grant.ts';

export interface EndingAccessDeps {
  readonly grants: Pick<Grants, 'listByUser'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly now: () => EpochSeconds;
}

/** The locals of pages where users end their sessions. */
export interface EndingAccessLocals {
  /** A sentence about the access that ends if all the user's sessions end. */
  readonly endingAccess: Text;
}

/** The maximum number of applications to name. Further applications are only counted. */
const MAX_APPLICATIONS = 10;

/**
 * Names the applications that lose access when a user's sessions end, in a sentence for this user.
 * @param isEnding selects the sessions; by default, all sessions
 */
export function describeEndingAccess(
  userId: UserId,
  deps: EndingAccessDeps,
  isEnding?: (session: EndingSession) => boolean,
): Message {
  const { endingClients } = accessAfterSessions(deps.grants.listByUser(userId, deps.now()), isEnding);
  if (endingClients.length === 0) return message('ending-access.none');
  return message('ending-access.some', nameArguments(endingClients, deps));
}

/**
 * Lists the applications that lose and keep access when users' sessions end, for administrators.
 * @param isEnding selects the sessions; by default, all sessions
 */
export function endingAccessFacts(
  users: readonly UserId[],
  deps: EndingAccessDeps,
  isEnding?: (session: EndingSession) => boolean,
): readonly { readonly title: Text; readonly text: Text }[] {
  const grants = users.flatMap((userId) => [...deps.grants.listByUser(userId, deps.now())]);
  const { endingClients, remainingClients } = accessAfterSessions(grants, isEnding);
  return [
    { title: message('ending-access.ends'), text: formatApplicationNames(endingClients, deps) },
    { title: message('ending-access.remains'), text: formatApplicationNames(remainingClients, deps) },
  ];
}

/** Names the first `limit` applications. Further applications are only counted. */
export function formatApplicationNames(
  clientIds: readonly ClientId[],
  deps: Pick<EndingAccessDeps, 'clients'>,
  limit = MAX_APPLICATIONS,
): Message {
  return clientIds.length === 0
    ? message('list.none')
    : message('ending-access.names', nameArguments(clientIds, deps, limit));
}

function nameArguments(
  clientIds: readonly ClientId[],
  { clients }: Pick<EndingAccessDeps, 'clients'>,
  limit = MAX_APPLICATIONS,
) {
  const shownIds = clientIds.slice(0, limit);
  return {
    applications: { names: shownIds.map((clientId) => clients.find(clientId)?.name ?? clientId) },
    others: clientIds.length - shownIds.length,
  };
}

/** The effect of ending sessions on applications. An application with several grants may be in both lists. */
interface AccessAfterSessions {
  /** The clients with a grant that ends with the sessions. */
  readonly endingClients: readonly ClientId[];
  /** The clients with a grant that remains. */
  readonly remainingClients: readonly ClientId[];
}

/**
 * Returns the applications whose access ends with the selected sessions, and the applications that keep access.
 * @param isEnding selects the sessions; by default, all sessions
 */
function accessAfterSessions(
  grants: Iterable<LiveGrant>,
  isEnding: (session: EndingSession) => boolean = () => true,
): AccessAfterSessions {
  const [endingClients, remainingClients] = [new Set<ClientId>(), new Set<ClientId>()];
  for (const { clientId, endsWith } of grants)
    (endsWith !== undefined && isEnding(endsWith) ? endingClients : remainingClients).add(clientId);
  return { endingClients: [...endingClients], remainingClients: [...remainingClients] };
}
