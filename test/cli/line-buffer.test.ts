import { mock } from 'node:test';
import { expect } from 'chai';
import fc from 'fast-check';
import { createLineBuffer } from '../../src/cli/line-buffer.ts';

describe('Buffered lines', () => {
  let chunks: string[];
  let flushCount: number;

  beforeEach(() => {
    chunks = [];
    flushCount = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
  });

  afterEach(() => mock.timers.reset());

  const createBuffer = () =>
    createLineBuffer({ write: (lines) => void chunks.push(lines), flushSync: () => void (flushCount += 1) });

  it('are written completely and in order, for all sequences of writes and flushes', () => {
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
          chunks = [];
          const buffer = createBuffer();
          for (const line of steps) {
            if (line === undefined) buffer.flushSync();
            else buffer.write(line);
          }
          buffer.flushSync();
          expect(chunks.join('')).to.equal(steps.join(''));
          expect(chunks).to.not.include('');
        },
      ),
    );
  });

  it('are written once they exceed four thousand characters, without a flush', () => {
    const buffer = createBuffer();
    for (let line = 0; line < 400; line += 1) buffer.write(`${'x'.repeat(99)}\n`);
    expect(chunks.map((lines) => lines.length)).to.deep.equal(Array.from({ length: 9 }, () => 4_100));
    buffer.flushSync();
    expect([chunks.at(-1)?.length, flushCount]).to.deep.equal([3_100, 1]);
  });

  it('are written at most 250 ms after the first line', () => {
    const buffer = createBuffer();
    buffer.write('one\n');
    mock.timers.tick(200);
    buffer.write('two\n');
    mock.timers.tick(49);
    expect(chunks).to.deep.equal([]);
    mock.timers.tick(1);
    expect(chunks).to.deep.equal(['one\ntwo\n']);
    buffer.write('three\n');
    mock.timers.tick(250);
    expect(chunks).to.deep.equal(['one\ntwo\n', 'three\n']);
  });
});
