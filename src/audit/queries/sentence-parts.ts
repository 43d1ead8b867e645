import type { Scope } from '../../domain/scope.ts';
import type { ClientId, GroupId, UserId } from '../../domain/values.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Groups } from '../../projections/groups.ts';
import type { Users } from '../../projections/users.ts';
import { ERASED_USER } from './access-report.ts';

/** A part of a sentence. Names chosen by users are kept separate from fixed text. */
export interface SentencePart {
  readonly is: 'words' | 'user' | 'application';
  readonly text: string;
}

/** Current names; undefined for erased users and removed applications. Removed groups keep their names. */
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

export function userPart(userId: UserId | null, names: Names): SentencePart {
  return userId === null ? { is: 'words', text: 'nobody' } : { is: 'user', text: names.user(userId) || ERASED_USER };
}

/** A removed application is named by its id. */
export function applicationPart(clientId: ClientId | null, names: Names): SentencePart {
  return clientId === null
    ? { is: 'words', text: 'an application' }
    : { is: 'application', text: names.application(clientId) ?? clientId };
}

/** The name of the group, also after it was removed. */
export function groupText(groupId: GroupId, names: Names): string {
  return `the group ${names.group(groupId) ?? groupId}`;
}

export function scopeText(scope: Scope): string {
  return scope.length === 0 ? 'no scope' : scope.join(', ');
}

/** A sentence from fixed text and its parts. */
export function say(
  words: TemplateStringsArray,
  ...parts: readonly (SentencePart | readonly SentencePart[] | string)[]
): readonly SentencePart[] {
  const pieces = words.flatMap((text, index): readonly SentencePart[] => {
    const part = parts[index] ?? [];
    return [
      { is: 'words', text },
      ...(typeof part === 'string' ? [{ is: 'words', text: part } as const] : [part].flat()),
    ];
  });
  return pieces.filter(({ text }) => text !== '');
}
