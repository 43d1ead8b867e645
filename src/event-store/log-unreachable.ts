import { LogUnavailable } from './event-log.ts';

/** The storage of a shared log does not answer. Nothing was stored. The log tries again by itself. */
export class LogUnreachable extends LogUnavailable {
  override readonly name: string = 'LogUnreachable';
}
