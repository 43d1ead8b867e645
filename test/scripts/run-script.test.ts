import { expect } from 'chai';
import { refuseEmptyArguments } from '../../scripts/run-script.ts';

describe('the arguments of a script', () => {
  it('cannot be empty, and the refusal names the option', () => {
    const advice = 'must not be empty; specify a value, or omit the option';
    expect(() => refuseEmptyArguments(['compare', '--baseline', ''])).to.throw(`--baseline: ${advice}`);
    expect(() => refuseEmptyArguments(['--baseline='])).to.throw(`--baseline: ${advice}`);
    expect(() => refuseEmptyArguments(['compare', ''])).to.throw('argument 2: must not be empty; omit it');
    refuseEmptyArguments(['compare', '--baseline', '../other', '--rows=code', '--json']);
  });
});
