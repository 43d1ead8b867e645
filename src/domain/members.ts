import type { ClientMode, MemberRole, UserId } from './values.ts';

export interface Member {
  readonly userId: UserId;
  readonly role: MemberRole;
}

/** The members of a client. Only `ClientState` includes users whose accounts have been erased. */
export interface WithMembers<M extends Member = Member> {
  /** In the order in which they were given their roles. A user has at most one role. */
  readonly members: readonly M[];
}

/** Returns the user's role, or undefined if the user is not a member. */
export function roleOf({ members }: WithMembers, userId: UserId | undefined): MemberRole | undefined {
  return members.find((member) => member.userId === userId)?.role;
}

/** Reports whether the user is an owner of the client. */
export function isOwner(client: WithMembers, userId: UserId | undefined): boolean {
  return roleOf(client, userId) === 'owner';
}

/** Returns the owners, the longest-standing first, or an empty list if only administrators manage the client. */
export function ownersOf<M extends Member>({ members }: WithMembers<M>): readonly M[] {
  return members.filter(({ role }) => role === 'owner');
}

/** Returns the test users, in the order in which they were given the role. */
export function testUsersOf<M extends Member>({ members }: WithMembers<M>): readonly M[] {
  return members.filter(({ role }) => role === 'test-user');
}

/** Reports whether the client may get codes and tokens for the user. In test mode, the user must be a member. */
export function isOpenTo(client: WithMembers & { readonly mode: ClientMode }, userId: UserId): boolean {
  return client.mode === 'live' || roleOf(client, userId) !== undefined;
}

/** Returns the members with `member` appended. The new role replaces any earlier role of the same user. */
export function withMember<M extends Member>(members: readonly M[], member: M): readonly M[] {
  return [...withoutMember(members, member.userId), member];
}

/** Returns the members without the user. */
export function withoutMember<M extends Member>(members: readonly M[], userId: UserId): readonly M[] {
  return members.filter((member) => member.userId !== userId);
}
