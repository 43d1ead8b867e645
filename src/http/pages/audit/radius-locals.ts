import { ERASED_USER } from '../../../audit/queries/access-report.ts';
import type { AffectedGrant } from '../../../audit/queries/blast-radius.ts';
import type { StoppedSource } from '../../../oauth/incidents/source-endings.ts';
import type { EpochSeconds, UserId } from '../../../domain/values.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { Users } from '../../../projections/users.ts';
import type { Paging } from '../paging.ts';
import type { PageContext } from '../page-context.ts';
import { toMoment, type Moment } from './moments.ts';
import type { NamedLeak, RadiusQuestion } from './radius-question.ts';

/** A grant that came from the source. */
export interface RadiusRow {
  readonly grantId: string;
  readonly is: AffectedGrant['is'];
  readonly position: number;
  readonly client: { readonly id: string; readonly name: string | null };
  /** Null for a client that acts for itself. */
  readonly user: string | null;
  readonly scope: readonly string[];
  /** Empty for all resource servers. */
  readonly resources: readonly string[];
  /** The number of its access tokens that are valid. */
  readonly tokens: number;
  /** Null until it is revoked. */
  readonly expires: Moment | null;
  readonly via: AffectedGrant['via'];
  /** Of an earlier moment, whether it is over now; null for now. */
  readonly isOver: boolean | null;
}

/** How much came from the source. */
export interface RadiusCounts {
  readonly grants: number;
  readonly exchanges: number;
  readonly tokens: number;
  readonly users: number;
  readonly clients: number;
}

export interface BlastRadiusLocals extends PageContext {
  readonly question: Pick<RadiusQuestion, 'entered' | 'errors'>;
  /** About the pasted token. */
  readonly tokenError: string | undefined;
  /** Null before a source is entered. */
  readonly answer: {
    readonly source: SourceLocals;
    /** Null for now. */
    readonly asOf: { readonly position: number; readonly at: Moment } | null;
    readonly counts: RadiusCounts;
    readonly rows: readonly RadiusRow[];
    readonly paging: Paging;
    /** The form that ends all of it; null for auditors, for an earlier moment, and if there is nothing to end. */
    readonly endHref: string | null;
  } | null;
  /** The new secret of a client that was ended, shown once. */
  readonly secret: { readonly clientId: string; readonly value: string | null } | null;
}

export interface SourceLocals {
  /** Completes "From …". */
  readonly what: string;
  readonly name: string;
  /** A page about it, or null. */
  readonly href: string | null;
}

interface Lookups {
  readonly clients: Pick<Clients, 'find'>;
  readonly users: Pick<Users, 'find'>;
}

export function sourceLocals(source: NamedLeak, { clients }: Pick<Lookups, 'clients'>): SourceLocals {
  switch (source.is) {
    case 'client':
      return {
        what: 'the application',
        name: clients.find(source.clientId)?.name ?? source.clientId,
        href: `/audit/?${new URLSearchParams({ client: source.clientId }).toString()}`,
      };
    case 'key':
      return { what: 'the key', name: source.keyId, href: null };
    case 'session':
      return { what: 'the session', name: source.sessionHash, href: null };
    case 'grant':
      return { what: 'the grant', name: source.grantId, href: `/audit/grants/${source.grantId}/` };
  }
}

/** @param stillLive the ids of those that are valid now; null if the question is about now */
export function radiusRow(
  { grantId, is, position, clientId, userId, scope, resources, tokens, expiresAt, via }: AffectedGrant,
  stillLive: ReadonlySet<string> | null,
  { clients, users }: Lookups,
): RadiusRow {
  return {
    grantId,
    is,
    position,
    client: { id: clientId, name: clients.find(clientId)?.name ?? null },
    user: userId === null ? null : nameOf(userId, users),
    scope,
    resources,
    tokens,
    expires: expiresAt === null ? null : toMoment(expiresAt * 1000),
    via,
    isOver: stillLive && !stillLive.has(grantId),
  };
}

const nameOf = (userId: UserId, users: Lookups['users']): string => users.find(userId)?.username || ERASED_USER;

export function countsOf(affected: readonly AffectedGrant[]): RadiusCounts {
  return {
    grants: affected.length,
    exchanges: affected.filter(({ is }) => is === 'exchange').length,
    tokens: affected.reduce((sum, { tokens }) => sum + tokens, 0),
    users: new Set(affected.map(({ userId }) => userId).filter((userId) => userId !== null)).size,
    clients: new Set(affected.map(({ clientId }) => clientId)).size,
  };
}

/** Such as "3 grants with 5 tokens". */
function countText({ grants, tokens }: Pick<RadiusCounts, 'grants' | 'tokens'>): string {
  return `${counted(grants, 'grant')} with ${counted(tokens, 'access token')}`;
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`;

/** The effects of the button, with numbers: one string for each paragraph. */
export function endingText(
  source: NamedLeak,
  affected: readonly AffectedGrant[],
  now: EpochSeconds,
  { clients }: Pick<Lookups, 'clients'>,
): readonly string[] {
  const counts = countsOf(affected);
  const last = affected.reduce<number | null>(
    (latest, { expiresAt }) => (latest === null || expiresAt === null ? null : Math.max(latest, expiresAt)),
    now,
  );
  const until = last === null ? 'until somebody revokes them' : `until ${toMoment(last * 1000).text} at the latest`;
  const first =
    counts.grants === 0
      ? 'Nothing that came from it is valid at the moment.'
      : `${countText(counts)} end at once: ${counted(counts.exchanges, 'exchange')}, ` +
        `${counted(counts.clients, 'application')}, ${counted(counts.users, 'user')}. ` +
        `Otherwise they would be valid ${until}.`;
  return [first, stopText(source, clients), 'This cannot be undone. The log keeps what happened.'];
}

function stopText(source: NamedLeak, clients: Lookups['clients']): string {
  switch (source.is) {
    case 'client':
      return clientStopText(clients.find(source.clientId));
    case 'key':
      return (
        'A signing key is retired, and replaced if it is in use. A registered key of an application is removed, but ' +
        'not one that an application publishes itself: it must stop publishing it.'
      );
    case 'session':
      return 'The session ends first, so that nothing more can be authorized in it.';
    case 'grant':
      return 'The user or the application can ask for access again.';
  }
}

function clientStopText(client: Client | undefined): string {
  if (client === undefined) return 'The application was removed, so nothing more can come from it.';
  return client.authentication.methods.some((method) => method.startsWith('client_secret_'))
    ? 'Its client secret is replaced first, so its deployments stop working until they have the new one, which the ' +
        'next page shows once.'
    : 'The application has no secret to replace: users can authorize it again. Remove it to prevent that.';
}

const STOPPED: Readonly<Record<Exclude<StoppedSource['is'], 'not-stopped'>, string>> = {
  'session-ended': ' The session was ended.',
  'secret-replaced': ' The client secret was replaced.',
  'client-key-removed': ' The key of the application was removed.',
  'signing-key-retired': ' The signing key was retired.',
  'nothing-to-stop': '',
};

/** The result, in one line. */
export function endedText(
  stopped: StoppedSource,
  ended: readonly AffectedGrant[],
  left: number,
): { readonly text: string; readonly tone: 'good' | 'warning' } {
  const done = `Ended ${countText(countsOf(ended))}.`;
  if (left > 0)
    return { text: `${done} ${counted(left, 'more grant')} came from it meanwhile: end them, too.`, tone: 'warning' };
  return stopped.is === 'not-stopped'
    ? { text: `${done} The source itself was not stopped. ${stopped.why}`, tone: 'warning' }
    : { text: `${done}${STOPPED[stopped.is]}`, tone: 'good' };
}
