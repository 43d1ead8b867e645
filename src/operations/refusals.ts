import { z } from 'zod';
import { english } from '../language/english.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { RETAINED_REFUSALS, STORED_REFUSALS } from '../oauth/refusals/explanations.ts';
import { isoTime } from './iso-time.ts';
import { operation, type Operation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';

/** The explanation of a refused request, as shown to operators. */
export interface RefusalRow {
  readonly request_id: string;
  readonly at: string;
  readonly request: string;
  readonly error: string | null;
  readonly client_id: string | null;
  /** Whether the request authenticated the client or its owner; null if the client is unknown. */
  readonly client_proven: boolean | null;
  readonly rule: string;
  readonly why: string;
  readonly expected: string;
  readonly seen: string;
  readonly advice: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const input = z.strictObject({ id: z.string().min(1).max(OPERATION_TEXTS.requestId) });

export const refusalOperations: Readonly<Record<string, Operation>> = {
  why: operation(input, ({ id }, { explanations, freshness }): RefusalRow => {
    const explanation = explanations.find(id.trim());
    if (explanation === undefined) {
      const problem = describeNotFound(id);
      throw new OperationRefused(freshness === undefined ? problem : `${problem}. ${NODE_ADVICE}`, 'unknown');
    }
    const { at, method, path, error, clientId, isProven, rule, messages, details } = explanation;
    return {
      request_id: explanation.id,
      at: isoTime(at),
      request: `${method} ${path}`,
      error,
      client_id: clientId,
      client_proven: clientId === null ? null : isProven,
      rule,
      why: english.text(messages.rule),
      expected: english.text(messages.expected),
      seen: english.text(messages.seen),
      advice: english.text(messages.advice),
      details,
    };
  }),
};

/** Nodes exchange most explanations, but not all of them. */
const NODE_ADVICE = 'Run the command on a machine that runs a node, preferably the node that handled the request';

const describeNotFound = (id: string): string =>
  `no refusal found for the request id ${JSON.stringify(id)}: compare it with the X-Request-Id header of the ` +
  'response, and search soon after the refusal. A server keeps the newest ' +
  `${RETAINED_REFUSALS.proven} refusals for each of the ${RETAINED_REFUSALS.clients} most recently refused ` +
  `applications (${RETAINED_REFUSALS.named} if unauthenticated), and ${RETAINED_REFUSALS.rest} other refusals. ` +
  `After a restart, it has up to ${STORED_REFUSALS.proven.slots} refusals for authenticated applications, and ` +
  `${STORED_REFUSALS.named.slots + STORED_REFUSALS.rest.slots} other refusals`;
