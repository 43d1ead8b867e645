import { usableProviders } from '../domain/login-ways.ts';
import type { ProviderSettings } from '../domain/provider-settings.ts';
import type { EpochSeconds, ProviderId } from '../domain/values.ts';
import type { Position, Revision } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

/** An OpenID provider that users can log in through. */
export interface UpstreamProvider extends ProviderSettings {
  readonly providerId: ProviderId;
  /** The revision of the provider's stream. A decision based on the provider is outdated once the stream has grown. */
  readonly revision: Revision;
  /** The position of the provider's latest `UpstreamProviderSet` event. */
  readonly position: Position;
  readonly changedAt: EpochSeconds;
}

/** The current providers. */
export interface UpstreamProviders extends Projection {
  /** Finds a provider, even a disabled one. */
  find(providerId: string): UpstreamProvider | undefined;
  /** Finds a provider, unless it is disabled. */
  findEnabled(providerId: string): UpstreamProvider | undefined;
  /** Returns all providers, in the order in which they were added. */
  all(): readonly UpstreamProvider[];
  /** Returns the providers that are not disabled. */
  allEnabled(): readonly UpstreamProvider[];
  /** Returns the providers through which users can log in: the required ones, or all enabled ones if none is. */
  allUsable(): readonly UpstreamProvider[];
  /** Returns the time of the last login through the provider, or undefined if no user has logged in through it. */
  lastLoginAt(providerId: string): EpochSeconds | undefined;
  /** Reports whether users can log in only through providers, because at least one enabled provider is required. */
  areRequired(): boolean;
}

type Entry = UpstreamProvider & { readonly lastLoginAt?: EpochSeconds };

const isEnabled = ({ disabled }: ProviderSettings): boolean => disabled !== true;

export function createUpstreamProviders(): UpstreamProviders {
  const byId = new Map<string, UpstreamProvider>();
  /** Stored separately from the settings, because a login does not change the settings. */
  const lastLogins = new Map<string, EpochSeconds>();
  const listAll = (): readonly UpstreamProvider[] => [...byId.values()];

  const handlers = handleEvents<'upstream-providers'>({
    UpstreamProviderSet({ providerId, settings }, event) {
      const { revision, position } = event;
      byId.set(providerId, { ...settings, providerId, revision, position, changedAt: recordedSecond(event) });
    },
    UpstreamProviderRemoved({ providerId }) {
      byId.delete(providerId);
      lastLogins.delete(providerId);
    },
    SessionStarted({ authentication }, event) {
      if (authentication?.method !== 'upstream' || !byId.has(authentication.providerId)) return;
      lastLogins.set(authentication.providerId, recordedSecond(event));
    },
  });

  return {
    name: 'upstream-providers',
    find: (providerId) => byId.get(providerId),
    findEnabled(providerId) {
      const provider = byId.get(providerId);
      return provider !== undefined && isEnabled(provider) ? provider : undefined;
    },
    all: listAll,
    allEnabled: () => listAll().filter(isEnabled),
    allUsable: () => usableProviders(listAll()),
    lastLoginAt: (providerId) => lastLogins.get(providerId),
    areRequired: () => usableProviders(listAll()).some(({ required }) => required),
    contents: () => [...listAll(), ...lastLogins],
    freeze: () =>
      jsonPieces(
        listAll().map((provider): Entry => {
          const lastLoginAt = lastLogins.get(provider.providerId);
          return lastLoginAt === undefined ? provider : { ...provider, lastLoginAt };
        }),
      ),
    restore(piece) {
      for (const { lastLoginAt, ...provider } of parseEntries<Entry>(piece)) {
        byId.set(provider.providerId, provider);
        if (lastLoginAt !== undefined) lastLogins.set(provider.providerId, lastLoginAt);
      }
    },
    ...handlers,
  };
}
