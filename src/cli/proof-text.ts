import { isoTime } from '../operations/iso-time.ts';
import { formatFields } from './print.ts';

/** The result of `log prove`. */
export interface Proof extends Readonly<Record<string, unknown>> {
  readonly position: number;
  readonly record: string;
  /** Seconds since the epoch; only for an event that issued a credential for a user. */
  readonly authenticated_at?: number | null;
  readonly leaf_index: number;
  readonly inclusion_proof: readonly string[];
  /** A signed note (C2SP tlog-checkpoint). Its second line is the number of records. */
  readonly checkpoint: string;
}

/** The members of a record that the text shows. */
interface RecordMembers {
  readonly type: string;
  readonly stream: string;
  /** Milliseconds since the epoch. */
  readonly recordedAt: number;
}

/**
 * Formats a proof as text: the event, an explanation, the commands that verify the log offline, and the proof itself.
 * @param options.isAtTerminal whether to replace the record, which is one long line, with its length
 */
export function formatProof(proof: Proof, { isAtTerminal }: { readonly isAtTerminal: boolean }): string {
  const {
    position,
    record,
    authenticated_at: loginTime,
    leaf_index: leaf,
    inclusion_proof,
    checkpoint,
    ...rest
  } = proof;
  const { type, stream, recordedAt } = JSON.parse(record) as RecordMembers;
  const { leaf_hash, verifier_key, ...facts } = rest;
  const authenticated_at = typeof loginTime === 'number' ? isoTime(loginTime) : null;
  const size = checkpoint.split('\n')[1];
  return [
    formatFields({
      position,
      event: type,
      recorded: new Date(recordedAt).toISOString(),
      stream,
      ...facts,
      authenticated_at,
    }),
    `\nThis event is leaf ${leaf} of the tree of ${size} records. The checkpoint signs the root of this tree.\n`,
    'To verify all events without this server:\n',
    '  grantlog log export --bundle DIRECTORY && grantlog log verify --bundle DIRECTORY\n\n',
    formatFields({
      record: isAtTerminal ? `${record.length} characters; --json prints it` : record,
      leaf_hash,
      verifier_key,
    }),
    `inclusion_proof:\n${inclusion_proof.map((hash) => `  ${hash}\n`).join('')}`,
    `checkpoint:\n${checkpoint}`,
  ].join('');
}
