import { expect } from 'chai';
import fc from 'fast-check';
import { pino } from 'pino';
import { createRequestLog, type RequestLine } from '../../../src/platform/metrics/request-lines.ts';
import { manualClock } from '../../support/manual-clock.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('a"b', 'back\\slash', 'two\nlines', '\u2028', '\x7f', 'é'),
);
const maybe = fc.option(text, { nil: undefined });

/** A line with arbitrary text in its fields. */
const line = fc.record({
  requestId: text,
  method: text,
  route: maybe,
  status: fc.integer({ min: 100, max: 599 }),
  ms: fc.nat(10_000_000).map((thousandths) => thousandths / 1000),
  clientId: maybe,
  grantType: maybe,
  refusal: maybe,
  rule: maybe,
  traceparent: maybe,
}) as fc.Arbitrary<RequestLine>;

describe('Request log lines', () => {
  let written: string;

  beforeEach(() => {
    written = '';
  });

  const destination = { write: (more: string) => void (written += more) };

  it("equal pino's lines for any content", () => {
    const clock = manualClock();
    const ours = createRequestLog('debug', destination, clock);
    let theirs = '';
    const pinoLogger = pino(
      { level: 'debug', base: null, timestamp: () => `,"time":${clock.now()}` },
      { write: (more: string) => void (theirs += more) },
    );
    fc.assert(
      fc.property(line, text, fc.constantFrom('info', 'debug'), (fields, message, level) => {
        written = '';
        theirs = '';
        clock.advance(1);
        ours[level](fields, message);
        pinoLogger[level](fields, message);
        expect(written).to.equal(theirs);
      }),
      { numRuns: 500 },
    );
  });

  it('are written at the same levels as by pino', () => {
    for (const level of [...Object.keys(pino.levels.values), 'silent']) {
      const pinoLogger = pino({ level });
      for (const lineLevel of ['info', 'debug'] as const) {
        written = '';
        createRequestLog(level, destination, manualClock())[lineLevel](
          { requestId: 'r', method: 'GET', status: 200, ms: 0 } as RequestLine,
          'request',
        );
        expect(written !== '', `${lineLevel} at ${level}`).to.equal(pinoLogger.isLevelEnabled(lineLevel));
      }
    }
  });
});
