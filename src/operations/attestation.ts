import { z } from 'zod';
import { proveChain } from '../audit/queries/chain-proof.ts';
import { createReceipt } from '../audit/queries/receipt.ts';
import { recordedLogin } from '../audit/queries/recorded-login.ts';
import { createBundle } from '../audit/proofs/bundle.ts';
import { LogTampered } from '../audit/proofs/log-witness.ts';
import { decodeEvent } from '../domain/events.ts';
import type { GrantId } from '../domain/values.ts';
import { loginMethod } from '../domain/login.ts';
import { START, type EventLog, type Position, type RecordedEvent } from '../event-store/event-log.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { SigningKeys } from '../projections/signing-keys.ts';
import { leafHash } from '../audit/merkle/hashing.ts';
import { findIssuingEvent } from '../oauth/incidents/issue-search.ts';
import { findGrantId } from './issued-credential.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';

const subjectSchema = z.string().min(1).max(OPERATION_TEXTS.subject);

/** Operations that prove the log's contents to an auditor who has a checkpoint and a record or token. */
export const attestationOperations: Readonly<Record<string, Operation>> = {
  'log key': operation(z.strictObject({}), (_input, { attestation }) => ({ verifier_key: attestation.verifierKey() })),

  'log checkpoint': operation(z.strictObject({}), async (_input, { attestation }) => ({
    checkpoint: await attestation.checkpointNow(),
  })),

  'log prove': operation(
    z.strictObject({ subject: subjectSchema }),
    async (input, { attestation, log, projections }) => {
      const event = await findEvent(input.subject, log);
      const { proof, checkpoint } = await attestation.prove(event.position);
      return {
        position: event.position,
        record: event.record,
        ...loginFields(event),
        ...keyFields(event, projections.signingKeys),
        leaf_index: event.position - 1,
        leaf_hash: leafHash(event.record).toString('base64'),
        inclusion_proof: proof.map((hash) => Buffer.from(hash).toString('base64')),
        checkpoint,
        verifier_key: attestation.verifierKey(),
      };
    },
  ),

  'log prove-chain': operation(
    z.strictObject({ grant: subjectSchema.optional(), token: subjectSchema.optional() }),
    async (input, { attestation, log, projections }) => {
      const grantId = await findGrantId(input, log);
      const proof = await proveChain(grantId, { attestation, log, users: projections.users });
      if (proof !== undefined) return proof;
      throw new OperationRefused(`the log contains no grant with the id ${JSON.stringify(grantId)}`);
    },
  ),

  'log receipt': operation(
    z.strictObject({ grant: z.string().min(1).max(OPERATION_TEXTS.subject) }),
    async ({ grant }, { attestation, log }) => {
      const id = grant.replace(/^grant-/, '') as GrantId;
      const receipt = /^[\w-]{22}$/.test(id) ? await createReceipt(id, { attestation, log }) : undefined;
      if (receipt !== undefined) return receipt;
      throw new OperationRefused(`the log contains no user consent with the grant id ${JSON.stringify(grant)}`);
    },
  ),

  'log bundle': streamingOperation(
    z.strictObject({}),
    async function* (_input, { log, attestation, inspection: { checkpoints } }, signal) {
      try {
        for await (const part of createBundle({ log, attestation, checkpoints })) {
          if (signal.aborted) return;
          yield part;
        }
      } catch (error) {
        throw error instanceof LogTampered ? new OperationRefused(error.message) : error;
      }
    },
  ),
};

/** Finds an event by its position, or by the token or code that it issued. */
async function findEvent(subject: string, log: Pick<EventLog, 'readAll'>): Promise<RecordedEvent> {
  const event = /^\d{1,15}$/.test(subject) ? await eventAt(Number(subject), log) : await findIssuingEvent(subject, log);
  if (event !== undefined) return event;
  throw new OperationRefused('the log contains no event at this position, and no event that issued this token or code');
}

async function eventAt(position: number, log: Pick<EventLog, 'readAll'>): Promise<RecordedEvent | undefined> {
  for await (const events of log.readAll(Math.max(position - 1, START) as Position)) {
    const event = events.find((candidate) => candidate.position === position);
    if (event !== undefined) return event;
  }
  return undefined;
}

/** Describes the key that signed the issued token. Returns an empty object if the key is not recorded or is unknown. */
function keyFields(event: RecordedEvent, keys: Pick<SigningKeys, 'find'>): object {
  const { data } = decodeEvent(event);
  const key = 'kid' in data && data.kid !== undefined ? keys.find(data.kid) : undefined;
  if (key === undefined) return {};
  const { kid, algorithm, publicKey, introducedPosition, retiredPosition } = key;
  return {
    signing_key: kid,
    algorithm,
    public_key: publicKey,
    key_introduced_at_position: introducedPosition,
    key_retired_at_position: retiredPosition,
  };
}

/**
 * Describes the login that the issued code or token is based on. Returns an empty object if the event did not issue a
 * code or token to a user.
 */
function loginFields(event: RecordedEvent): object {
  const login = recordedLogin(event);
  if (login === null) return {};
  if (login === 'not recorded') return { login };
  const { sessionHash, authTime, amr, acr } = login;
  return { login: loginMethod(login), authenticated_at: authTime, amr: amr.join(' '), acr, session: sessionHash };
}
