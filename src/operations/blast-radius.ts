import { english } from '../language/english.ts';
import { z } from 'zod';
import { ERASED_USER } from '../audit/queries/access-report.ts';
import { createBlastRadius, type AffectedGrant } from '../audit/queries/blast-radius.ts';
import { suggestIds } from '../audit/queries/leaked-source.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { ClientId, EpochSeconds, UserId } from '../domain/values.ts';
import type { LeakedSource } from '../oauth/incidents/source-revoker.ts';
import type { Clients } from '../projections/clients.ts';
import type { Users } from '../projections/users.ts';
import { findForeignToken } from '../oauth/incidents/issue-search.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { findGrantId } from './issued-credential.ts';
import type { OperationContext } from './operation-context.ts';
import { streamingOperation, type Operation } from './operation.ts';
import { requireUser } from './users.ts';

const sourceFields = {
  /** A token or authorization code, which identifies a grant, or a JWT from another issuer. */
  token: z.string().min(1).max(OPERATION_TEXTS.subject).optional(),
  /** The id of a grant, or the name of its stream. */
  grant: z.string().min(1).max(OPERATION_TEXTS.subject).optional(),
  client: z.string().min(1).max(OPERATION_TEXTS.clientId).optional(),
  /** The thumbprint of a key or certificate. */
  key: z.string().min(1).max(OPERATION_TEXTS.checkedText).optional(),
  /** The hash of a session, or, with `user`, the id that `user sessions` shows. */
  session: z.string().min(1).max(OPERATION_TEXTS.checkedText).optional(),
  user: z.string().min(1).max(OPERATION_TEXTS.userName).optional(),
};

const input = z.strictObject({
  ...sourceFields,
  position: z.int().nonnegative().optional(),
  /** Milliseconds since the epoch. */
  time: z.int().nonnegative().optional(),
});

type SourceFields = Omit<z.output<typeof input>, 'position' | 'time'>;

/** A grant that came from the source. Times are in seconds since the epoch. */
export interface AffectedRow {
  readonly grant: string;
  readonly is: AffectedGrant['kind'];
  readonly position: number;
  readonly client: string;
  /** Null if the application was removed. */
  readonly application: string | null;
  /** Null for a client that acts on its own behalf. */
  readonly user: string | null;
  readonly user_id: string | null;
  readonly scope: string;
  /** Null for all resource servers. */
  readonly resource: string | null;
  /** The number of valid access tokens of the grant. */
  readonly tokens: number;
  /** Null if the grant lasts until it is revoked. */
  readonly expires_at: number | null;
  /** `source`, or the role (`subject` or `actor`) and the grant of the exchanged token. */
  readonly via: string;
}

export interface RadiusHeader {
  /** The position of the last event that was considered. */
  readonly as_of: number;
  /** The time at which the validity of tokens was determined. */
  readonly at: number;
}

export interface RevocationResult {
  /** The action that stopped the source; otherwise `not-stopped` or `nothing-to-stop`. */
  readonly stopped: string;
  /** The reason why the source could not be stopped; null if it was stopped or did not need to be. */
  readonly problem: string | null;
  /** The new secret of the client, shown once; null if the secret was not replaced. */
  readonly client_secret: string | null;
  readonly ended: readonly AffectedRow[];
  /** The number of grants from the source that are still live; 0 unless the source kept creating new ones. */
  readonly left: number;
}

/** Operations that list or revoke the grants that came from a leaked token, key, client or session. */
export const blastRadiusOperations: Readonly<Record<string, Operation>> = {
  'log blast-radius': streamingOperation(input, async function* (fields, context: OperationContext) {
    const { position, time, ...sourceInput } = fields;
    const source = await requireSource(sourceInput, context);
    const moment = { position: position ?? Infinity, time: time ?? Infinity };
    const isPast = position !== undefined || time !== undefined;
    if (position !== undefined && position > context.log.head())
      throw new OperationRefused(`position ${position} does not exist: the log ends at position ${context.log.head()}`);
    const { projections, last } = isPast
      ? await context.projectionsAsOf(moment)
      : { projections: context.projections, last: undefined };
    const milliseconds = time ?? (isPast ? (last?.recordedAt ?? 0) : context.clock.now());
    const now = Math.floor(milliseconds / 1000) as EpochSeconds;
    yield { as_of: isPast ? (last?.position ?? 0) : context.log.head(), at: now } satisfies RadiusHeader;
    const computeRadius = createBlastRadius(source, context.log);
    for (const grant of await computeRadius(now, projections, moment)) yield toRow(grant, projections);
  }),

  'log blast-radius end': streamingOperation(z.strictObject(sourceFields), async function* (sourceInput, context) {
    yield await revokeAffected(await requireSource(sourceInput, context), context);
  }),
};

async function revokeAffected(source: LeakedSource, context: OperationContext): Promise<RevocationResult> {
  const { log, projections, clock, freshness, sourceRevoker } = context;
  const computeRadius = createBlastRadius(source, log);
  const findAffected = async (): Promise<readonly AffectedGrant[]> => {
    await freshness?.catchUp();
    return computeRadius(toEpochSeconds(clock.now()), projections);
  };
  const { stopped, ended, left } = await sourceRevoker.revoke(
    source,
    findAffected,
    toEpochSeconds(clock.now()),
    context.cause,
  );
  return {
    stopped: stopped.kind,
    problem: stopped.kind === 'not-stopped' ? english.text(stopped.why) : null,
    client_secret: stopped.kind === 'secret-replaced' ? stopped.secret : null,
    ended: ended.map((grant) => toRow(grant, projections)),
    left: left.length,
  };
}

const toEpochSeconds = (milliseconds: number): EpochSeconds => Math.floor(milliseconds / 1000) as EpochSeconds;

/**
 * Finds the source that the fields specify.
 * @throws OperationRefused if the fields do not specify exactly one source, or the log does not contain it
 */
async function requireSource(fields: SourceFields, context: OperationContext): Promise<LeakedSource> {
  const source = await readSource(fields, context);
  const suggestions = await suggestIds(source, { log: context.log, ...context.projections });
  if (suggestions === undefined || source.kind === 'foreign-token') return source;
  const suggestion = suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`;
  throw new OperationRefused(`${describeUnknownSource(source)}${suggestion}`, 'unknown');
}

function describeUnknownSource(source: Exclude<LeakedSource, { readonly kind: 'foreign-token' }>): string {
  switch (source.kind) {
    case 'grant':
      return `no grant has the id ${JSON.stringify(source.grantId)}`;
    case 'client':
      return `no client has the id ${JSON.stringify(source.clientId)}; see: grantlog client list`;
    case 'session':
      return `no session has the hash ${JSON.stringify(source.sessionHash)}; see: grantlog user sessions NAME`;
    case 'key':
      return `no key has the thumbprint ${JSON.stringify(source.keyId)}, and no token depends on such a key`;
  }
}

async function readSource(fields: SourceFields, context: OperationContext): Promise<LeakedSource> {
  const { token, grant, client, key, session, user } = fields;
  if ([token, grant, client, key, session].filter((identifier) => identifier !== undefined).length !== 1)
    throw new OperationRefused('specify exactly one source: a token, a grant, a client, a key or a session');
  if (user !== undefined && session === undefined)
    throw new OperationRefused('a user can only be specified with a session');
  if (client !== undefined) return { kind: 'client', clientId: client };
  if (key !== undefined) return { kind: 'key', keyId: key };
  if (token !== undefined) {
    const foreignToken = await findForeignToken(token, context.log);
    if (foreignToken !== undefined) return { kind: 'foreign-token', ...foreignToken };
  }
  if (session === undefined) return { kind: 'grant', grantId: await findGrantId({ token, grant }, context.log) };
  if (user === undefined) return { kind: 'session', sessionHash: session };
  const { userId } = requireUser(user, context);
  const matches = context.loginSessions
    .listByUser(userId, toEpochSeconds(context.clock.now()))
    .filter(({ sessionHash }) => sessionHash.startsWith(session));
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return { kind: 'session', sessionHash: match.sessionHash };
  throw new OperationRefused(
    `${JSON.stringify(session)} does not identify exactly one open session of ${JSON.stringify(user)}; ` +
      `see: grantlog user sessions ${user}`,
    'unknown',
  );
}

function toRow(
  grant: AffectedGrant,
  { clients, users }: { readonly clients: Pick<Clients, 'find'>; readonly users: Pick<Users, 'find'> },
): AffectedRow {
  const { grantId, kind, position, clientId, userId, scope, resources, tokens, expiresAt, via } = grant;
  return {
    grant: grantId,
    is: kind,
    position,
    client: clientId,
    application: applicationName(clientId, clients),
    user: userId === null ? null : userName(userId, users),
    user_id: userId,
    scope: scope.join(' '),
    resource: resources.length === 0 ? null : resources.join(' '),
    tokens,
    expires_at: expiresAt,
    via: via.kind === 'source' ? 'source' : `${via.kind} ${via.grantId}`,
  };
}

const applicationName = (clientId: ClientId, clients: Pick<Clients, 'find'>): string | null =>
  clients.find(clientId)?.name ?? null;

const userName = (userId: UserId, users: Pick<Users, 'find'>): string => users.find(userId)?.username || ERASED_USER;
