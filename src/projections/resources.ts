import type { EventOf } from '../domain/events.ts';
import type { ResourceServerSettings } from '../domain/resource-settings.ts';
import type { UserId } from '../domain/values.ts';
import type { Position, RecordedEvent, Revision } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';

/** A registered resource server (RFC 8707). */
export interface ResourceServer extends ResourceServerSettings {
  /** A hash of its URI, which is also part of the stream name. */
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

export function createResources(): ResourceServers {
  const byUri = new Map<string, ResourceServer>();
  /** Computed once after each change, because every request for a resource server needs it. */
  let cachedList: readonly ResourceServer[] | undefined;

  function put(
    { uri, settings }: EventOf<'ResourceRegistered'>['data'],
    { stream, revision, position, recordedAt }: RecordedEvent,
  ): void {
    cachedList = undefined;
    const resourceId = stream.slice('resource-'.length);
    const registeredAt = byUri.get(uri)?.registeredAt ?? Math.floor(recordedAt / 1000);
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
      for (const [uri, resource] of byUri) {
        if (resource.ownerId !== userId) continue;
        cachedList = undefined;
        byUri.set(uri, { ...resource, ownerId: null });
      }
    },
  });

  const listAll = (): readonly ResourceServer[] => (cachedList ??= [...byUri.values()]);

  return {
    name: 'resources',
    all: listAll,
    find: (uri) => byUri.get(uri),
    findById: (resourceId) => listAll().find((resource) => resource.resourceId === resourceId),
    ownedBy: (userId) => listAll().filter(({ ownerId }) => ownerId === userId),
    contents: listAll,
    freeze: () => jsonPieces([...listAll()]),
    restore(piece) {
      for (const resource of parseEntries<ResourceServer>(piece)) byUri.set(resource.uri, resource);
      cachedList = undefined;
    },
    ...handlers,
  };
}
