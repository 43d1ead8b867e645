import { message, type Text } from '../../language/message.ts';
import type { Freshness } from '../../event-store/freshness.ts';

export interface ReadinessDeps {
  readonly freshness?: Pick<Freshness, 'problem' | 'secondsOutOfTouch'> | undefined;
  readonly isLogWritable: () => boolean;
  readonly space: { isLow(): boolean };
  readonly log: { head(): number };
  readonly projector: { position(): number };
}

/** Returns the reason why load balancers should not send requests to this server, or undefined if it is ready. */
export function readinessProblem({ isLogWritable, space, log, projector, freshness }: ReadinessDeps): Text | undefined {
  const problem = freshness?.problem();
  const seconds = freshness?.secondsOutOfTouch();
  if (seconds !== undefined) return message('readiness.out-of-touch', { seconds });
  if (problem !== undefined) return problem;
  if (!isLogWritable()) return message('readiness.log');
  if (space.isLow()) return message('readiness.disk');
  return projector.position() === log.head() ? undefined : message('readiness.behind');
}
