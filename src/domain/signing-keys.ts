import { accept, noChange, refuse, type Decider, type Decision } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import type { PublicKey } from './public-key.ts';
import { unreachable, type EpochSeconds, type KeyId, type SigningAlgorithm } from './values.ts';

/** The events of the stream `signing-keys`: the keys that sign tokens. */
export type SigningKeyEvent = EventOf<'SigningKeyIntroduced' | 'SigningKeyRetired'>;

export type IntroductionReason = EventOf<'SigningKeyIntroduced'>['data']['reason'];
export type RetirementReason = EventOf<'SigningKeyRetired'>['data']['reason'];

export interface IntroduceSigningKey {
  readonly type: 'IntroduceSigningKey';
  readonly kid: KeyId;
  readonly algorithm: SigningAlgorithm;
  readonly publicKey: PublicKey;
  readonly from: EpochSeconds;
  readonly until: EpochSeconds;
  readonly reason: IntroductionReason;
  /**
   * The newest key for the algorithm that the sender knows of; null if the sender knows of none. If several nodes
   * rotate, only one succeeds.
   */
  readonly predecessor: KeyId | null;
  /** The current time. If set, the key is introduced only if its algorithm has no next key at that time. */
  readonly ifNoNextKeyAt?: EpochSeconds;
}

export interface RetireSigningKey {
  readonly type: 'RetireSigningKey';
  readonly kid: KeyId;
  readonly reason: RetirementReason;
  readonly now: EpochSeconds;
}

export type SigningKeyCommand = IntroduceSigningKey | RetireSigningKey;

export type SigningKeyRefusal =
  | 'key-exists'
  | 'key-succeeded'
  | 'next-key-exists'
  | 'period-ends-before-it-begins'
  | 'key-unknown'
  | 'key-retired'
  | 'key-in-use';

/** The period in which a key signs, and whether the key has been retired. */
export interface SigningPeriod {
  readonly kid: KeyId;
  readonly algorithm: SigningAlgorithm;
  readonly from: EpochSeconds;
  readonly until: EpochSeconds;
  readonly retired: RetirementReason | null;
}

/** All keys, oldest first. */
export type SigningPeriods = readonly SigningPeriod[];

/**
 * Returns the key that signs at `now`: the key whose period began last. If no period has begun, for example because the
 * current key was retired, it is the key whose period begins first. Returns undefined if there is no usable key and one
 * must be introduced.
 */
export function keyInUse<Key extends SigningPeriod>(
  keys: readonly Key[],
  algorithm: SigningAlgorithm,
  now: number,
): Key | undefined {
  const usableKeys = keys
    .filter((key) => key.algorithm === algorithm && key.retired === null && now < key.until)
    .toSorted((a, b) => a.from - b.from);
  return usableKeys.findLast(({ from }) => from <= now) ?? usableKeys[0];
}

/** `signs`: it signs now; `next`: it will sign later; `past`: it no longer signs, but its tokens may still be valid. */
export type SigningKeyStatus = 'signs' | 'next' | 'past' | 'retired';

/**
 * Returns the status of the key at `now`.
 * @param keys all keys, with or without the retired ones
 */
export function signingKeyStatus(
  key: SigningPeriod,
  keys: readonly SigningPeriod[],
  now: EpochSeconds,
): SigningKeyStatus {
  if (key.retired !== null) return 'retired';
  if (keyInUse(keys, key.algorithm, now)?.kid === key.kid) return 'signs';
  return now < key.from ? 'next' : 'past';
}

/** Returns the keys that will sign after the current keys of their algorithms. */
export function nextKeys<Key extends SigningPeriod>(keys: readonly Key[], now: EpochSeconds): readonly Key[] {
  return keys.filter((key) => signingKeyStatus(key, keys, now) === 'next');
}

/** How long caches may hold a key set that lacks a new key. */
export const ROTATION_DELAY_SECONDS = 86_400;

/** Returns the key that was introduced most recently for the algorithm, if any. */
export function newestKey<Key extends SigningPeriod>(
  keys: readonly Key[],
  algorithm: SigningAlgorithm,
): Key | undefined {
  return keys.findLast((key) => key.algorithm === algorithm);
}

function hasNextKey(keys: SigningPeriods, algorithm: SigningAlgorithm, now: EpochSeconds): boolean {
  return nextKeys(keys, now).some((key) => key.algorithm === algorithm);
}

/**
 * Reports whether this key signs now and no other key for its algorithm could replace it. Such a key cannot be retired.
 */
export function isOnlySigner({ kid, algorithm }: SigningPeriod, keys: SigningPeriods, now: EpochSeconds): boolean {
  const otherKeys = keys.filter((candidate) => candidate.kid !== kid);
  return keyInUse(keys, algorithm, now)?.kid === kid && keyInUse(otherKeys, algorithm, now) === undefined;
}

type KeyDecision = Decision<SigningKeyEvent, SigningKeyRefusal>;

function introduce(command: IntroduceSigningKey, keys: SigningPeriods): KeyDecision {
  const { kid, algorithm, publicKey, from, until, reason, predecessor, ifNoNextKeyAt } = command;
  if (keys.some((key) => key.kid === kid)) return refuse('key-exists');
  const latestKey = newestKey(keys, algorithm);
  if ((latestKey?.kid ?? null) !== predecessor) return refuse('key-succeeded');
  if (ifNoNextKeyAt !== undefined && hasNextKey(keys, algorithm, ifNoNextKeyAt)) return refuse('next-key-exists');
  if (until <= from) return refuse('period-ends-before-it-begins');
  return accept<SigningKeyEvent>({
    type: 'SigningKeyIntroduced',
    data: { kid, algorithm, publicKey, from, until, reason },
  });
}

/**
 * Decides whether to retire the key. A key in use can be retired only if it has a successor, so that every algorithm
 * can sign at any time.
 */
function retire({ kid, reason, now }: RetireSigningKey, keys: SigningPeriods): KeyDecision {
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key === undefined) return refuse('key-unknown');
  if (key.retired !== null) return reason === 'expired' ? noChange : refuse('key-retired');
  if (isOnlySigner(key, keys, now)) return refuse('key-in-use');
  return accept<SigningKeyEvent>({ type: 'SigningKeyRetired', data: { kid, reason } });
}

export const signingKeys: Decider<SigningKeyCommand, SigningPeriods, SigningKeyEvent, SigningKeyRefusal> = {
  initial: [],
  decidedAt: (command) => (command.type === 'RetireSigningKey' ? command.now : command.ifNoNextKeyAt),

  decide(command, keys) {
    switch (command.type) {
      case 'IntroduceSigningKey':
        return introduce(command, keys);
      case 'RetireSigningKey':
        return retire(command, keys);
      default:
        return unreachable(command);
    }
  },

  evolve(keys, { type, data }) {
    switch (type) {
      case 'SigningKeyIntroduced': {
        const { kid, algorithm, from, until } = data;
        return [...keys, { kid, algorithm, from, until, retired: null }];
      }
      case 'SigningKeyRetired':
        return keys.map((key) => (key.kid === data.kid ? { ...key, retired: data.reason } : key));
      default:
        return unreachable(type);
    }
  },
};
