import { decodeEvent } from '../domain/events.ts';
import { unreachable } from '../domain/values.ts';
import type { Projection } from '../event-store/projector.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';

export interface Group {
  /** Groups are numbered from 1 in the order of the log. */
  readonly id: number;
  readonly name: string;
}

export interface Groups extends Projection {
  /** At most `limit` groups with an id above `after`, in ascending order. */
  page(after: number, limit: number): readonly Group[];
  all(): readonly Group[];
}

export function createGroups(): Groups {
  const groups: Group[] = [];

  return {
    name: 'groups',
    page: (after, limit) => groups.slice(after, after + limit),
    all: () => groups,
    contents: () => groups,
    freeze: () => jsonPieces([...groups]),
    restore: (piece) => void groups.push(...parseEntries<Group>(piece)),

    apply(event) {
      const { type, data } = decodeEvent(event);
      switch (type) {
        case 'GroupCreated': {
          groups.push({ id: groups.length + 1, name: data.name });
          return;
        }
        case 'ConsentGiven':
        case 'AuthorizationCodeIssued':
        case 'AuthorizationCodeRedeemed':
        case 'AccessTokenIssued':
        case 'RefreshTokenIssued':
        case 'RefreshTokenRotated':
        case 'GrantSummarized':
        case 'GrantRevoked':
        case 'ClientRegistered':
        case 'ClientUpdated':
        case 'ClientSecretRotated':
        case 'ClientSecretRehashed':
        case 'ClientRemoved':
        case 'UserRegistered':
        case 'UserProfileChanged':
        case 'PasswordChanged':
        case 'UserDisabled':
        case 'UserEnabled':
        case 'UserErased':
        case 'AllSessionsEnded':
        case 'SessionStarted':
        case 'SessionEnded':
        case 'UserRolesChanged':
        case 'PasswordRehashed':
        case 'PasskeyAdded':
        case 'PasskeyRemoved':
        case 'ClockSetBack':
          return;
        default:
          return unreachable(type);
      }
    },
  };
}
