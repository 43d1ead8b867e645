import type { Scope } from '../../domain/scope.ts';
import { unreachable, type ClientId, type GroupId, type UserId } from '../../domain/values.ts';
import type { Actor } from '../../event-store/event-log.ts';
import { message, type MessageValues, type Text } from '../../language/message.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Groups } from '../../projections/groups.ts';
import type { Users } from '../../projections/users.ts';

/** A user, an application or another party that a sentence mentions. */
export interface Party {
  /** `unknown` is an application without a recorded id; `nobody` means that there is no user. */
  readonly kind: 'named' | 'erased' | 'nobody' | 'unknown' | 'operator' | 'server';
  /** The user name, or the name or the id of the application; empty for any other party. */
  readonly name: string;
}

/** Current names, or undefined for erased users and removed applications. Removed groups keep their names. */
export interface Names {
  readonly user: (userId: UserId) => string | undefined;
  readonly application: (clientId: ClientId) => string | undefined;
  readonly group: (groupId: GroupId) => string | undefined;
}

export function createNameLookup({
  users,
  clients,
  groups,
}: {
  readonly users: Pick<Users, 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly groups: Pick<Groups, 'nameOf'>;
}): Names {
  return {
    user: (userId) => users.find(userId)?.username,
    application: (clientId) => clients.find(clientId)?.name,
    group: groups.nameOf,
  };
}

export function userParty(userId: UserId | null, names: Names): Party {
  if (userId === null) return { kind: 'nobody', name: '' };
  const name = names.user(userId) ?? '';
  return { kind: name === '' ? 'erased' : 'named', name };
}

/** Returns the application as a party. A removed application is named by its id. */
export function applicationParty(clientId: ClientId | null, names: Names): Party {
  return clientId === null
    ? { kind: 'unknown', name: '' }
    : { kind: 'named', name: names.application(clientId) ?? clientId };
}

export function actorParty(actor: Actor, names: Names): Party {
  switch (actor.kind) {
    case 'user':
      return userParty(actor.id as UserId, names);
    case 'client':
      return applicationParty(actor.id as ClientId, names);
    case 'operator':
    case 'server':
      return { kind: actor.kind, name: '' };
    default:
      return unreachable(actor);
  }
}

/** Returns the text for the party that caused an event, for use outside a sentence. */
export function actorText(actor: Actor, names: Names): Text {
  const { kind, name } = actorParty(actor, names);
  if (kind === 'operator') return message('party.operator');
  if (kind === 'server') return message('party.server');
  return kind === 'erased' ? message('party.erased-user') : name;
}

/** Reports whether the user caused the event. */
export function isBy(actor: Actor, userId: UserId): boolean {
  return actor.kind === 'user' && actor.id === userId;
}

/** Returns two message arguments for each party, its name and its kind: see `sentence-parties.ts` in the catalog. */
export function partyValues(parties: Readonly<Record<string, Party>>): MessageValues {
  return Object.fromEntries(
    Object.entries(parties).flatMap(([argument, { kind, name }]) => [
      [argument, { names: [name] }],
      [`${argument}Is`, kind],
    ]),
  );
}

/** Returns two message arguments for each optional part of a sentence: the part, and whether it is present. */
export function optionalValues(texts: Readonly<Record<string, Text | undefined>>): MessageValues {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([argument, text]) => [
      [argument, text ?? ''],
      [`${argument}Is`, text === undefined ? 'none' : 'some'],
    ]),
  );
}

export function scopeText(scope: Scope): Text {
  return scope.length === 0 ? message('sentence.no-scope') : scope.join(', ');
}
