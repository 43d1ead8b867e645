import type { UserId } from '../../../domain/values.ts';
import type { ResourceServer } from '../../../projections/resources.ts';
import { message } from '../../../language/message.ts';
import { textColumn, timeColumn, type PageList } from '../lists/page-list.ts';

/**
 * Defines the list of the resource servers that the reader manages.
 * @param findUserName returns the name of a user, or undefined for an erased account
 * @param mayRegister whether the reader may register resource servers
 */
export function resourceList(
  findUserName: (userId: UserId) => string | undefined,
  mayRegister: boolean,
): PageList<ResourceServer> {
  const ownerName = ({ ownerId }: ResourceServer): string => (ownerId === null ? '' : (findUserName(ownerId) ?? ''));
  return {
    name: message('listed.resource-servers'),
    countMessage: 'listed.resource-servers.count',
    fileName: 'resource-servers',
    searchLabel: message('search.name-address-owner-or-scope'),
    id: ({ resourceId }) => resourceId,
    texts: (resource) => [resource.name, resource.uri, ownerName(resource), scopeNames(resource)],
    filters: [
      {
        name: 'owner',
        title: message('column.owner'),
        choices: [
          { value: 'users', title: message('choice.users'), matches: (resource) => ownerName(resource) !== '' },
          { value: 'none', title: message('value.administrators'), matches: (resource) => ownerName(resource) === '' },
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
      textColumn('scopes', message('column.scopes'), scopeNames, (resource) =>
        resource.scopes.length === 0
          ? { text: message('value.all-of-server') }
          : { text: scopeNames(resource), code: true },
      ),
      textColumn('owner', message('column.owner'), ownerName, (resource) =>
        ownerName(resource) === '' ? { text: message('value.administrators') } : { text: ownerName(resource) },
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

function scopeNames({ scopes }: ResourceServer): string {
  return scopes.map(({ name }) => name).join(' ');
}
