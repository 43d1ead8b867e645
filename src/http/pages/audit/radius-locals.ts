import type { AffectedGrant } from '../../../audit/queries/blast-radius.ts';
import type { StoppedSource } from '../../../oauth/incidents/source-revoker.ts';
import { usesSecret } from '../../../domain/client-authentication.ts';
import type { EpochSeconds, UserId } from '../../../domain/values.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { Users } from '../../../projections/users.ts';
import type { Paging } from '../paging.ts';
import type { PageContext } from '../page-context.ts';
import type { Moment } from '../times.ts';
import { toMoment } from './moments.ts';
import type { NamedSource, RadiusQuery } from './radius-query.ts';

/** A grant that came from the source. */
export interface RadiusRow {
  readonly grantId: string;
  readonly kind: AffectedGrant['kind'];
  readonly position: number;
  readonly client: { readonly id: string; readonly name: string | null };
  /** Null for a client that acts on its own behalf. */
  readonly user: Text | null;
  readonly scope: readonly string[];
  /** Empty if the grant is for all resource servers. */
  readonly resources: readonly string[];
  /** The number of valid access tokens issued under the grant. */
  readonly tokens: number;
  /** Null if the grant lasts until it is revoked. */
  readonly expires: Moment | null;
  readonly via: AffectedGrant['via'];
  /** Whether a grant that was valid at the earlier moment has ended since; null if the page is about now. */
  readonly hasEnded: boolean | null;
}

/** How much access came from the source. */
export interface RadiusCounts extends Readonly<Record<string, number>> {
  readonly grants: number;
  readonly exchanges: number;
  readonly tokens: number;
  readonly users: number;
  readonly clients: number;
}

export interface BlastRadiusLocals extends PageContext {
  readonly query: Pick<RadiusQuery, 'entered' | 'errors'>;
  /** Null until a known source is entered. */
  readonly result: {
    readonly source: SourceLocals;
    /** The earlier moment of the result; null if it is about now. */
    readonly asOf: { readonly position: number; readonly at: Moment } | null;
    readonly counts: RadiusCounts;
    readonly rows: readonly RadiusRow[];
    readonly paging: Paging;
    /**
     * The page where administrators can end all this access; null for other readers, for an earlier moment, and if
     * there is nothing to end.
     */
    readonly endHref: string | null;
  } | null;
  /**
   * The new secret of a client whose access was ended. `value` is null if the page has already been shown, or was
   * opened too late.
   */
  readonly secret: { readonly clientId: string; readonly value: string | null } | null;
}

export interface SourceLocals {
  readonly kind: NamedSource['kind'];
  readonly name: string;
  /** A page about the source, if any. */
  readonly href: string | null;
}

interface Lookups {
  readonly clients: Pick<Clients, 'find'>;
  readonly users: Pick<Users, 'find'>;
}

export function sourceLocals(source: NamedSource, { clients }: Pick<Lookups, 'clients'>): SourceLocals {
  switch (source.kind) {
    case 'client':
      return {
        kind: 'client',
        name: clients.find(source.clientId)?.name ?? source.clientId,
        href: `/audit/?${new URLSearchParams({ client: source.clientId }).toString()}`,
      };
    case 'key':
      return { kind: 'key', name: source.keyId, href: null };
    case 'session':
      return { kind: 'session', name: source.sessionHash, href: null };
    case 'grant':
      return { kind: 'grant', name: source.grantId, href: `/audit/grants/${source.grantId}/` };
  }
}

/**
 * Returns the row for a grant.
 * @param liveGrantIds the ids of the grants that are valid now; null if the query is about now
 */
export function radiusRow(
  { grantId, kind, position, clientId, userId, scope, resources, tokens, expiresAt, via }: AffectedGrant,
  liveGrantIds: ReadonlySet<string> | null,
  { clients, users }: Lookups,
): RadiusRow {
  return {
    grantId,
    kind,
    position,
    client: { id: clientId, name: clients.find(clientId)?.name ?? null },
    user: userId === null ? null : formatUserName(userId, users),
    scope,
    resources,
    tokens,
    expires: expiresAt === null ? null : toMoment(expiresAt * 1000),
    via,
    hasEnded: liveGrantIds && !liveGrantIds.has(grantId),
  };
}

const formatUserName = (userId: UserId, users: Lookups['users']): Text =>
  users.find(userId)?.username || message('party.erased-user');

export function countAffected(affectedGrants: readonly AffectedGrant[]): RadiusCounts {
  return {
    grants: affectedGrants.length,
    exchanges: affectedGrants.filter(({ kind }) => kind === 'exchange').length,
    tokens: affectedGrants.reduce((sum, { tokens }) => sum + tokens, 0),
    users: new Set(affectedGrants.map(({ userId }) => userId).filter((userId) => userId !== null)).size,
    clients: new Set(affectedGrants.map(({ clientId }) => clientId)).size,
  };
}

/** Returns the paragraphs that explain what the button does. */
export function endingParagraphs(
  source: NamedSource,
  affectedGrants: readonly AffectedGrant[],
  now: EpochSeconds,
  { clients }: Pick<Lookups, 'clients'>,
): readonly Text[] {
  const counts = countAffected(affectedGrants);
  const latestExpiry = affectedGrants.reduce<number | null>(
    (latest, { expiresAt }) => (latest === null || expiresAt === null ? null : Math.max(latest, expiresAt)),
    now,
  );
  const summary =
    counts.grants === 0
      ? message('radius.end-nothing')
      : message('radius.end-counts', {
          ...counts,
          until: latestExpiry === null ? '' : toMoment(latestExpiry * 1000).text,
          untilIs: latestExpiry === null ? 'revoked' : 'time',
        });
  return [summary, stopText(source, clients), message('radius.end-final')];
}

/** Reports whether the source itself can be stopped, even if nothing that came from it is valid. */
export function canStop(source: NamedSource, { clients }: Pick<Lookups, 'clients'>): boolean {
  if (source.kind !== 'client') return source.kind !== 'grant';
  const client = clients.find(source.clientId);
  return client !== undefined && usesSecret(client.authentication);
}

function stopText(source: NamedSource, clients: Lookups['clients']): Text {
  switch (source.kind) {
    case 'client':
      return clientStopText(clients.find(source.clientId));
    case 'key':
      return message('radius.stop-key');
    case 'session':
      return message('radius.stop-session');
    case 'grant':
      return message('radius.stop-grant');
  }
}

function clientStopText(client: Client | undefined): Text {
  if (client === undefined) return message('radius.stop-removed');
  return usesSecret(client.authentication) ? message('radius.stop-secret') : message('radius.stop-no-secret');
}

/** The choice in the message for each result. The names of choices must not contain hyphens. */
const STOP_CHOICES: Readonly<Record<Exclude<StoppedSource['kind'], 'not-stopped'>, string>> = {
  'session-ended': 'session',
  'secret-replaced': 'secret',
  'client-key-removed': 'client',
  'signing-key-retired': 'signing',
  'nothing-to-stop': 'nothing',
};

/** Returns the notice that states what was ended and stopped. */
export function endNotice(
  stopped: StoppedSource,
  endedGrants: readonly AffectedGrant[],
  remainingCount: number,
): { readonly text: Text; readonly tone: 'good' | 'warning' } {
  const { grants, tokens } = countAffected(endedGrants);
  const counts = { grants, tokens };
  if (remainingCount > 0)
    return { text: message('radius.ended-some', { ...counts, left: remainingCount }), tone: 'warning' };
  return stopped.kind === 'not-stopped'
    ? { text: message('radius.not-stopped', { ...counts, why: stopped.why }), tone: 'warning' }
    : { text: message('radius.ended', { ...counts, stopped: STOP_CHOICES[stopped.kind] }), tone: 'good' };
}
