export interface ReadinessParts {
  readonly isLogWritable: () => boolean;
  readonly space: { isLow(): boolean };
  readonly log: { head(): number };
  readonly projector: { position(): number };
}

/** What keeps requests from being answered; a load balancer asks. */
export function readinessProblem({ isLogWritable, space, log, projector }: ReadinessParts): string | undefined {
  if (!isLogWritable()) return 'the event log takes no appends';
  if (space.isLow()) return 'the disk is almost full, so requests that record something are refused';
  return projector.position() === log.head() ? undefined : 'the projections have not caught up with the log';
}
