import type { TrustedIssuerSettings } from '../domain/issuer-settings.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { Position, Revision } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { clientIdOf } from './clients.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

/** Another server whose JWTs are accepted. */
export interface TrustedIssuer extends TrustedIssuerSettings {
  /** A hash of the issuer identifier, which is also part of the stream name. */
  readonly issuerId: string;
  readonly issuer: string;
  /** The revision of the issuer's stream. A decision based on the issuer is outdated once the stream has grown. */
  readonly revision: Revision;
  /** The position of the issuer's latest `TrustedIssuerSet` event. */
  readonly position: Position;
  readonly changedAt: EpochSeconds;
}

/** The currently trusted issuers. Clients that have been removed are omitted from their settings. */
export interface TrustedIssuers extends Projection {
  find(issuer: string): TrustedIssuer | undefined;
  findById(issuerId: string): TrustedIssuer | undefined;
  /** Returns the issuers in the order in which they were added. */
  all(): readonly TrustedIssuer[];
}

export function createTrustedIssuers(): TrustedIssuers {
  const byIssuer = new Map<string, TrustedIssuer>();
  const listAll = (): readonly TrustedIssuer[] => [...byIssuer.values()];

  const handlers = handleEvents<'trusted-issuers'>({
    TrustedIssuerSet({ issuer, settings }, event) {
      const { stream, revision, position } = event;
      const issuerId = stream.slice('issuer-'.length);
      byIssuer.set(issuer, { ...settings, issuerId, issuer, revision, position, changedAt: recordedSecond(event) });
    },
    TrustedIssuerRemoved: ({ issuer }) => void byIssuer.delete(issuer),
    // Client ids are never reused, so these entries will not be needed again.
    ClientRemoved(_data, event) {
      const removedId = clientIdOf(event);
      for (const [issuer, trustedIssuer] of byIssuer)
        if (trustedIssuer.clients.some(({ clientId }) => clientId === removedId))
          byIssuer.set(issuer, {
            ...trustedIssuer,
            clients: trustedIssuer.clients.filter(({ clientId }) => clientId !== removedId),
          });
    },
  });

  return {
    name: 'trusted-issuers',
    find: (issuer) => byIssuer.get(issuer),
    findById: (issuerId) => listAll().find((trustedIssuer) => trustedIssuer.issuerId === issuerId),
    all: listAll,
    contents: listAll,
    freeze: () => jsonPieces(listAll()),
    restore(piece) {
      for (const trustedIssuer of parseEntries<TrustedIssuer>(piece)) byIssuer.set(trustedIssuer.issuer, trustedIssuer);
    },
    ...handlers,
  };
}
