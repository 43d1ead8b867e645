import type { EventOf } from '../domain/events.ts';
import { recordedSecond } from '../domain/recorded-second.ts';
import type { ResourceServerSettings } from '../domain/resource-settings.ts';
import type { UserId } from '../domain/values.ts';
import type { Position, RecordedEvent, Revision } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';

/** A registered resource server (RFC 8707). */
export interface ResourceServer extends ResourceServerSettings {
  /** A hash of the URI; also part of the stream name. */
  readonly resourceId: string;
  readonly uri: string;
  /** The revision of its stream. A decision based on it is outdated once the stream has grown. */
  readonly revision: Revision;
  readonly position: Position;
  /** Seconds since the epoch. */
  readonly registeredAt: number;
}

/** The registered resource servers, not including removed ones. */
export interface ResourceServers extends Projection {
  /** Returns the resource servers in the order of their registration. */
  all(): readonly ResourceServer[];
  find(uri: string): ResourceServer | undefined;
  findById(resourceId: string): ResourceServer | undefined;
  ownedBy(userId: UserId): readonly ResourceServer[];
}

export function createResourceServers(): ResourceServers {
  const byUri = new Map<string, ResourceServer>();
  /** The list of all resource servers, computed once after each change, because most requests need it. */
  let cachedList: readonly ResourceServer[] | undefined;

  function put({ uri, settings }: EventOf<'ResourceRegistered'>['data'], event: RecordedEvent): void {
    cachedList = undefined;
    const { stream, revision, position } = event;
    const resourceId = stream.slice('resource-'.length);
    const registeredAt = byUri.get(uri)?.registeredAt ?? recordedSecond(event);
    byUri.set(uri, { ...settings, resourceId, uri, revision, position, registeredAt });
  }

  const handlers = handleEvents<'resources'>({
    ResourceRegistered: put,
    ResourceUpdated: put,
    ResourceRemoved({ uri }) {
      cachedList = undefined;
      byUri.delete(uri);
    },
    UserErased({ userId }) {
      for (const [uri, server] of byUri) {
        if (server.ownerId !== userId) continue;
        cachedList = undefined;
        byUri.set(uri, { ...server, ownerId: null });
      }
    },
  });

  const listAll = (): readonly ResourceServer[] => (cachedList ??= [...byUri.values()]);

  return {
    name: 'resources',
    all: listAll,
    find: (uri) => byUri.get(uri),
    findById: (resourceId) => listAll().find((server) => server.resourceId === resourceId),
    ownedBy: (userId) => listAll().filter(({ ownerId }) => ownerId === userId),
    contents: listAll,
    freeze: () => jsonPieces([...listAll()]),
    restore(piece) {
      for (const server of parseEntries<ResourceServer>(piece)) byUri.set(server.uri, server);
      cachedList = undefined;
    },
    ...handlers,
  };
}
