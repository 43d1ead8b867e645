import type { Freshness } from '../../event-store/freshness.ts';

export interface ReadinessParts {
  readonly freshness?: Pick<Freshness, 'problem'> | undefined;
  readonly isLogWritable: () => boolean;
  readonly space: { isLow(): boolean };
  readonly log: { head(): number };
  readonly projector: { position(): number };
}

/** Why the server cannot take requests, for load balancers; undefined if it can. */
export function readinessProblem({
  isLogWritable,
  space,
  log,
  projector,
  freshness,
}: ReadinessParts): string | undefined {
  const problem = freshness?.problem();
  if (problem !== undefined) return problem;
  if (!isLogWritable()) return 'the event log accepts no appends';
  if (space.isLow()) return 'the disk is almost full, so requests that record something are refused';
  return projector.position() === log.head() ? undefined : 'the projections have not caught up with the log';
}
