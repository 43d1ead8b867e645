import type { PublicKey } from '../domain/public-key.ts';
import { recordedSecond } from '../domain/recorded-second.ts';
import type { SigningPeriod } from '../domain/signing-keys.ts';
import type { AccessTokenFormat, ClientId, EpochSeconds, KeyId } from '../domain/values.ts';
import type { Position } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';

/** A key that signs tokens. The private key is not included. */
export interface SigningKey extends SigningPeriod {
  readonly publicKey: PublicKey;
  readonly introducedPosition: Position;
  /** Seconds since the epoch, as is `retiredAt`. */
  readonly introducedAt: number;
  readonly retiredAt: number | null;
  readonly retiredPosition: Position | null;
  /** The latest expiry of the tokens that the key signed for each client. */
  readonly lastExpiry: ReadonlyMap<ClientId, EpochSeconds>;
}

/** The recorded keys, including retired ones. */
export interface SigningKeys extends Projection {
  /** Returns the keys, oldest first. */
  all(): readonly SigningKey[];
  /** Returns the keys that are not retired, oldest first. */
  published(): readonly SigningKey[];
  find(kid: string): SigningKey | undefined;
  /**
   * Returns the time, in seconds since the epoch, until which JWT access tokens were signed with keys derived from the
   * server's key: when the first recorded key was introduced, or Infinity if none was. Returns undefined if no client
   * had JWT access tokens before that.
   */
  derivedKeysUsedUntil(): number | undefined;
}

interface FrozenKey extends Omit<SigningKey, 'lastExpiry'> {
  readonly lastExpiry: readonly (readonly [ClientId, EpochSeconds])[];
}

type Entry = FrozenKey | { readonly hadJwtClient: boolean };

export function createSigningKeys(): SigningKeys {
  const keys = new Map<KeyId, SigningKey & { readonly lastExpiry: Map<ClientId, EpochSeconds> }>();
  let hadJwtClient = false;
  /** The keys that are not retired, computed once after each change, because every signature needs them. */
  let publishedKeys: readonly SigningKey[] | undefined;

  function recordExpiry(kid: KeyId | undefined, clientId: ClientId, expiresAt: EpochSeconds): void {
    const expiry = kid === undefined ? undefined : keys.get(kid)?.lastExpiry;
    if (expiry !== undefined && (expiry.get(clientId) ?? 0) < expiresAt) expiry.set(clientId, expiresAt);
  }

  function recordFormat({ accessTokenFormat }: { readonly accessTokenFormat: AccessTokenFormat }): void {
    if (keys.size === 0 && accessTokenFormat === 'jwt') hadJwtClient = true;
  }

  const handlers = handleEvents<'signing-keys'>({
    SigningKeyIntroduced({ kid, algorithm, publicKey, from, until }, event) {
      publishedKeys = undefined;
      keys.set(kid, {
        kid,
        algorithm,
        publicKey,
        from,
        until,
        introducedPosition: event.position,
        introducedAt: recordedSecond(event),
        retired: null,
        retiredAt: null,
        retiredPosition: null,
        lastExpiry: new Map(),
      });
    },
    SigningKeyRetired({ kid, reason }, event) {
      publishedKeys = undefined;
      const key = keys.get(kid);
      if (key === undefined) return;
      keys.set(kid, { ...key, retired: reason, retiredAt: recordedSecond(event), retiredPosition: event.position });
    },
    AccessTokenIssued: ({ kid, clientId, expiresAt }) => recordExpiry(kid, clientId, expiresAt),
    IdTokenIssued: ({ kid, clientId, expiresAt }) => recordExpiry(kid, clientId, expiresAt),
    ClientRegistered: recordFormat,
    ClientUpdated: recordFormat,
    ClientDocumentAccepted: recordFormat,
  });

  const frozenEntries = (): readonly Entry[] => [
    { hadJwtClient },
    ...[...keys.values()].map((key): FrozenKey => ({ ...key, lastExpiry: [...key.lastExpiry] })),
  ];

  return {
    name: 'signing-keys',
    all: () => [...keys.values()],
    published: () => (publishedKeys ??= [...keys.values()].filter(({ retired }) => retired === null)),
    find: (kid) => keys.get(kid as KeyId),
    derivedKeysUsedUntil() {
      if (!hadJwtClient) return undefined;
      const [first] = keys.values();
      return first?.introducedAt ?? Infinity;
    },
    contents: frozenEntries,
    freeze: () => jsonPieces(frozenEntries()),
    restore(piece) {
      for (const entry of parseEntries<Entry>(piece)) {
        if ('hadJwtClient' in entry) ({ hadJwtClient } = entry);
        else keys.set(entry.kid, { ...entry, lastExpiry: new Map(entry.lastExpiry) });
      }
    },
    ...handlers,
  };
}
