import { expect } from 'chai';
import { openCheckpoint } from '../../../../src/audit/merkle/checkpoint.ts';
import { leafHash } from '../../../../src/audit/merkle/hashing.ts';
import { parseVerifierKey } from '../../../../src/audit/merkle/note-key.ts';
import { verifyInclusion } from '../../../../src/audit/merkle/verification.ts';
import type { RecordedEvent } from '../../../../src/event-store/event-log.ts';
import { listCorpora, readEvents, readKeys, thaw } from '../../../corpus/frozen.ts';
import { openSessionAs, elementText } from '../../../support/audit-pages.ts';

/** The shapes of the records in the logs that have been opened so far. */
const seenShapes = new Set<string>();

/**
 * Returns the last record, and one record of each new shape. One is enough, because the pages of records with the same
 * shape differ only in values.
 */
function recordsToOpen(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const [last] = events.slice(-1);
  return events.filter((event) => {
    const shape = `${event.type} ${formatShape(JSON.parse(event.record))}`;
    const isNew = !seenShapes.has(shape);
    seenShapes.add(shape);
    return isNew || event === last;
  });
}

/** Returns the names and types of the members of a record, at every depth. */
function formatShape(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(formatShape))].join()}]`;
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}:${formatShape(member)}`)
    .join()}}`;
}

describe('An event page', function () {
  this.timeout(120_000); // it opens hundreds of pages

  for (const directory of listCorpora()) {
    it(`shows the last record and each new kind, with a valid proof, in ${directory.split('/').at(-1)}`, async () => {
      const running = await thaw(readEvents(directory), readKeys(directory));
      const browser = await openSessionAs(running, 'the administrator', 'administrator'); // sees old records unredacted
      for (const event of recordsToOpen(await running.events())) {
        const page = await browser.get(`/audit/events/${event.position}/`);
        expect(page.status, event.type).to.equal(200);
        expect(elementText('record', page)).to.equal(event.record);
        const tree = openCheckpoint(
          elementText('checkpoint', page),
          parseVerifierKey(elementText('verifier-key', page)),
        );
        const proof = [
          ...(/id="inclusion-proof">(.*?)<\/ol>/.exec(page.html)?.[1] ?? '').matchAll(/<code>([^<]+)</g),
        ].map(([, hash = '']) => Buffer.from(hash, 'base64'));
        expect(
          verifyInclusion(leafHash(event.record), Number(elementText('leaf-index', page)), tree, proof),
          event.type,
        ).to.equal(true);
        expect(/<p class="lede">([\s\S]*?)<\/p>/.exec(page.html)?.[1]?.replaceAll(/<[^>]+>/g, ''), event.type)
          .to.match(/\w+ \w+/)
          .and.not.match(/undefined|null|\[object/);
      }
      await running.close();
    });
  }
});
