import type { EventOf } from '../domain/events.ts';
import type { RecoveryCodesId, TotpId, UserId } from '../domain/values.ts';
import type { RecordedEvent } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';
import type { Unseal } from './sealed-data.ts';

/** An authenticator app. */
export interface Totp {
  readonly totpId: TotpId;
  /** In base32. */
  readonly secret: string;
  /** Seconds since the epoch, as are the other times. */
  readonly addedAt: number;
  /** When a session was last started with one of its codes, or null if none was. */
  readonly lastUsedAt: number | null;
  /** The time steps of the codes that most recently started sessions; reuse of a code is refused without an append. */
  readonly usedSteps: readonly number[];
}

export interface RecoveryCodes {
  readonly codesId: RecoveryCodesId;
  /** SHA-256 of each code, in base64url. */
  readonly hashes: readonly string[];
  readonly generatedAt: number;
  /** The numbers of the used codes, starting at 1. */
  readonly used: readonly number[];
}

/** The authenticator apps and recovery codes of accounts that have not been erased. */
export interface SecondFactors extends Projection {
  totpOf(userId: UserId): Totp | undefined;
  recoveryCodesOf(userId: UserId): RecoveryCodes | undefined;
  /** Returns the number of accounts that have an authenticator app. */
  size(): number;
}

type StoredTotp = Omit<Totp, 'secret'> & { readonly userId: UserId; readonly sealed: string };
type StoredCodes = Omit<RecoveryCodes, 'hashes'> & { readonly userId: UserId; readonly sealed: string };

/** Greater than the number of time steps for which a code is valid. */
const MAX_USED_STEPS = 8;

export function createSecondFactors(unseal: Unseal): SecondFactors {
  /** `opened`, the decrypted part, is undefined if the key has been destroyed; a later event records the erasure. */
  const totps = new Map<UserId, { readonly entry: StoredTotp; readonly opened: string | undefined }>();
  const codes = new Map<UserId, { readonly entry: StoredCodes; readonly opened: readonly string[] | undefined }>();

  function addTotp(entry: StoredTotp): void {
    totps.set(entry.userId, { entry, opened: unseal(entry.userId, entry.sealed)?.totpSecret });
  }

  function addCodes(entry: StoredCodes): void {
    codes.set(entry.userId, { entry, opened: unseal(entry.userId, entry.sealed)?.recoveryCodes });
  }

  function recordCodeUse({ userId, codesId, number }: EventOf<'RecoveryCodeUsed'>['data']): void {
    const currentCodes = codes.get(userId);
    if (currentCodes?.entry.codesId !== codesId) return;
    codes.set(userId, {
      ...currentCodes,
      entry: { ...currentCodes.entry, used: [...currentCodes.entry.used, number] },
    });
  }

  function recordStepUse({ userId, authentication }: EventOf<'SessionStarted'>['data'], event: RecordedEvent): void {
    if (authentication === undefined || authentication.method === 'passkey') return;
    const { secondFactor } = authentication;
    const currentApp = totps.get(userId);
    if (secondFactor?.method !== 'totp' || currentApp?.entry.totpId !== secondFactor.totpId) return;
    const usedSteps = [...currentApp.entry.usedSteps, secondFactor.step].slice(-MAX_USED_STEPS);
    const entry = { ...currentApp.entry, usedSteps, lastUsedAt: recordedSecond(event) };
    totps.set(userId, { ...currentApp, entry });
  }

  function removeFactorsOfUser({ userId }: { readonly userId: UserId }): void {
    totps.delete(userId);
    codes.delete(userId);
  }

  const handlers = handleEvents<'second-factors'>({
    TotpAdded: (data, event) => addTotp({ ...data, addedAt: recordedSecond(event), lastUsedAt: null, usedSteps: [] }),
    TotpRemoved: ({ userId }) => void totps.delete(userId),
    RecoveryCodesGenerated: (data, event) => addCodes({ ...data, generatedAt: recordedSecond(event), used: [] }),
    RecoveryCodeUsed: recordCodeUse,
    SecondFactorsRemoved: removeFactorsOfUser,
    SessionStarted: recordStepUse,
    UserErased: removeFactorsOfUser,
  });

  return {
    name: 'second-factors',
    totpOf(userId) {
      const app = totps.get(userId);
      if (app?.opened === undefined) return undefined;
      const { totpId, addedAt, lastUsedAt, usedSteps } = app.entry;
      return { totpId, secret: app.opened, addedAt, lastUsedAt, usedSteps };
    },
    recoveryCodesOf(userId) {
      const userCodes = codes.get(userId);
      if (userCodes?.opened === undefined) return undefined;
      const { codesId, generatedAt, used } = userCodes.entry;
      return { codesId, hashes: userCodes.opened, generatedAt, used };
    },
    size: () => totps.size,
    *contents() {
      yield* totps.values();
      yield* codes.values();
    },
    freeze: () =>
      jsonPieces([...[...totps.values()].map(({ entry }) => entry), ...[...codes.values()].map(({ entry }) => entry)]),
    restore(piece) {
      for (const entry of parseEntries<StoredTotp | StoredCodes>(piece)) {
        if ('totpId' in entry) addTotp(entry);
        else addCodes(entry);
      }
    },

    ...handlers,
  };
}
