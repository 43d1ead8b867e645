import { z } from 'zod';
import { clientsOfKey } from '../audit/queries/clients-of-key.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { keyInUse, signingKeyStatus, type SigningKeyRefusal, type SigningKeyStatus } from '../domain/signing-keys.ts';
import { SIGNING_ALGORITHMS, unreachable, type EpochSeconds } from '../domain/values.ts';
import type { SigningKey } from '../projections/signing-keys.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { isoTime } from './iso-time.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';

/** An application with unexpired tokens that a key signed. */
interface AffectedClient {
  readonly client_id: string;
  readonly name: string | null;
  /** When the last of these tokens expires. */
  readonly until: string;
}

/** A signing key, as shown to operators. */
export interface KeyRow {
  readonly kid: string;
  readonly algorithm: string;
  readonly status: SigningKeyStatus;
  readonly from: string;
  readonly until: string;
  /** The state of the private key; null if it is no longer needed. */
  readonly private_half: 'present' | 'missing' | 'damaged' | null;
  readonly introduced_at: string;
  readonly retired_at: string | null;
  /** The reason for its retirement: `expired` if all its tokens had expired, `requested` if it was retired early. */
  readonly retired: string | null;
  readonly valid_tokens: readonly AffectedClient[];
}

const kid = z.string().min(1).max(OPERATION_TEXTS.checkedText);

export const signingKeyOperations: Readonly<Record<string, Operation>> = {
  'key list': streamingOperation(
    z.strictObject({ retired: z.boolean().default(false) }),
    async function* (input, context) {
      const { all, published } = context.projections.signingKeys;
      for (const key of input.retired ? all() : published()) yield toRow(key, context);
    },
  ),

  'key rotate': operation(
    z.strictObject({ algorithms: z.array(z.enum(SIGNING_ALGORITHMS)).default([]), now: z.boolean().default(false) }),
    async (input, context) => {
      const now = currentSeconds(context);
      const existingIds = new Set(context.projections.signingKeys.all().map((key) => key.kid));
      const algorithms = input.algorithms.length === 0 ? SIGNING_ALGORITHMS : input.algorithms;
      const start = input.now ? 'now' : 'later';
      const nextKeys = await context.keyRotation.rotate({ algorithms, start }, now, context.cause);
      if (nextKeys.length > 0) throw new OperationRefused(describeNextKeys(nextKeys), 'conflict');
      const newKeys = context.projections.signingKeys.all().filter((key) => !existingIds.has(key.kid));
      return { keys: newKeys.map((key) => toRow(key, context)) };
    },
  ),

  'key retire': operation(z.strictObject({ kid, acceptLoss: z.boolean() }), async (input, context) => {
    const key = context.projections.signingKeys.find(input.kid);
    if (key === undefined) throw new OperationRefused(describeKeyRefusal('key-unknown', input.kid), 'unknown');
    const affectedClients = validTokens(key, context);
    if (affectedClients.length > 0 && !input.acceptLoss)
      throw new OperationRefused(describeTokenLoss(key, affectedClients), 'conflict');
    const refusal = await context.keyRotation.retire(key.kid, currentSeconds(context), context.cause);
    if (refusal !== undefined)
      throw new OperationRefused(describeKeyRefusal(refusal, input.kid, key.algorithm), 'conflict');
    const successor = keyInUse(context.projections.signingKeys.published(), key.algorithm, currentSeconds(context));
    return { kid: key.kid, algorithm: key.algorithm, signs: successor?.kid ?? null, invalid_tokens: affectedClients };
  }),
};

function describeNextKeys(keys: readonly SigningKey[]): string {
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))].join(', ');
  const from = isoTime(Math.max(...keys.map((key) => key.from)));
  return (
    `these algorithms already have a next key: ${algorithms}. Each next key starts signing at ${from} or earlier; ` +
    'see: grantlog key list. Use --now only if a key may be compromised: new keys then start signing immediately'
  );
}

function toRow(key: SigningKey, context: OperationContext): KeyRow {
  return {
    kid: key.kid,
    algorithm: key.algorithm,
    status: keyStatus(key, context),
    from: isoTime(signingStart(key, context)),
    until: isoTime(key.until),
    private_half: key.retired === null ? (context.keyRotation.problem(key) ?? 'present') : null,
    introduced_at: isoTime(key.introducedAt),
    retired_at: key.retiredAt === null ? null : isoTime(key.retiredAt),
    retired: key.retired,
    valid_tokens: validTokens(key, context),
  };
}

function keyStatus(key: SigningKey, context: OperationContext): SigningKeyStatus {
  return signingKeyStatus(key, context.projections.signingKeys.published(), currentSeconds(context));
}

/**
 * Returns the time at which the key starts or started signing, which is before its own period if its predecessor was
 * retired early.
 */
function signingStart(key: SigningKey, context: OperationContext): EpochSeconds {
  if (key.from <= currentSeconds(context) || keyStatus(key, context) !== 'signs') return key.from;
  const keys = context.projections.signingKeys.all().filter(({ algorithm }) => algorithm === key.algorithm);
  const retirements = keys.flatMap(({ retiredAt }) => (retiredAt === null ? [] : [retiredAt]));
  return Math.max(key.introducedAt, ...retirements) as EpochSeconds;
}

function validTokens(key: SigningKey, context: OperationContext): readonly AffectedClient[] {
  return clientsOfKey(key, context.projections.clients, currentSeconds(context)).map(({ clientId, name, until }) => ({
    client_id: clientId,
    name,
    until: isoTime(until),
  }));
}

/** The maximum number of applications listed in a message, to keep it readable. */
const MAX_NAMED_CLIENTS = 20;

/** Explains which valid tokens the retirement of the key would invalidate. */
export function describeTokenLoss(
  { kid: id }: Pick<KeyRow, 'kid'>,
  affectedClients: readonly AffectedClient[],
): string {
  const clients = affectedClients
    .slice(0, MAX_NAMED_CLIENTS)
    .map(({ client_id, name, until }) => `${name ?? client_id} until ${until}`);
  const remainder =
    affectedClients.length > MAX_NAMED_CLIENTS ? `, and ${affectedClients.length - MAX_NAMED_CLIENTS} more` : '';
  return (
    `these applications have valid tokens that the key ${id} signed: ${clients.join(', ')}${remainder}. If the key ` +
    'is retired, nobody can verify these tokens, and this server refuses them immediately. If the key may be ' +
    'compromised, add --accept-loss; otherwise, let the server retire it after its last token has expired'
  );
}

/**
 * Explains why a signing key cannot be retired.
 * @param algorithm the key's algorithm, used only for `key-in-use`
 */
export function describeKeyRefusal(refusal: SigningKeyRefusal, id: string, algorithm = ''): string {
  switch (refusal) {
    case 'key-unknown':
      return `there is no signing key ${JSON.stringify(id)}; see: grantlog key list`;
    case 'key-retired':
      return `the key ${id} has already been retired`;
    case 'key-in-use':
      return (
        `the key ${id} is in use, and there is no other key for ${algorithm}; introduce one first: ` +
        `grantlog key rotate --algorithm ${algorithm} --now`
      );
    case 'key-exists':
    case 'key-succeeded':
    case 'next-key-exists':
    case 'period-ends-before-it-begins':
      return `the key ${id} cannot be changed now; try again`;
    default:
      return unreachable(refusal);
  }
}

function currentSeconds({ clock }: OperationContext): EpochSeconds {
  return Math.floor(clock.now() / 1000) as EpochSeconds;
}
