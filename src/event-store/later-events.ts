import type { EventLog, RecordedEvent } from './event-log.ts';
import { LogUnreachable } from './log-unreachable.ts';

/** The log of a node. Other nodes, which may run a later release, also append to it. */
export interface GuardedLog {
  /**
   * The same log, but its listener receives only the events before the first one that this release does not recognize,
   * because the effect of that event is unknown. From then on, appends are refused with `LogUnreachable`, because no
   * decision is possible without that event.
   */
  readonly log: EventLog;
  /**
   * Returns a description of that event and the remedy, or the problem passed to `stop`; undefined if there is neither.
   */
  readonly problem: () => string | undefined;
  /** Refuses all further appends, as after an unknown event. */
  readonly stop: (problem: string) => void;
}

export interface GuardDeps {
  /** Reports whether this release can decode the event. */
  readonly isKnown: (event: RecordedEvent) => boolean;
  /** Called once, with the problem. */
  readonly report: (line: string) => void;
}

export function guardLog(log: EventLog, { isKnown, report }: GuardDeps): GuardedLog {
  let problem: string | undefined;

  function stopAt({ type, version, position }: RecordedEvent): void {
    const describe = (writer: string): string =>
      `the event at position ${position}, ${type} version ${version}, was written by ${writer}, and this release ` +
      'does not recognize it; run that release on this node as well';
    problem = describe('a later release');
    void reportRelease();

    async function reportRelease(): Promise<void> {
      const release = await log.shared?.releaseOf?.(type, version).catch(() => undefined);
      if (release !== undefined) problem = describe(`release ${release}`);
      report(`this node has stopped responding: ${problem}`);
    }
  }

  return {
    problem: () => problem,
    stop: (cause) => void (problem ??= cause),
    log: {
      ...log,
      async append(...append) {
        if (problem !== undefined) throw new LogUnreachable(problem);
        return log.append(...append);
      },
      onAppended(listener) {
        log.onAppended((events) => {
          if (problem !== undefined) return;
          const firstUnknown = events.findIndex((event) => !isKnown(event));
          const knownEvents = firstUnknown < 0 ? events : events.slice(0, firstUnknown);
          if (knownEvents.length > 0) listener(knownEvents);
          const unknownEvent = events[firstUnknown];
          if (unknownEvent !== undefined) stopAt(unknownEvent);
        });
      },
    },
  };
}

/** Returns the log with a second listener, `follow`, which is called after the first one. */
export function withFollower(log: EventLog, follow: (events: readonly RecordedEvent[]) => void): EventLog {
  return {
    ...log,
    onAppended(listener) {
      log.onAppended((events) => {
        listener(events);
        follow(events);
      });
    },
  };
}
