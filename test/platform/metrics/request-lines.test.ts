import { expect } from 'chai';
import fc from 'fast-check';
import { pino } from 'pino';
import { createRequestLog, type RequestLine } from '../../../src/platform/metrics/request-lines.ts';
import { manualClock } from '../../support/manual-clock.ts';

const arbitraryText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('a"b', 'back\\slash', 'two\nlines', '\u2028', '\x7f', 'é'),
);
const optionalText = fc.option(arbitraryText, { nil: undefined });

/** A line with arbitrary text in its fields. Omitting a field here is a compile error. */
const arbitraryLine = fc.record({
  requestId: arbitraryText,
  method: arbitraryText,
  route: optionalText,
  status: fc.integer({ min: 100, max: 599 }),
  ms: fc.nat(10_000_000).map((thousandths) => thousandths / 1000),
  clientId: optionalText,
  grantType: optionalText,
  refusal: optionalText,
  rule: optionalText,
  traceparent: optionalText,
} satisfies { readonly [Field in keyof RequestLine]: fc.Arbitrary<RequestLine[Field]> });

describe('Request log lines', () => {
  let output: string;

  beforeEach(() => {
    output = '';
  });

  const destination = { write: (chunk: string) => void (output += chunk) };

  it("equal pino's lines for any content", () => {
    const clock = manualClock();
    const requestLog = createRequestLog('debug', destination, clock);
    let pinoOutput = '';
    const pinoLogger = pino(
      { level: 'debug', base: null, timestamp: () => `,"time":${clock.now()}` },
      { write: (chunk: string) => void (pinoOutput += chunk) },
    );
    fc.assert(
      fc.property(arbitraryLine, arbitraryText, fc.constantFrom('info', 'debug'), (fields, message, level) => {
        output = '';
        pinoOutput = '';
        clock.advance(1);
        requestLog[level](fields, message);
        pinoLogger[level](fields, message);
        expect(output).to.equal(pinoOutput);
      }),
      { numRuns: 500 },
    );
  });

  it("are written at the same levels as pino's lines", () => {
    for (const level of [...Object.keys(pino.levels.values), 'silent']) {
      const pinoLogger = pino({ level });
      for (const lineLevel of ['info', 'debug'] as const) {
        output = '';
        createRequestLog(level, destination, manualClock())[lineLevel](
          { requestId: 'r', method: 'GET', status: 200, ms: 0 } as RequestLine,
          'request',
        );
        expect(output !== '', `${lineLevel} at ${level}`).to.equal(pinoLogger.isLevelEnabled(lineLevel));
      }
    }
  });
});
