import { expect } from 'chai';
import fc from 'fast-check';
import { decideSecondFactor, evolveSecondFactors, NO_SECOND_FACTORS } from '../../src/domain/second-factors.ts';
import { user, type UserCommand } from '../../src/domain/user.ts';
import { passkeyId, recoveryCodesId, totpId, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import { unchecked } from '../support/unchecked.ts';

const ADA = { userId: userId('ada') };
const register: UserCommand = { type: 'RegisterUser', ...ADA, sealed: 's', roles: [], active: true };
const codes = (label: string) => ({ codesId: recoveryCodesId(label), sealed: 's' });
const addTotp = (label = 't'): UserCommand => ({
  type: 'AddTotp',
  ...ADA,
  totpId: totpId(label),
  sealed: 's',
  codes: codes(label),
});
const removeTotp = (label = 't'): UserCommand => ({ type: 'RemoveTotp', ...ADA, totpId: totpId(label) });
const generate = (label: string): UserCommand => ({ type: 'GenerateRecoveryCodes', ...ADA, codes: codes(label) });
const useCode = (number: number, label = 't'): UserCommand => ({
  type: 'UseRecoveryCode',
  ...ADA,
  codesId: recoveryCodesId(label),
  number,
});
const removeAll = (reason: 'turned-off' | 'lost'): UserCommand => ({ type: 'RemoveSecondFactors', ...ADA, reason });
const addPasskey: UserCommand = { type: 'AddPasskey', ...ADA, passkeyId: passkeyId('p'), sealed: 's' };

describe('the second factors of an account', () => {
  it('include one app for one-time passwords, which is added together with recovery codes', () => {
    given(user, register).when(addTotp()).accepted('TotpAdded', 'RecoveryCodesGenerated');
    given(user, register, addTotp()).when(addTotp('other')).refused('totp-exists');
    given(user, register, addTotp(), removeTotp())
      .when(addTotp('other'))
      .accepted('TotpAdded', 'RecoveryCodesGenerated');
  });

  it('lose an app only once, and only the app that the command names', () => {
    given(user, register, addTotp()).when(removeTotp()).accepted('TotpRemoved');
    given(user, register, addTotp()).when(removeTotp('other')).changesNothing();
    given(user, register, addTotp(), removeTotp()).when(removeTotp()).changesNothing();
  });

  it('include recovery codes, each of which works once, until new codes replace them', () => {
    given(user, register).when(useCode(1)).refused('recovery-code-used');
    given(user, register, addTotp(), useCode(1)).when(useCode(1)).refused('recovery-code-used');
    given(user, register, addTotp(), useCode(1)).when(useCode(2)).accepted('RecoveryCodeUsed');
    given(user, register, addTotp(), generate('new')).when(useCode(2)).refused('recovery-code-used');
    given(user, register, addTotp(), useCode(1), generate('new')).when(useCode(1, 'new')).accepted('RecoveryCodeUsed');
  });

  it('can be recovery codes without an app, for example in addition to a passkey', () => {
    given(user, register, addPasskey).when(generate('new')).accepted('RecoveryCodesGenerated');
    given(user, register, addPasskey, generate('new')).when(useCode(1, 'new')).accepted('RecoveryCodeUsed');
  });

  it('are unchanged by a repeated command that generates the same recovery codes', () => {
    given(user, register, addTotp(), generate('new')).when(generate('new')).changesNothing();
    given(user, register, addTotp(), generate('new')).when(generate('newer')).accepted('RecoveryCodesGenerated');
  });

  it('accept each recovery code exactly once, in any order of attempts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 40 }), (attempts) => {
        let state = [register, addTotp()].reduce(
          (previousState, command) => user.decide(command, previousState).events.reduce(user.evolve, previousState),
          user.initial,
        );
        const acceptedNumbers: number[] = [];
        for (const number of attempts) {
          const { events } = user.decide(useCode(number), state);
          if (events.length > 0) acceptedNumbers.push(number);
          state = events.reduce(user.evolve, state);
        }
        expect(acceptedNumbers).to.deep.equal([...new Set(attempts)]);
      }),
    );
  });

  it('are turned off together; passkeys remain, because one is enough to log in', () => {
    given(user, register, addPasskey, addTotp()).when(removeAll('turned-off')).accepted('SecondFactorsRemoved');
    given(user, register, addTotp(), removeAll('turned-off')).when(useCode(1)).refused('recovery-code-used');
    given(user, register, addPasskey).when(removeAll('turned-off')).changesNothing();
    given(user, register, addTotp(), removeTotp()).when(removeAll('turned-off')).accepted('SecondFactorsRemoved');
  });

  it('are all removed if they are lost, even the passkeys, and every session ends', () => {
    given(user, register, addPasskey, addTotp())
      .when(removeAll('lost'))
      .accepted('PasskeyRemoved', 'SecondFactorsRemoved', 'AllSessionsEnded');
    given(user, register, addPasskey)
      .when(removeAll('lost'))
      .accepted('PasskeyRemoved', 'SecondFactorsRemoved', 'AllSessionsEnded');
    given(user, register).when(removeAll('lost')).changesNothing();
    given(user, register, addTotp(), removeAll('lost')).when(removeAll('lost')).changesNothing();
  });

  it('belong to one account, not to a later one with the same user name', () => {
    const erase: UserCommand = { type: 'EraseUser', ...ADA };
    const bob: UserCommand = { ...register, userId: userId('bob') };
    for (const command of [addTotp(), removeTotp(), generate('new'), useCode(1), removeAll('lost')])
      given(user, register, addTotp(), erase, bob).when(command).refused('user-unknown');
  });

  it('accept no unknown command or event', () => {
    const unknownMessage = unchecked({ type: 'Other' });
    const state = { ...NO_SECOND_FACTORS, passkeys: [] };
    expect(() => decideSecondFactor(unknownMessage, state)).to.throw('unhandled case');
    expect(() => evolveSecondFactors(state, unknownMessage)).to.throw('unhandled case');
  });
});
