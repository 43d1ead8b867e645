import type { UserId } from '../../../domain/values.ts';
import type { ResourceServer } from '../../../projections/resources.ts';
import { message } from '../../../language/message.ts';
import { textColumn, timeColumn, type PageList } from '../lists/page-list.ts';

/** @param nameOf returns the name of a user, or undefined for an erased account */
export function resourceList(
  nameOf: (userId: UserId) => string | undefined,
  mayRegister: boolean,
): PageList<ResourceServer> {
  const owner = ({ ownerId }: ResourceServer): string => (ownerId === null ? '' : (nameOf(ownerId) ?? ''));
  return {
    name: message('listed.resource-servers'),
    counted: 'listed.resource-servers.count',
    fileName: 'resource-servers',
    searchLabel: message('search.name-address-owner-or-scope'),
    id: ({ resourceId }) => resourceId,
    texts: (resource) => [resource.name, resource.uri, owner(resource), scopesOf(resource)],
    filters: [
      {
        name: 'owner',
        title: message('column.owner'),
        choices: [
          { value: 'users', title: message('choice.users'), matches: (resource) => owner(resource) !== '' },
          { value: 'none', title: message('value.administrators'), matches: (resource) => owner(resource) === '' },
        ],
      },
    ],
    columns: [
      textColumn(
        'name',
        message('column.resource-server'),
        ({ name }) => name,
        ({ resourceId, name }) => ({ text: name, href: `/o/resources/${resourceId}/` }),
      ),
      textColumn(
        'uri',
        message('column.address'),
        ({ uri }) => uri,
        ({ uri }) => ({ text: uri, code: true }),
      ),
      textColumn('scopes', message('column.scopes'), scopesOf, (resource) =>
        resource.scopes.length === 0
          ? { text: message('value.all-of-server') }
          : { text: scopesOf(resource), code: true },
      ),
      textColumn('owner', message('column.owner'), owner, (resource) =>
        owner(resource) === '' ? { text: message('value.administrators') } : { text: owner(resource) },
      ),
      timeColumn('registered', message('column.registered'), ({ registeredAt }) => registeredAt),
    ],
    sort: { by: 'name', direction: 'ascending' },
    empty: {
      icon: 'shield-check',
      text: mayRegister ? message('empty.resource-servers') : message('empty.resource-servers.others'),
      action: mayRegister ? { href: '/o/resources/register/', text: message('empty.resource-servers.action') } : null,
    },
  };
}

function scopesOf({ scopes }: ResourceServer): string {
  return scopes.map(({ name }) => name).join(' ');
}
