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
  /** Whether a grant that was valid at the earlier moment has ended since; null if the page shows the present. */
  readonly hasEnded: boolean | null;
}

/** The amount of access that came from the source. */
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
    /** The earlier moment that the result shows; null if it shows the present. */
    readonly asOf: { readonly position: number; readonly at: Moment } | null;
    readonly counts: RadiusCounts;
    readonly rows: readonly RadiusRow[];
    readonly paging: Paging;
    /**
     * The URL of the page where administrators can end all this access; null for other readers, for an earlier moment,
     * and if there is nothing to end or stop.
     */
    readonly endHref: string | null;
  } | null;
  /**
   * The new secret of a client whose access was ended. `value` is null if the secret has already been shown, or if the
   * page was opened too late.
   */
  readonly secret: { readonly clientId: string; readonly value: string | null } | null;
}

export interface SourceLocals {
  readonly kind: NamedSource['kind'];
  readonly name: string;
  /** The URL of a page about the source; null for a key or a session. */
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
 * @param liveGrantIds the ids of the grants that are valid now; null if the query is for the present
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

/** Returns the paragraphs that explain the effect of the button that ends the access. */
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

/** Reports whether the source itself can be stopped, regardless of whether valid grants came from it. */
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

/** Maps each result to a choice in the message, because the names of choices cannot contain hyphens. */
const STOP_CHOICES: Readonly<Record<Exclude<StoppedSource['kind'], 'not-stopped'>, string>> = {
  'session-ended': 'session',
  'secret-replaced': 'secret',
  'client-key-removed': 'client',
  'signing-key-retired': 'signing',
  'nothing-to-stop': 'nothing',
};

/** Returns the notice about the ended grants and the stopped source. */
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
