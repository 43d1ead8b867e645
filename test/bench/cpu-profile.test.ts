import { expect } from 'chai';
import { fileOf, functionOf, selfTimes, type CpuProfile } from '../../scripts/bench/cpu-profile.ts';

const createFrame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 9 });

/** Four samples of 10 ms each, and a fifth without an end. */
const PROFILE: CpuProfile = {
  nodes: [
    { id: 1, callFrame: createFrame('(root)') },
    { id: 2, callFrame: createFrame('decide', 'file:///srv/grantlog/dist/domain/user.js') },
    { id: 3, callFrame: createFrame('(idle)') },
    {
      id: 4,
      callFrame: createFrame('compose', 'file:///srv/grantlog/node_modules/koa/node_modules/@koa/compose/index.js'),
    },
  ],
  startTime: 1_000_000,
  samples: [2, 3, 4, 2, 2],
  timeDeltas: [10_000, 10_000, 10_000, 10_000, 10_000],
};

describe('a server profile', () => {
  it('attributes the time between two samples to the file of the first one, and ignores idle time', () => {
    const shares = selfTimes(PROFILE, 0, Infinity, fileOf);
    expect(shares.map(({ name, milliseconds }) => [name, milliseconds])).to.deep.equal([
      ['src/domain/user.ts', 20],
      ['@koa/compose', 10],
    ]);
    expect(shares.reduce((sum, { share }) => sum + share, 0)).to.be.closeTo(1, 1e-9);
  });

  it('ignores samples outside the interval', () => {
    expect(selfTimes(PROFILE, 1_025_000, 1_035_000, fileOf).map(({ name }) => name)).to.deep.equal(['@koa/compose']);
    expect(selfTimes(PROFILE, 0, 1, fileOf)).to.deep.equal([]);
  });

  it('names project files by source, packages by name, and functions by compiled position', () => {
    expect(fileOf(createFrame('x', 'file:///srv/node_modules/pino/lib/proto.js'))).to.equal('pino');
    expect(fileOf(createFrame('x', 'node:net'))).to.equal('node:net');
    expect(fileOf(createFrame('(garbage collector)'))).to.equal('(garbage collector)');
    expect(fileOf(createFrame('writev'))).to.equal('native writev');
    expect(functionOf(createFrame('', 'file:///srv/dist/http/app.js'))).to.equal('(anonymous) dist/http/app.js:10');
  });
});
