import type { Revision, ObservedRevision, StreamName } from '../event-store/event-log.ts';
import type { ClientId, GrantId } from './values.ts';

/** The names of the streams: one for each thing that must not race. */
export const grantStream = (id: GrantId): StreamName => `grant-${id}`;
export const clientStream = (id: ClientId): StreamName => `client-${id}`;
/** `nameHash` is keyed: the log alone does not tell whether somebody has an account. */
export const userStream = (nameHash: string): StreamName => `user-${nameHash}`;
export const groupStream = (nameHash: string): StreamName => `group-${nameHash}`;
export const sessionStream = (sessionHash: string): StreamName => `session-${sessionHash}`;

/** Corrections of the server's clock. */
export const CLOCK_STREAM: StreamName = 'clock';

/** Grants and sessions: their names are random, so nobody asks for one that was never given, and none is given twice. */
export const isNeverReused = (stream: StreamName): boolean =>
  stream.startsWith('grant-') || stream.startsWith('session-');

interface ReadClient {
  readonly clientId: ClientId;
  readonly revision: Revision;
}

/** For decisions that hold only while nothing happens to the account. */
export const accountAsRead = ({ stream, revision }: ObservedRevision): ObservedRevision => ({ stream, revision });
/** For decisions that hold only while the client is not changed, given another secret or removed. */
export const clientAsRead = ({ clientId, revision }: ReadClient): ObservedRevision => ({
  stream: clientStream(clientId),
  revision,
});
