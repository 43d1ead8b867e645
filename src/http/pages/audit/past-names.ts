import { unknownNames, type AccessFilter, type PastProjections } from '../../../audit/queries/access-report.ts';
import { normalUserName } from '../../../domain/user-name.ts';
import { joinTexts, message } from '../../../language/message.ts';
import type { FieldErrors } from '../page-context.ts';

/** Enough to recognize the correct id. */
const MAX_SUGGESTIONS = 5;

/**
 * Finds the user and the application that the filter names, as they were at that time. An application may be named by
 * its client id or by its name, if only one had that name. The errors are about names that did not exist.
 */
export function resolveNames(
  { users, clients }: Pick<PastProjections, 'users' | 'clients'>,
  { user, client, scope }: AccessFilter,
): { readonly filter: AccessFilter; readonly errors: FieldErrors } {
  const found = user === undefined ? undefined : users.findByName(normalUserName(user));
  const ids = client === undefined || clients.find(client) !== undefined ? [] : idsNamed(client, clients);
  const filter = { user: found?.username ?? user, client: ids.length === 1 ? ids[0] : client, scope };
  const texts = { user: message('as-of.unknown-user'), client: message('as-of.unknown-client') };
  const unknown = Object.fromEntries(unknownNames({ users, clients }, filter).map((name) => [name, texts[name]]));
  return { filter, errors: ids.length > 1 ? { ...unknown, client: severalClientsError(ids) } : unknown };
}

function idsNamed(name: string, clients: PastProjections['clients']): readonly string[] {
  return [...clients.all()].flatMap((client) => (client.name === name ? [client.clientId] : []));
}

/** Returns the error for a name that several applications have. */
export function severalClientsError(ids: readonly string[]) {
  return message('filters.several-clients', { ids: joinTexts(ids.slice(0, MAX_SUGGESTIONS), 'problem.either') ?? '' });
}
