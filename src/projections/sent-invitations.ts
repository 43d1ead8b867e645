import type { EventOf, Role } from '../domain/events.ts';
import { mayAdminister } from '../domain/roles.ts';
import type { EpochSeconds, UserId } from '../domain/values.ts';
import type { Actor, RecordedEvent, StreamName } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

/** An invitation to create an account. It has not ended, but may have expired. */
export interface SentInvitation {
  /** Invitations are numbered from 1, in log order. */
  readonly id: number;
  readonly stream: StreamName;
  /** The administrator who last sent it; null if the sender was not a user. */
  readonly invitedBy: UserId | null;
  /** The actor who last sent it. */
  readonly sender: Actor;
  readonly roles: readonly Role[];
  /** The encrypted address and id of the invitation, as in the event. The key is destroyed when the invitation ends. */
  readonly sealed: string;
  /** The number of times it was sent. */
  readonly times: number;
  /** When it was last sent. */
  readonly sentAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

export interface SentInvitations extends Projection {
  /** Returns the invitations in order of their ids, including expired ones, because the projection has no clock. */
  all(): readonly SentInvitation[];
  find(id: number): SentInvitation | undefined;
  /** Returns the invitation whose events are in the stream, or undefined if it has ended. */
  findByStream(stream: StreamName): SentInvitation | undefined;
  /**
   * Returns the invitations that were accepted or withdrawn, or that ended because their last sender lost the role or
   * the account, even if the sender later regained it. Their keys must be destroyed.
   */
  ended(): Iterable<StreamName>;
  hasEnded(stream: StreamName): boolean;
}

type EndedEntry = readonly [stream: StreamName];

/** The number of invitations ever sent. It is stored because ids are never reused. */
interface InvitationCount {
  readonly count: number;
}

export function createSentInvitations(): SentInvitations {
  const byStream = new Map<StreamName, SentInvitation>();
  const endedStreams = new Set<StreamName>();
  /** Contains at least the last sender of each invitation. Invitations are searched only for users in this set. */
  const inviters = new Set<UserId>();
  let count = 0;
  const listAll = (): readonly SentInvitation[] => [...byStream.values()];

  function send(
    { invitedBy, sealed, roles, expiresAt }: EventOf<'InvitationSent'>['data'],
    event: RecordedEvent,
  ): void {
    const { stream, actor: sender } = event;
    // The invitation had already ended, but the sender did not know that yet.
    if (endedStreams.has(stream)) return;
    const { id = (count += 1), times = 0 } = byStream.get(stream) ?? {};
    const sentAt = recordedSecond(event);
    store({ id, stream, invitedBy, sender, roles, sealed, times: times + 1, sentAt, expiresAt });
  }

  function store(invitation: SentInvitation): void {
    byStream.set(invitation.stream, invitation);
    if (invitation.invitedBy !== null) inviters.add(invitation.invitedBy);
  }

  function end({ stream }: Pick<RecordedEvent, 'stream'>): void {
    byStream.delete(stream);
    endedStreams.add(stream);
  }

  function endInvitationsFrom(userId: UserId): void {
    if (!inviters.delete(userId)) return;
    for (const invitation of listAll()) if (invitation.invitedBy === userId) end(invitation);
  }

  const handlers = handleEvents<'sent-invitations'>({
    InvitationSent: send,
    InvitationWithdrawn: (_data, event) => end(event),
    InvitationAccepted: (_data, event) => end(event),
    UserRolesChanged({ userId, roles }) {
      if (!mayAdminister(roles)) endInvitationsFrom(userId);
    },
    UserDisabled: ({ userId }) => endInvitationsFrom(userId),
    UserErased: ({ userId }) => endInvitationsFrom(userId),
  });

  return {
    name: 'sent-invitations',
    all: listAll,
    find: (id) => listAll().find((invitation) => invitation.id === id),
    findByStream: (stream) => byStream.get(stream),
    ended: () => endedStreams,
    hasEnded: (stream) => endedStreams.has(stream),
    contents: () => [...listAll(), ...endedStreams],
    freeze: () =>
      jsonPieces([
        ...listAll(),
        ...[...endedStreams].map((stream): EndedEntry => [stream]),
        { count } satisfies InvitationCount,
      ]),
    restore(piece) {
      for (const entry of parseEntries<SentInvitation | EndedEntry | InvitationCount>(piece)) {
        if ('count' in entry) count = entry.count;
        else if ('sealed' in entry) store(entry);
        else endedStreams.add(entry[0]);
      }
    },

    ...handlers,
  };
}
