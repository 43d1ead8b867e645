import { expect } from 'chai';
import { createPartiesCache, createPartiesLookup } from '../../../src/audit/queries/parties.ts';
import { describeEvent } from '../../../src/audit/queries/sentence.ts';
import type { RecordedEvent, StreamName } from '../../../src/event-store/event-log.ts';
import { english } from '../../../src/language/english.ts';
import { createTranslators } from '../../../src/language/translators.ts';
import { handWritten, PROVIDER_SETTINGS, write, type Written } from '../rules/hand-written-log.ts';

const NAMES = { user: () => 'Ada', application: () => 'App', group: () => undefined };
const STREAM = 'provider-corp' as StreamName;

const set = (changes: { readonly disabled?: true; readonly name?: string } = {}): Written =>
  write(STREAM, 'UpstreamProviderSet', { providerId: 'corp', settings: { ...PROVIDER_SETTINGS, ...changes } });
const removed = write(STREAM, 'UpstreamProviderRemoved', { providerId: 'corp' });

async function* pages(events: readonly RecordedEvent[]): AsyncGenerator<readonly RecordedEvent[]> {
  for (const event of events) yield [event];
}

/** The main clause about the last of the events, in English and German. */
async function clauses(written: readonly Written[]): Promise<readonly string[]> {
  const events = handWritten(written);
  const parties = await createPartiesLookup({ readStream: () => pages(events) })(STREAM);
  const text = describeEvent(events.at(-1)!, parties, NAMES);
  return [english.text(text), createTranslators().de.text(text)].map((each) => each.replace(/[,;].*$/, ''));
}

describe('the sentence about a provider', () => {
  it('states whether it was set up, enabled, disabled or otherwise changed', async () => {
    const disabled = set({ disabled: true });
    const cases: readonly (readonly [readonly Written[], string, string])[] = [
      [[set()], 'set up', 'eingerichtet'],
      [[disabled, removed, set()], 'set up', 'eingerichtet'],
      [[disabled, set()], 'enabled', 'eingeschaltet'],
      [[set(), disabled], 'disabled', 'ausgeschaltet'],
      [[disabled, set({ disabled: true, name: 'Other' })], 'changed', 'geändert'],
    ];
    for (const [written, act, german] of cases)
      expect(await clauses(written)).to.deep.equal([
        `The operator ${act} the provider corp`,
        `Der Betreiber hat den Anbieter corp ${german}`,
      ]);
  });

  it('compares with the previous change even while the log grows', async () => {
    const events = handWritten([set(), set({ disabled: true }), set()]);
    let size = 0;
    const partiesOf = createPartiesCache({ readStream: () => pages(events.slice(0, size)) }, { find: () => undefined });
    const followed: string[] = [];
    for (const event of events) {
      size += 1;
      followed.push(english.text(describeEvent(event, await partiesOf(STREAM), NAMES)).replace(/[,;].*$/, ''));
    }
    expect(followed).to.deep.equal(
      ['set up', 'disabled', 'enabled'].map((act) => `The operator ${act} the provider corp`),
    );
  });
});
