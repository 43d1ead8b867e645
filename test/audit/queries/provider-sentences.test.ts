import { expect } from 'chai';
import { createPartiesCache, createPartiesLookup } from '../../../src/audit/queries/parties.ts';
import { describeEvent } from '../../../src/audit/queries/sentence.ts';
import type { RecordedEvent, StreamName } from '../../../src/event-store/event-log.ts';
import { english } from '../../../src/language/english.ts';
import { createTranslators } from '../../../src/language/translators.ts';
import { toRecordedEvents, write, type TestEvent } from '../rules/hand-written-log.ts';
import { PROVIDER_SETTINGS } from '../../support/provider-settings.ts';

const NAMES = { user: () => 'Ada', application: () => 'App', group: () => undefined };
const STREAM = 'provider-corp' as StreamName;

const setProvider = (changes: { readonly disabled?: true; readonly name?: string } = {}): TestEvent =>
  write(STREAM, 'UpstreamProviderSet', { providerId: 'corp', settings: { ...PROVIDER_SETTINGS, ...changes } });
const removal = write(STREAM, 'UpstreamProviderRemoved', { providerId: 'corp' });

async function* pages(events: readonly RecordedEvent[]): AsyncGenerator<readonly RecordedEvent[]> {
  for (const event of events) yield [event];
}

/** Returns the main clauses about the last event, in English and German. */
async function mainClauses(writes: readonly TestEvent[]): Promise<readonly string[]> {
  const events = toRecordedEvents(writes);
  const parties = await createPartiesLookup({ readStream: () => pages(events) })(STREAM);
  const text = describeEvent(events.at(-1)!, parties, NAMES);
  return [english.text(text), createTranslators().de.text(text)].map((sentence) => sentence.replace(/[,;].*$/, ''));
}

describe('the sentence about a provider change', () => {
  it('states whether the provider was set up, enabled, disabled or otherwise changed', async () => {
    const disabledProvider = setProvider({ disabled: true });
    const cases: readonly (readonly [readonly TestEvent[], string, string])[] = [
      [[setProvider()], 'set up', 'eingerichtet'],
      [[disabledProvider, removal, setProvider()], 'set up', 'eingerichtet'],
      [[disabledProvider, setProvider()], 'enabled', 'eingeschaltet'],
      [[setProvider(), disabledProvider], 'disabled', 'ausgeschaltet'],
      [[disabledProvider, setProvider({ disabled: true, name: 'Other' })], 'changed', 'geändert'],
    ];
    for (const [writes, act, german] of cases)
      expect(await mainClauses(writes)).to.deep.equal([
        `The operator ${act} the provider corp`,
        `Der Betreiber hat den Anbieter corp ${german}`,
      ]);
  });

  it('is based on a comparison with the previous change, even while the log grows', async () => {
    const events = toRecordedEvents([setProvider(), setProvider({ disabled: true }), setProvider()]);
    let size = 0;
    const partiesOf = createPartiesCache({ readStream: () => pages(events.slice(0, size)) }, { find: () => undefined });
    const sentences: string[] = [];
    for (const event of events) {
      size += 1;
      sentences.push(english.text(describeEvent(event, await partiesOf(STREAM), NAMES)).replace(/[,;].*$/, ''));
    }
    expect(sentences).to.deep.equal(
      ['set up', 'disabled', 'enabled'].map((act) => `The operator ${act} the provider corp`),
    );
  });
});
