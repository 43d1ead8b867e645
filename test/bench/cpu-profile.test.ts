import { expect } from 'chai';
import { describeSource, formatFunction, selfTimes, type CpuProfile } from '../../scripts/bench/cpu-profile.ts';

const createFrame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 9 });

/** Four samples of 10 ms each, and a fifth with an unknown end. */
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
    const shares = selfTimes(PROFILE, 0, Infinity, describeSource);
    expect(shares.map(({ name, milliseconds }) => [name, milliseconds])).to.deep.equal([
      ['src/domain/user.ts', 20],
      ['@koa/compose', 10],
    ]);
    expect(shares.reduce((sum, { share }) => sum + share, 0)).to.be.closeTo(1, 1e-9);
  });

  it('ignores samples outside the interval', () => {
    expect(selfTimes(PROFILE, 1_025_000, 1_035_000, describeSource).map(({ name }) => name)).to.deep.equal([
      '@koa/compose',
    ]);
    expect(selfTimes(PROFILE, 0, 1, describeSource)).to.deep.equal([]);
  });

  it('names project files by source, packages by name, and functions by compiled position', () => {
    expect(describeSource(createFrame('x', 'file:///srv/node_modules/pino/lib/proto.js'))).to.equal('pino');
    expect(describeSource(createFrame('x', 'node:net'))).to.equal('node:net');
    expect(describeSource(createFrame('(garbage collector)'))).to.equal('(garbage collector)');
    expect(describeSource(createFrame('writev'))).to.equal('native writev');
    expect(formatFunction(createFrame('', 'file:///srv/dist/http/app.js'))).to.equal('(anonymous) dist/http/app.js:10');
  });
});
