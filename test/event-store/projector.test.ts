import { expect } from 'chai';
import fc from 'fast-check';
import type { EventToAppend, Revision } from '../../src/event-store/event-log.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { replay, startProjector, type Projection } from '../../src/event-store/projector.ts';

const TYPES = ['Deposited', 'Withdrawn', 'Closed'];

const arbitraryType = fc.constantFrom(...TYPES);
const arbitrarySubscriptions = fc.array(fc.option(fc.uniqueArray(arbitraryType), { nil: undefined }), { maxLength: 5 });

/** A projection that writes its number and the type of each event to `journal`. */
function journalingProjection(number: number, types: readonly string[] | undefined, journal: string[]): Projection {
  return {
    name: String(number),
    ...(types !== undefined && { eventTypes: new Set(types) }),
    apply: ({ type, position }) => void journal.push(`${position} ${type} ${number}`),
    contents: () => [],
    freeze: () => [],
    restore: () => {},
  };
}

/** The journal if each event is applied to the projections that list its type or list none, in order. */
function expectedJournal(
  types: readonly string[],
  subscriptions: readonly (readonly string[] | undefined)[],
): string[] {
  return types.flatMap((type, index) =>
    subscriptions.flatMap((listed, number) =>
      listed?.includes(type) === false ? [] : [`${index + 1} ${type} ${number}`],
    ),
  );
}

async function logWith(types: readonly string[]) {
  const log = createMemoryLog();
  await appendTo(log, types, 0);
  return log;
}

async function appendTo(log: ReturnType<typeof createMemoryLog>, types: readonly string[], after: number) {
  for (const [index, type] of types.entries()) {
    const event: EventToAppend = {
      type,
      version: 1,
      data: {},
      recordedAt: 0,
      actor: { kind: 'operator' },
      requestId: null,
    };
    const revision = after + index;
    await log.append('account', revision === 0 ? 'no-stream' : (revision as Revision), [event]);
  }
}

describe('A projector', () => {
  it('replays an event to the projections that list its type, and to those that list none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryType, { maxLength: 20 }),
        arbitrarySubscriptions,
        async (types, subscriptions) => {
          const journal: string[] = [];
          await replay(
            await logWith(types),
            subscriptions.map((listed, number) => journalingProjection(number, listed, journal)),
          );
          expect(journal).to.deep.equal(expectedJournal(types, subscriptions));
        },
      ),
    );
  });

  it('applies new events as it replays recorded ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryType, { maxLength: 5 }),
        fc.array(arbitraryType, { maxLength: 5 }),
        arbitrarySubscriptions,
        async (recorded, appended, subscriptions) => {
          const journal: string[] = [];
          const log = await logWith(recorded);
          await startProjector(
            log,
            subscriptions.map((listed, number) => journalingProjection(number, listed, journal)),
          );
          await appendTo(log, appended, recorded.length);
          expect(journal).to.deep.equal(expectedJournal([...recorded, ...appended], subscriptions));
        },
      ),
    );
  });
});
