import { z } from 'zod';
import { CLOCK_TOLERANCE_SECONDS } from '../domain/clock.ts';
import { CLOCK_STREAM } from '../domain/streams.ts';
import type { EpochSeconds } from '../domain/values.ts';
import { isoTime } from './iso-time.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, type Operation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';

export const clockOperations: Readonly<Record<string, Operation>> = {
  'clock confirm': operation(z.strictObject({ yes: z.boolean() }), confirm),
};

async function confirm({ yes }: { readonly yes: boolean }, context: OperationContext) {
  const [now, newestAt] = [toEpochSeconds(context.clock.now()), toEpochSeconds(context.projections.clock.newestAt())];
  const times = `The clock says ${isoTime(now)}; the newest event was recorded at ${isoTime(newestAt)}`;
  if (newestAt - now > CLOCK_TOLERANCE_SECONDS && !yes) {
    const consequence = 'confirm with --yes: everything issued at a later time is permanently revoked';
    throw new OperationRefused(`${times}. If the clock is correct, ${consequence}`);
  }
  const command = { type: 'ConfirmClock', now, newestAt } as const;
  const { refusal, position } = await context.clockCommands.execute(CLOCK_STREAM, command, context.cause);
  // The only possible refusal: no event is ahead of the clock by more than the tolerance.
  return { position: refusal === undefined ? position : null, clock: isoTime(now), newest_event: isoTime(newestAt) };
}

function toEpochSeconds(milliseconds: number): EpochSeconds {
  return Math.floor(milliseconds / 1000) as EpochSeconds;
}
