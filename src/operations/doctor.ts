import { z } from 'zod';
import { findClockProblem } from '../composition/clock-behind.ts';
import type { LostKeysProblem } from '../platform/keys/lost-keys.ts';
import { unsealedSecretsProblem, type UnsealedSecretsProblem } from '../oauth/clients/unsealed-secrets.ts';
import { openFilesLimit } from '../platform/open-files.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, type Operation } from './operation.ts';

/** The state of its data as far as a running server knows it, for `grantlog doctor`. */
export interface ServerState {
  /** How far the check of the stored log has come since the start, and where it ends. */
  readonly checked: number;
  readonly events: number;
  readonly is_over: boolean;
  /** The findings of that check. */
  readonly damages: readonly string[];
  /** Accounts without a key, and advice; null when every account has its key. */
  readonly lost_keys: LostKeysProblem | null;
  /** The same for clients. */
  readonly lost_client_keys?: LostKeysProblem | null;
  /** Clients with a valid secret whose hash the log has without a seal, and advice; null when there are none. */
  readonly unsealed_secrets?: UnsealedSecretsProblem | null;
  /** What is wrong with the clock, and advice; null where it is not behind the log. */
  readonly clock_behind?: { readonly says: string; readonly todo: string } | null;
  /** How many files the server may have open; null where its system does not tell. */
  readonly open_files?: number | null;
}

export const doctorOperations: Readonly<Record<string, Operation>> = {
  doctor: operation(z.strictObject({}), (_input, admin) => serverState(admin)),
};

function serverState({ backgroundCheck, lostKeys, lostClientKeys, projections, clock }: OperationContext): ServerState {
  const openFiles = openFilesLimit();
  return {
    checked: backgroundCheck.position(),
    events: backgroundCheck.end(),
    is_over: backgroundCheck.isOver(),
    damages: backgroundCheck.damages(),
    lost_keys: lostKeys.problem() ?? null,
    lost_client_keys: lostClientKeys.problem() ?? null,
    unsealed_secrets: unsealedSecretsProblem(projections.clients, clock.now() / 1000) ?? null,
    clock_behind: findClockProblem(projections.clock.newestAt(), clock.now()) ?? null,
    open_files: Number.isFinite(openFiles) ? openFiles : null,
  };
}
