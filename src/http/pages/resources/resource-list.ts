import type { UserId } from '../../../domain/values.ts';
import type { ResourceServer } from '../../../projections/resources.ts';
import { textColumn, timeColumn, type PageList } from '../lists/page-list.ts';

/** @param nameOf the name of a user, or undefined for an erased one */
export function resourceList(
  nameOf: (userId: UserId) => string | undefined,
  mayRegister: boolean,
): PageList<ResourceServer> {
  const owner = ({ ownerId }: ResourceServer): string => (ownerId === null ? '' : (nameOf(ownerId) ?? ''));
  return {
    noun: ['resource server', 'resource servers'],
    searchLabel: 'Search by name, address, owner or scope',
    id: ({ resourceId }) => resourceId,
    texts: (resource) => [resource.name, resource.uri, owner(resource), scopesOf(resource)],
    filters: [],
    columns: [
      textColumn(
        'name',
        'Resource server',
        ({ name }) => name,
        ({ resourceId, name }) => ({ text: name, href: `/o/resources/${resourceId}/` }),
      ),
      textColumn(
        'uri',
        'Address',
        ({ uri }) => uri,
        ({ uri }) => ({ text: uri, code: true }),
      ),
      textColumn('scopes', 'Scopes', scopesOf, (resource) =>
        resource.scopes.length === 0 ? { text: 'all of the server' } : { text: scopesOf(resource), code: true },
      ),
      textColumn('owner', 'Owner', owner, (resource) =>
        owner(resource) === '' ? { text: 'administrators' } : { text: owner(resource) },
      ),
      timeColumn('registered', 'Registered', ({ registeredAt }) => registeredAt),
    ],
    sort: { by: 'name', direction: 'ascending' },
    empty: {
      icon: 'shield-check',
      text: mayRegister
        ? 'Register an API, such as an MCP server, to define its scopes and the format of its tokens.'
        : 'An administrator registers them, and can make you the owner of yours.',
      action: mayRegister ? { href: '/o/resources/register/', text: 'Register a resource server' } : null,
    },
  };
}

function scopesOf({ scopes }: ResourceServer): string {
  return scopes.map(({ name }) => name).join(' ');
}
