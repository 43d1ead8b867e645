import { mock } from 'node:test';
import { expect } from 'chai';
import fc from 'fast-check';
import { createLineBuffer } from '../../src/cli/line-buffer.ts';

describe('Buffered lines', () => {
  let passedLines: string[];
  let flushed: number;

  beforeEach(() => {
    passedLines = [];
    flushed = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
  });

  afterEach(() => mock.timers.reset());

  const createBuffer = () =>
    createLineBuffer({ write: (lines) => void passedLines.push(lines), flushSync: () => void (flushed += 1) });

  it('are written completely and in order, several at a time, for all sequences of writes and flushes', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string().map((text) => `${text}\n`),
            fc.constant(undefined),
          ),
          { maxLength: 300 },
        ),
        (steps) => {
          passedLines = [];
          const buffer = createBuffer();
          for (const line of steps) {
            if (line === undefined) buffer.flushSync();
            else buffer.write(line);
          }
          buffer.flushSync();
          expect(passedLines.join('')).to.equal(steps.join(''));
          expect(passedLines).to.not.include('');
        },
      ),
    );
  });

  it('are written once they exceed four thousand characters, without a flush', () => {
    const buffer = createBuffer();
    for (let line = 0; line < 400; line += 1) buffer.write(`${'x'.repeat(99)}\n`);
    expect(passedLines.map((lines) => lines.length)).to.deep.equal(Array.from({ length: 9 }, () => 4_100));
    buffer.flushSync();
    expect([passedLines.at(-1)?.length, flushed]).to.deep.equal([3_100, 1]);
  });

  it('are written at most 250 ms after the first line', () => {
    const buffer = createBuffer();
    buffer.write('one\n');
    mock.timers.tick(200);
    buffer.write('two\n');
    mock.timers.tick(49);
    expect(passedLines).to.deep.equal([]);
    mock.timers.tick(1);
    expect(passedLines).to.deep.equal(['one\ntwo\n']);
    buffer.write('three\n');
    mock.timers.tick(250);
    expect(passedLines).to.deep.equal(['one\ntwo\n', 'three\n']);
  });
});
