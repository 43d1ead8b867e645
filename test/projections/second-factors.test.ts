import { expect } from 'chai';
import type { SecondFactor } from '../../src/domain/events.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import { createSecondFactors } from '../../src/projections/second-factors.ts';
import type { SealedData } from '../../src/projections/sealed-data.ts';
import { hashOf, recoveryCodesId, seconds, totpId, userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

const ADA = { userId: userId('ada') };

/** In these tests, sealed data is plain JSON. The keys of the users in `erasedIds` are destroyed. */
function setUp(erasedIds: readonly string[] = []) {
  const create = () =>
    createSecondFactors((id, sealed) => (erasedIds.includes(id) ? undefined : (JSON.parse(sealed) as SealedData)));
  const factors = create();
  const { record } = createRecording(factors);
  const addTotp = (label = 't', at = 5): void =>
    record(
      'user-ada',
      { type: 'TotpAdded', data: { ...ADA, totpId: totpId(label), sealed: JSON.stringify({ totpSecret: label }) } },
      at,
    );
  const generate = (label = 'c', at = 5): void =>
    record(
      'user-ada',
      {
        type: 'RecoveryCodesGenerated',
        data: {
          ...ADA,
          codesId: recoveryCodesId(label),
          sealed: JSON.stringify({ recoveryCodes: [hashOf(label)] }),
        },
      },
      at,
    );
  const logIn = (secondFactor: SecondFactor, at = 60): void =>
    record(
      'session-s',
      {
        type: 'SessionStarted',
        data: {
          ...ADA,
          expiresAt: seconds(900),
          authentication: {
            method: 'password',
            authenticatedAt: seconds(at),
            checkedAsOf: 0 as Position,
            secondFactor,
          },
        },
      },
      at,
    );
  return { factors, create, record, addTotp, generate, logIn };
}

describe('the second factors', () => {
  it('include the app with its secret and its latest steps, until it is removed', () => {
    const { factors, record, addTotp, logIn } = setUp();
    addTotp();
    const app = { totpId: totpId('t'), secret: 't', addedAt: 5 };
    expect(factors.totpOf(ADA.userId)).to.deep.equal({ ...app, lastUsedAt: null, usedSteps: [] });
    logIn({ method: 'totp', totpId: totpId('t'), step: 2 });
    logIn({ method: 'totp', totpId: totpId('another'), step: 3 }, 90);
    expect(factors.totpOf(ADA.userId)).to.deep.equal({ ...app, lastUsedAt: 60, usedSteps: [2] });
    expect(factors.size()).to.equal(1);
    record('user-ada', { type: 'TotpRemoved', data: { ...ADA, totpId: totpId('t') } });
    expect([factors.totpOf(ADA.userId), factors.size()]).to.deep.equal([undefined, 0]);
  });

  it('include only a bounded number of used steps', () => {
    const { factors, addTotp, logIn } = setUp();
    addTotp();
    for (let step = 0; step < 100; step += 1) logIn({ method: 'totp', totpId: totpId('t'), step });
    expect(factors.totpOf(ADA.userId)?.usedSteps).to.deep.equal([92, 93, 94, 95, 96, 97, 98, 99]);
  });

  it('include the recovery codes, and the numbers of the used ones', () => {
    const { factors, record, generate } = setUp();
    generate('old');
    generate('c', 7);
    const use = (label: string): void =>
      record('user-ada', {
        type: 'RecoveryCodeUsed',
        data: { ...ADA, codesId: recoveryCodesId(label), number: 1 },
      });
    use('old');
    const codes = { codesId: recoveryCodesId('c'), hashes: [hashOf('c')], generatedAt: 7 };
    expect(factors.recoveryCodesOf(ADA.userId)).to.deep.equal({ ...codes, used: [] });
    use('c');
    expect(factors.recoveryCodesOf(ADA.userId)).to.deep.equal({ ...codes, used: [1] });
  });

  for (const type of ['UserErased', 'SecondFactorsRemoved'] as const)
    it(`are removed by ${type}`, () => {
      const { factors, record, addTotp, generate } = setUp();
      addTotp();
      generate();
      record('user-ada', type === 'UserErased' ? { type, data: ADA } : { type, data: { ...ADA, reason: 'lost' } });
      expect([factors.totpOf(ADA.userId), factors.recoveryCodesOf(ADA.userId)]).to.deep.equal([undefined, undefined]);
    });

  it("cannot be read once the user's key has been destroyed", () => {
    const { factors, addTotp, generate } = setUp([ADA.userId]);
    addTotp();
    generate();
    expect([factors.totpOf(ADA.userId), factors.recoveryCodesOf(ADA.userId)]).to.deep.equal([undefined, undefined]);
  });

  it('are restored from a snapshot', () => {
    const { factors, create, addTotp, generate, logIn } = setUp();
    addTotp();
    generate();
    logIn({ method: 'totp', totpId: totpId('t'), step: 2 });
    const restoredFactors = create();
    for (const piece of factors.freeze()) restoredFactors.restore(piece);
    expect([...restoredFactors.contents()]).to.deep.equal([...factors.contents()]);
    expect(restoredFactors.totpOf(ADA.userId)).to.deep.equal(factors.totpOf(ADA.userId));
  });
});
