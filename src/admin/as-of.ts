import { z } from 'zod';
import type { Resources } from '../domain/resource.ts';
import { formatScope } from '../domain/scope.ts';
import type { UserId } from '../domain/values.ts';
import type { PastProjections } from './administration.ts';
import { streaming, type Operation } from './operation.ts';

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
export const asOfOperations: Readonly<Record<string, Operation>> = {
  'log as-of': streaming(question, async function* (asked, { projectionsAsOf }) {
    const { projections, last } = await projectionsAsOf({ position: asked.position ?? Infinity, time: asked.time ?? Infinity });
    const now = Math.floor((asked.time ?? last?.recordedAt ?? 0) / 1000);
    yield { as_of: last?.position ?? 0, recorded_at: last?.recordedAt ?? null } satisfies AsOf;
    for (const held of everything(projections, now)) if (isAskedFor(held, asked)) yield held;
  }),
};

function* everything({ users, clients, grants, accessTokens }: PastProjections, now: number): Generator<Held, void, void> {
  const nameOf = (userId: UserId | null): string | null => (userId === null ? null : users.find(userId)?.username || 'erased user');
  const applicationOf = (clientId: string): string | null => clients.find(clientId)?.name ?? null;

  for (const { username, registeredPosition, roles } of users.all()) {
    yield { kind: 'account', position: registeredPosition, user: username || 'erased user', client: null, application: null, scope: formatScope(roles), resource: null, expires_at: null };
  }
  for (const { clientId, name, ownerId, registeredPosition } of clients.all()) {
    yield { kind: 'application', position: registeredPosition, user: nameOf(ownerId), client: clientId, application: name, scope: '', resource: null, expires_at: null };
  }
  for (const { clientId, userId, scope, resource, grantedPosition, expiresAt } of grants.all(now)) {
    yield { kind: 'grant', position: grantedPosition, user: nameOf(userId), client: clientId, application: applicationOf(clientId), scope: formatScope(scope), resource: namesOf(resource), expires_at: expiresAt };
  }
  for (const { clientId, userId, scope, resource, issuedPosition, expiresAt } of accessTokens.live(now)) {
    yield { kind: 'token', position: issuedPosition, user: nameOf(userId), client: clientId, application: applicationOf(clientId), scope: formatScope(scope), resource: namesOf(resource), expires_at: expiresAt };
  }
}

function namesOf(resource: Resources = []): string | null {
  return resource.length === 0 ? null : resource.join(' ');
}

function isAskedFor(held: Held, { user, client, scope }: Question): boolean {
  return (user === undefined || held.user === user)
    && (client === undefined || held.client === client)
    && (scope === undefined || held.scope.split(' ').includes(scope));
}
