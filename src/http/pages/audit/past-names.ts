import { findUnknownNames, type AccessFilter, type PastProjections } from '../../../audit/queries/access-report.ts';
import { normalizeUserName } from '../../../domain/user-name.ts';
import { joinTexts, message } from '../../../language/message.ts';
import type { FieldErrors } from '../page-context.ts';

/** Enough to recognize the correct id. */
const MAX_SUGGESTIONS = 5;

/**
 * Resolves the names in the filter as of the moment of the projections. An application may be identified by its client
 * id, or by its name if no other application had that name. Returns an error for each name that was unknown or
 * ambiguous.
 */
export function resolveNames(
  { users, clients }: Pick<PastProjections, 'users' | 'clients'>,
  { user, client, scope }: AccessFilter,
): { readonly filter: AccessFilter; readonly errors: FieldErrors } {
  const match = user === undefined ? undefined : users.findByName(normalizeUserName(user));
  const ids = client === undefined || clients.find(client) !== undefined ? [] : clientIdsByName(client, clients);
  const filter = { user: match?.username ?? user, client: ids.length === 1 ? ids[0] : client, scope };
  const messages = { user: message('as-of.unknown-user'), client: message('as-of.unknown-client') };
  const unknownErrors = Object.fromEntries(
    findUnknownNames({ users, clients }, filter).map((name) => [name, messages[name]]),
  );
  return { filter, errors: ids.length > 1 ? { ...unknownErrors, client: severalClientsError(ids) } : unknownErrors };
}

function clientIdsByName(name: string, clients: PastProjections['clients']): readonly string[] {
  return [...clients.all()].flatMap((client) => (client.name === name ? [client.clientId] : []));
}

/** Returns the error for a name that several applications have. */
export function severalClientsError(ids: readonly string[]) {
  return message('filters.several-clients', { ids: joinTexts(ids.slice(0, MAX_SUGGESTIONS), 'problem.either') ?? '' });
}
