import { expect } from 'chai';
import { expectedTimes, findFastTestFiles, findSlowness } from '../../scripts/test/slow-tests.ts';
import { findTests } from '../../scripts/test/test-kinds.ts';

describe('The expected time of a test file', () => {
  const [browserTest, levelTest, fastTest] = [
    'test/browser/consent.test.ts',
    'test/contract/level-log.test.ts',
    'test/domain/authorization-grant.test.ts',
  ] as const;

  it('is its duration in the last run on this machine', () => {
    const recordedTimes = new Map([[fastTest, { milliseconds: 7, processorMilliseconds: 5 }]]);
    expect([...expectedTimes([browserTest, fastTest], recordedTimes)]).to.deep.include([fastTest, 7]);
  });

  it('is estimated from its imports if it has never run on this machine', () => {
    const times = expectedTimes([browserTest, levelTest, fastTest], new Map());
    expect(times.get(browserTest)).to.be.above(times.get(levelTest) ?? Infinity);
    expect(times.get(levelTest)).to.be.above(times.get(fastTest) ?? Infinity);
  });
});

describe('The fast tests', () => {
  const { fast } = findFastTestFiles(new Map());

  it("are exactly the suite's tests that are not slow", () => {
    const slowFiles = findTests('suite').filter((file) => findSlowness(file) !== undefined);
    expect([...fast, ...slowFiles])
      .to.have.members(findTests('suite'))
      .and.to.have.lengthOf(findTests('suite').length);
  });

  it('exclude tests that start a process, a browser or LevelDB, directly or through test code', () => {
    expect(findSlowness('test/cli/serve.test.ts')).to.equal('node:child_process');
    expect(findSlowness('test/crash/kill.test.ts')).to.equal('this.timeout');
    expect(findSlowness('test/crash/client-keys.test.ts')).to.equal('level');
    expect(findSlowness('test/contract/level-log.test.ts')).to.equal('level');
    expect(findSlowness('test/operations/erasure.test.ts')).to.be.a('string');
    for (const folder of ['browser', 'crash'])
      expect(fast.filter((file) => file.startsWith(`test/${folder}/`))).to.deep.equal([]);
  });

  it('exclude tests that write to the disk', () => {
    expect(findSlowness('test/audit/proofs/static-log.test.ts')).to.equal('mkdtemp');
  });

  it('exclude tests that request every route', () => {
    expect(findSlowness('test/sweeps/every-route.test.ts')).to.equal('test/support/app-routes.ts');
    expect(findSlowness('test/sweeps/open-api-answers.test.ts')).to.equal('test/support/described-api.ts');
  });

  it('exclude and report tests that took more than 0.75 s of processor time', () => {
    const [slowFile = '', quickFile = ''] = fast;
    const result = findFastTestFiles(
      new Map([
        [slowFile, { milliseconds: 1_001, processorMilliseconds: 751 }],
        [quickFile, { milliseconds: 9_000, processorMilliseconds: 750 }],
      ]),
    );
    expect(result.tooSlow).to.deep.equal([slowFile]);
    expect(result.fast).to.deep.equal(fast.filter((file) => file !== slowFile));
  });

  it('include tests of the event log in memory, of pure code and of HTTP', () => {
    expect(fast).to.include.members([
      'test/contract/memory-log.test.ts',
      'test/domain/authorization-grant.test.ts',
      'test/rfc/rfc6749-3.2-token-endpoint.test.ts',
      'test/architecture.test.ts',
    ]);
  });
});
