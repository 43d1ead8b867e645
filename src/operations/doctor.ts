import { z } from 'zod';
import { findClockProblem } from '../composition/clock-behind.ts';
import type { LostKeysProblem } from '../platform/keys/lost-keys.ts';
import { unsealedSecretsProblem, type UnsealedSecretsProblem } from '../oauth/clients/unsealed-secrets.ts';
import { openFileLimit } from '../platform/open-files.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, type Operation } from './operation.ts';
import { countAdministratorsByFactor } from './second-factors.ts';

/** The state of a running server's data, for `grantlog doctor`. */
export interface ServerState {
  /** The number of events that the background check has read. */
  readonly checked: number;
  /** The total number of events to check. */
  readonly events: number;
  readonly is_over: boolean;
  /** The findings of the background check. */
  readonly damages: readonly string[];
  /** Describes the accounts whose keys are missing, with advice; null if no key is missing. */
  readonly lost_keys: LostKeysProblem | null;
  /** Describes the clients whose keys are missing, with advice; null if no key is missing. */
  readonly lost_client_keys?: LostKeysProblem | null;
  /** Describes the clients with valid secrets whose hashes are unencrypted in the log, with advice; null if none. */
  readonly unsealed_secrets?: UnsealedSecretsProblem | null;
  /** The problem if the clock is behind the log, with advice; otherwise null. */
  readonly clock_behind?: { readonly says: string; readonly todo: string } | null;
  /** The number of active administrators, and the number of those without a second factor. */
  readonly administrators?: { readonly all: number; readonly without: number };
  /** The server's limit on open files; null if unknown. */
  readonly open_files?: number | null;
}

export const doctorOperations: Readonly<Record<string, Operation>> = {
  doctor: operation(z.strictObject({}), (_input, context) => serverState(context)),
};

function serverState(context: OperationContext): ServerState {
  const { backgroundCheck, lostKeys, lostClientKeys, projections, clock } = context;
  const openFiles = openFileLimit();
  const { total, withoutFactor } = countAdministratorsByFactor(context);
  return {
    checked: backgroundCheck.position(),
    events: backgroundCheck.end(),
    is_over: backgroundCheck.isFinished(),
    damages: backgroundCheck.findings(),
    lost_keys: lostKeys.problem() ?? null,
    lost_client_keys: lostClientKeys.problem() ?? null,
    unsealed_secrets: unsealedSecretsProblem(projections.clients, clock.now() / 1000) ?? null,
    clock_behind: findClockProblem(projections.clock.newestAt(), clock.now()) ?? null,
    administrators: { all: total, without: withoutFactor },
    open_files: Number.isFinite(openFiles) ? openFiles : null,
  };
}
