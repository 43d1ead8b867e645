import {
  keyInUse,
  newestKey,
  nextKeys,
  ROTATION_DELAY_SECONDS,
  type IntroductionReason,
  type SigningKeyCommand,
  type SigningKeyEvent,
  type SigningKeyRefusal,
  type SigningPeriods,
} from '../../domain/signing-keys.ts';
import { SIGNING_KEYS_STREAM } from '../../domain/streams.ts';
import { SIGNING_ALGORITHMS, type EpochSeconds, type KeyId, type SigningAlgorithm } from '../../domain/values.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import type { GenerateSigningKey } from '../../platform/keys/key-pairs.ts';
import type { SigningVault } from '../../platform/keys/signing-keyring.ts';
import type { SigningKey, SigningKeys as RecordedKeys } from '../../projections/signing-keys.ts';
import type { PrivateKeys } from './private-keys.ts';
import { publicKeyWithId } from './public-keys.ts';

export type SigningKeyCommands = CommandHandler<SigningKeyCommand, SigningPeriods, SigningKeyEvent, SigningKeyRefusal>;

/** A rotation requested by an administrator or the operator. */
export interface RequestedRotation {
  readonly algorithms: readonly SigningAlgorithm[];
  /** `later`: after a day, once every cached key set contains the new keys. */
  readonly start: 'later' | 'now';
}

/** Introduces keys before they are needed, and retires them after their last token has expired. */
export interface KeyRotation {
  /**
   * Introduces a key that signs from the time `from`. The private key is stored durably before the key is recorded.
   * Does nothing if another node introduces a key first.
   */
  introduce(
    algorithm: SigningAlgorithm,
    from: EpochSeconds,
    reason: IntroductionReason,
    context?: CommandContext,
  ): Promise<void>;
  /**
   * Introduces a key for each algorithm, or none if the keys would sign later and an algorithm already has a next key.
   * If another node introduces a next key at the same time, no second key is introduced for that algorithm.
   * @returns the existing next keys that prevented an introduction; empty if all keys were introduced
   */
  rotate(rotation: RequestedRotation, now: EpochSeconds, context: CommandContext): Promise<readonly SigningKey[]>;
  /**
   * Retires a key and destroys its private key.
   * @returns the refusal; undefined if the key was retired
   */
  retire(kid: KeyId, now: EpochSeconds, context: CommandContext): Promise<SigningKeyRefusal | undefined>;
  /** Returns why a key's private key cannot sign, or undefined if it can. */
  problem(key: SigningKey): 'missing' | 'damaged' | undefined;
  /** Introduces the keys that are due at `now` and retires the expired ones, for all algorithms. */
  maintain(now: EpochSeconds): Promise<void>;
}

/** The outcome of an introduction; `preempted` if another node introduced a key first. */
type Introduction = 'introduced' | 'preempted';

const BY_SERVER: CommandContext = { actor: { kind: 'server' }, requestId: null };

/**
 * How long a scheduled key is published before its first signature, so that resource servers have fetched it by then.
 * Shorter if the signing period is short. A lost key is replaced immediately.
 */
const LEAD_SECONDS = 604_800;

/**
 * How long a key stays published after its last recorded token has expired. By then, receivers of unrecorded
 * signatures, such as those on userinfo responses, have verified them.
 */
const LINGER_SECONDS = 86_400;

export interface KeyRotationDeps {
  readonly recordedKeys: Pick<RecordedKeys, 'published' | 'all'>;
  readonly commands: SigningKeyCommands;
  readonly privateKeys: PrivateKeys;
  readonly vault: Pick<SigningVault, 'store' | 'destroy'>;
  readonly generate: GenerateSigningKey;
  /** Brings this node up to date; undefined if no other process appends to the log. */
  readonly catchUp?: (() => Promise<void>) | undefined;
  readonly settings: { readonly signingKeyPeriodDays: number };
}

export function createKeyRotation(deps: KeyRotationDeps): KeyRotation {
  const { recordedKeys, commands, privateKeys, vault, generate, catchUp, settings } = deps;
  const periodSeconds = settings.signingKeyPeriodDays * 86_400;
  const leadSeconds = Math.min(LEAD_SECONDS, periodSeconds / 2);
  /** Requests that need the same key wait for the same introduction. */
  const pendingIntroductions = new Map<SigningAlgorithm, Promise<Introduction>>();

  /** Generates a key whose id does not start with a dash, because the operator pastes ids into command lines. */
  async function newKey(algorithm: SigningAlgorithm) {
    for (;;) {
      const privateKey = await generate(algorithm);
      const publicKeyAndId = await publicKeyWithId(privateKey);
      if (!publicKeyAndId.kid.startsWith('-')) return { privateKey, ...publicKeyAndId };
    }
  }

  async function introduceOnce(
    algorithm: SigningAlgorithm,
    from: EpochSeconds,
    reason: IntroductionReason,
    context: CommandContext,
    ifNoNextKeyAt: EpochSeconds | undefined,
  ): Promise<Introduction> {
    const predecessor = newestKey(recordedKeys.all(), algorithm)?.kid ?? null;
    const { privateKey, kid, publicKey } = await newKey(algorithm);
    await vault.store(kid, privateKey);
    const until = (from + periodSeconds) as EpochSeconds;
    const { refusal } = await commands.execute(
      SIGNING_KEYS_STREAM,
      {
        type: 'IntroduceSigningKey',
        kid,
        algorithm,
        publicKey,
        from,
        until,
        reason: predecessor === null ? 'first' : reason,
        predecessor,
        ...(ifNoNextKeyAt !== undefined && { ifNoNextKeyAt }),
      },
      context,
    );
    // If the key exists, an earlier attempt with an unknown outcome took effect.
    if (refusal === undefined || refusal === 'key-exists') return 'introduced';
    await vault.destroy(kid); // another node was first, and this key was never used
    await catchUp?.();
    return 'preempted';
  }

  function introduce(
    algorithm: SigningAlgorithm,
    from: EpochSeconds,
    reason: IntroductionReason,
    context: CommandContext = BY_SERVER,
    ifNoNextKeyAt?: EpochSeconds,
  ): Promise<Introduction> {
    const pendingIntroduction = pendingIntroductions.get(algorithm);
    if (pendingIntroduction !== undefined) return pendingIntroduction;
    const newIntroduction = introduceOnce(algorithm, from, reason, context, ifNoNextKeyAt).finally(() =>
      pendingIntroductions.delete(algorithm),
    );
    pendingIntroductions.set(algorithm, newIntroduction);
    return newIntroduction;
  }

  /**
   * Introduces a key that signs from now on. A pending introduction, or another node's, may be of a key that does not
   * sign yet. Then another key is introduced, because a leaked key must not stay in use.
   */
  async function introduceNow(algorithm: SigningAlgorithm, now: EpochSeconds, context: CommandContext): Promise<void> {
    do await introduce(algorithm, now, 'requested', context);
    while (keyInUse(recordedKeys.published(), algorithm, now)?.from !== now);
  }

  async function rotate(
    { algorithms, start }: RequestedRotation,
    now: EpochSeconds,
    context: CommandContext,
  ): Promise<readonly SigningKey[]> {
    const nextKeysFor = (subset: readonly SigningAlgorithm[]): readonly SigningKey[] =>
      nextKeys(recordedKeys.published(), now).filter(({ algorithm }) => subset.includes(algorithm));
    if (start === 'now') {
      for (const algorithm of algorithms) await introduceNow(algorithm, now, context);
      return [];
    }
    const existingKeys = nextKeysFor(algorithms);
    if (existingKeys.length > 0) return existingKeys;
    const from = (now + ROTATION_DELAY_SECONDS) as EpochSeconds;
    const skippedAlgorithms: SigningAlgorithm[] = [];
    for (const algorithm of algorithms)
      if ((await introduce(algorithm, from, 'requested', context, now)) === 'preempted')
        skippedAlgorithms.push(algorithm);
    return nextKeysFor(skippedAlgorithms);
  }

  async function retire(
    kid: KeyId,
    reason: 'expired' | 'requested',
    now: EpochSeconds,
    context: CommandContext,
  ): Promise<SigningKeyRefusal | undefined> {
    const { refusal } = await commands.execute(
      SIGNING_KEYS_STREAM,
      { type: 'RetireSigningKey', kid, reason, now },
      context,
    );
    if (refusal === undefined) await privateKeys.destroy(kid);
    return refusal;
  }

  async function introduceDueKeys(algorithm: SigningAlgorithm, now: EpochSeconds): Promise<void> {
    const currentKey = keyInUse(recordedKeys.published(), algorithm, now);
    if (currentKey === undefined) await introduce(algorithm, now, 'scheduled');
    else if (privateKeys.find(currentKey) === undefined) await introduce(algorithm, now, 'lost');
    const usableKeys = recordedKeys.published().filter((key) => key.algorithm === algorithm && privateKeys.find(key));
    const end = Math.max(now, ...usableKeys.map(({ until }) => until)) as EpochSeconds;
    if (end - leadSeconds <= now) await introduce(algorithm, end, 'scheduled');
  }

  return {
    async introduce(algorithm, from, reason, context) {
      await introduce(algorithm, from, reason, context);
    },
    rotate,
    problem: privateKeys.problem,
    retire: (kid, now, context) => retire(kid, 'requested', now, context),

    async maintain(now) {
      for (const algorithm of SIGNING_ALGORITHMS) await introduceDueKeys(algorithm, now);
      for (const { kid } of recordedKeys.published().filter((key) => isExpired(key, recordedKeys.published(), now)))
        await retire(kid, 'expired', now, BY_SERVER);
      // A crash or a full disk may leave the private key of a retired key behind.
      for (const { kid } of recordedKeys.all().filter(({ retired }) => retired !== null))
        await privateKeys.destroy(kid);
    },
  };
}

/** Reports whether a key no longer signs and its last token expired at least `LINGER_SECONDS` ago. */
function isExpired(key: SigningKey, keys: readonly SigningKey[], now: number): boolean {
  const successors = keys.filter(
    (candidate) => candidate.algorithm === key.algorithm && candidate.from > key.from && candidate.from <= now,
  );
  const end = Math.min(key.until, ...successors.map(({ from }) => from));
  const lastExpiry = Math.max(end, ...key.lastExpiry.values());
  return now >= end && now >= lastExpiry + LINGER_SECONDS;
}
