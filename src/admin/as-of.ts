import { z } from 'zod';
import type { Resources } from '../domain/resource.ts';
import { formatScope, type Scope } from '../domain/scope.ts';
import type { UserId } from '../domain/values.ts';
import type { Past, PastProjections } from './administration.ts';
import { streaming } from './operation.ts';

const question = z.strictObject({
  position: z.int().nonnegative().optional(),
  /** Milliseconds since the epoch. */
  time: z.int().nonnegative().optional(),
  user: z.string().optional(),
  client: z.string().optional(),
  scope: z.string().optional(),
});
type Question = z.output<typeof question>;

/** One thing that held, and the position of the event that gave it. */
export interface Held {
  readonly kind: 'account' | 'application' | 'grant' | 'token';
  readonly position: number;
  /** User name; "erased user" once nobody can tell any more; null where nobody is concerned. */
  readonly user: string | null;
  readonly client: string | null;
  readonly application: string | null;
  readonly scope: string;
  /** The URIs of the resource servers that it is for; null: all. */
  readonly resource: string | null;
  /** Seconds since the epoch; null: until it is ended. */
  readonly expires_at: number | null;
}

export interface AsOf {
  /** The last event that had happened. */
  readonly as_of: number;
  /** When it was recorded, in milliseconds since the epoch; null for an empty log. */
  readonly recorded_at: number | null;
}

/** Who held which access then: the fold of the log up to there, and nothing that came later. */
export const asOf = streaming(question, async function* (asked, { projectionsAsOf }: Past) {
  const { projections, last } = await projectionsAsOf({ position: asked.position ?? Infinity, time: asked.time ?? Infinity });
  const now = Math.floor((asked.time ?? last?.recordedAt ?? 0) / 1000);
  yield { as_of: last?.position ?? 0, recorded_at: last?.recordedAt ?? null } satisfies AsOf;
  for (const held of everything(projections, now)) if (isAskedFor(held, asked)) yield described(held, projections);
});

/** As a projection has it: what nobody asked for is not written out. */
type Found = Omit<Held, 'application' | 'scope' | 'resource'> & { readonly scope: Scope; readonly resource?: Resources | undefined };

function* everything({ users, clients, grants, accessTokens }: PastProjections, now: number): Generator<Found, void, void> {
  const nameOf = (userId: UserId | null): string | null => (userId === null ? null : users.find(userId)?.username || ERASED);

  for (const { username, registeredPosition, roles } of users.all()) {
    yield { kind: 'account', position: registeredPosition, user: username || ERASED, client: null, scope: roles, expires_at: null };
  }
  for (const { clientId, ownerId, registeredPosition } of clients.all()) {
    yield { kind: 'application', position: registeredPosition, user: nameOf(ownerId), client: clientId, scope: [], expires_at: null };
  }
  for (const { clientId, userId, scope, resource, grantedPosition, expiresAt } of grants.all(now)) {
    yield { kind: 'grant', position: grantedPosition, user: nameOf(userId), client: clientId, scope, resource, expires_at: expiresAt };
  }
  for (const { clientId, userId, scope, resource, issuedPosition, expiresAt } of accessTokens.live(now)) {
    yield { kind: 'token', position: issuedPosition, user: nameOf(userId), client: clientId, scope, resource, expires_at: expiresAt };
  }
}

const ERASED = 'erased user';

function isAskedFor(found: Found, { user, client, scope }: Question): boolean {
  return (user === undefined || found.user === user)
    && (client === undefined || found.client === client)
    && (scope === undefined || found.scope.includes(scope));
}

function described({ kind, position, user, client, scope, resource = [], expires_at }: Found, { clients }: PastProjections): Held {
  const application = client === null ? null : (clients.find(client)?.name ?? null);
  return { kind, position, user, client, application, scope: formatScope(scope), resource: resource.length === 0 ? null : resource.join(' '), expires_at };
}
