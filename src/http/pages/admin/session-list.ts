import type { IdentifiedSession, LoginSessions } from '../../../accounts/login-sessions.ts';
import { loginMethod } from '../../../audit/queries/login-method.ts';
import { english } from '../../../language/english.ts';
import { message } from '../../../language/message.ts';
import type { User } from '../../../projections/users.ts';
import { browserName } from '../browser-name.ts';
import { actionColumn, EMPTY_CELL, textColumn, timeColumn, type Cell, type PageList } from '../lists/page-list.ts';

/** An open session with its user. */
export interface UserSession {
  readonly user: User;
  readonly session: IdentifiedSession;
}

/** The login methods that the list can be filtered by. */
const METHODS = ['password', 'passkey', 'upstream'] as const;

/** Returns the id of the provider through which the user logged in; empty if the user logged in another way. */
function providerIdOf({ session: { authentication } }: UserSession): string {
  return authentication?.method === 'upstream' ? authentication.providerId : '';
}

function providerCell(item: UserSession): Cell {
  const providerId = providerIdOf(item);
  if (providerId === '') return EMPTY_CELL;
  return { text: providerId, href: `/admin/providers/${encodeURIComponent(providerId)}/` };
}

const startOf = ({ session }: UserSession): number => session.startedAt;

/** Returns the login method in English, for searches, sorting and CSV files. */
function methodOf({ session: { authentication } }: UserSession): string {
  return authentication === undefined ? '' : english.text(loginMethod(authentication));
}

/**
 * Defines the list of all users' open sessions.
 * @param ownHash the hash of the administrator's own session, which gets a badge
 */
export function allSessionsList(
  loginSessions: Pick<LoginSessions, 'browserOf' | 'lastUse'>,
  ownHash: string,
): PageList<UserSession> {
  const browserOf = ({ session }: UserSession): string => loginSessions.browserOf(session) ?? '';
  return {
    name: message('listed.sessions'),
    countMessage: 'listed.sessions.count',
    fileName: 'sessions',
    searchLabel: message('all-sessions.search'),
    id: ({ session }) => session.sessionHash,
    texts: (item) => [item.user.username, item.user.email, browserOf(item), methodOf(item), providerIdOf(item)],
    filters: [
      {
        name: 'type',
        title: message('column.logged-in'),
        choices: METHODS.map((method) => ({
          value: method,
          title: message(`all-sessions.${method}`),
          matches: ({ session }) => session.authentication?.method === method,
        })),
      },
    ],
    columns: [
      textColumn(
        'username',
        message('column.username'),
        ({ user }) => user.username,
        ({ user, session }) => ({
          text: user.username,
          href: `/admin/users/${user.id}/sessions/`,
          ...(session.sessionHash === ownHash && { badge: message('all-sessions.own') }),
        }),
      ),
      textColumn('browser', message('column.browser'), browserOf, (item) => {
        const browser = browserOf(item);
        return browser === '' ? { text: message('list.unknown'), none: true } : { text: browserName(browser) };
      }),
      textColumn('login', message('column.logged-in'), methodOf, ({ session: { authentication } }) =>
        authentication === undefined ? EMPTY_CELL : { text: loginMethod(authentication) },
      ),
      textColumn('provider', message('all-sessions.provider'), providerIdOf, providerCell),
      timeColumn('last_used', message('column.last-used'), ({ session }) => loginSessions.lastUse(session).at),
      { ...timeColumn('started', message('column.begun'), startOf), cell: 'file' },
      timeColumn('expires', message('column.expires'), ({ session }) => session.expiresAt),
      actionColumn(message('all-sessions.end-column'), ({ user, session }) => ({
        check: {
          name: 'session_hash',
          value: session.sessionHash,
          label: message(session.sessionHash === ownHash ? 'all-sessions.choose-own' : 'all-sessions.choose', {
            username: user.username,
          }),
        },
      })),
    ],
    sort: { by: 'last_used', direction: 'descending' },
    empty: { icon: 'log-in', text: message('all-sessions.none'), action: null },
  };
}
