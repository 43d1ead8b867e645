import type { EventToAppend } from '../../src/event-store/event-log.ts';

/** Creates an event of a type that every projection ignores. */
export function anEvent(data: unknown = { some: 'data' }): EventToAppend {
  return {
    type: 'Happened',
    version: 1,
    recordedAt: 1_700_000_000_000,
    actor: { kind: 'server' },
    requestId: null,
    data,
  };
}

/** Creates `count` distinguishable events. */
export function someEvents(count: number, about = ''): readonly EventToAppend[] {
  return Array.from({ length: count }, (_, i) => anEvent({ about, i }));
}
