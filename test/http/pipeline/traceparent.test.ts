import { expect } from 'chai';
import fc from 'fast-check';
import { parseTraceparent } from '../../../src/http/pipeline/traceparent.ts';
import { runningService } from '../../support/running-service.ts';

const hexOfLength = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: length, maxLength: length });
const nonzeroHex = (length: number) => hexOfLength(length).filter((text) => !/^0+$/.test(text));
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('A traceparent (W3C Trace Context)', () => {
  it('of version 00 is accepted unchanged', () => {
    fc.assert(
      fc.property(nonzeroHex(32), nonzeroHex(16), hexOfLength(2), (trace, parent, flags) => {
        expect(parseTraceparent(`00-${trace}-${parent}-${flags}`)).to.equal(`00-${trace}-${parent}-${flags}`);
      }),
    );
  });

  it('of a later version is read as version 00', () => {
    fc.assert(
      fc.property(
        nonzeroHex(32),
        nonzeroHex(16),
        hexOfLength(2),
        hexOfLength(2).filter((version) => version !== '00' && version !== 'ff'),
        fc.constantFrom('', '-', '-what.comes'),
        (trace, parent, flags, version, suffix) => {
          expect(parseTraceparent(`${version}-${trace}-${parent}-${flags}${suffix}`)).to.equal(
            `00-${trace}-${parent}-${flags}`,
          );
        },
      ),
    );
  });

  it('is ignored if it is malformed', () => {
    const malformedHeaders = [
      '',
      '00',
      `ff${TRACEPARENT.slice(2)}`,
      TRACEPARENT.toUpperCase(),
      `${TRACEPARENT}-00`,
      `${TRACEPARENT}0`,
      ` ${TRACEPARENT}`,
      `${TRACEPARENT}\n`,
      `01${TRACEPARENT.slice(2)}-${'x'.repeat(300)}`,
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
      TRACEPARENT.replaceAll('-', '_'),
    ];
    for (const header of [...malformedHeaders, undefined, [TRACEPARENT]])
      expect(parseTraceparent(header), String(header)).to.equal(undefined);
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        const parsed = parseTraceparent(text);
        expect(parsed === undefined || /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(parsed)).to.equal(true);
      }),
    );
  });

  it('is in the envelopes of exactly those events that its request records, even after a restart', async () => {
    const running = await runningService();
    try {
      const [client, user] = [await running.addClient(), await running.addUser()];
      const eventCount = (await running.events()).length;
      const browser = running.browser({ traceparent: TRACEPARENT });
      await browser.logIn(user.username, user.password);
      await running.post(
        '/o/token/',
        { grant_type: 'client_credentials' },
        { authorization: client.basic, traceparent: TRACEPARENT },
      );
      await running.post(
        '/o/token/',
        { grant_type: 'client_credentials' },
        { authorization: client.basic, traceparent: 'made up' },
      );
      await running.token(client, { grant_type: 'client_credentials' });
      await running.restart();
      const traces = (await running.events()).slice(eventCount).map(({ type, traceparent }) => [type, traceparent]);
      expect(traces.slice(0, 2)).to.deep.equal([
        ['SessionStarted', TRACEPARENT],
        ['AccessTokenIssued', TRACEPARENT],
      ]);
      for (const [, traceparent] of traces.slice(2)) expect(traceparent).to.equal(undefined);
      for (const { requestId } of (await running.events()).slice(eventCount)) expect(requestId).to.match(/^[\w-]{22}$/);
      const records = (await running.events()).map(({ record }) => record);
      expect(records.filter((record) => record.includes('traceparent'))).to.have.length(2);
    } finally {
      await running.close();
    }
  });
});
