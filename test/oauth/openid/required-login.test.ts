import { expect } from 'chai';
import type { AuthorizationRequest } from '../../../src/oauth/endpoints/authorization-request.ts';
import { loginForRequest } from '../../../src/oauth/openid/required-login.ts';
import { loginOf } from '../../support/domain-values.ts';
import { unchecked } from '../../support/unchecked.ts';

const requestFor = (...values: readonly unknown[]): AuthorizationRequest =>
  unchecked({
    acrValues: [],
    openid: { claims: { idToken: [{ name: 'acr', isEssential: true, values }], userinfo: [] } },
  });
const loginWithClass = (acr: string) => ({ ...loginOf('session'), acr });

describe('a login for a request with an essential acr or acr_values', () => {
  it('states its class, unless only weaker classes were requested: then the strongest of those', () => {
    for (const [requestedClasses, actual, expected] of [
      [['mfa'], 'mfa', 'mfa'],
      [['pwd', 'mfa'], 'phr', 'mfa'],
      [['pwd', 'phr'], 'phr', 'phr'],
      [['urn:gold', 'pwd'], 'mfa', 'pwd'],
      [['phr'], 'mfa', 'mfa'],
      [['urn:gold'], 'phr', 'phr'],
    ] as const)
      expect(
        loginForRequest(requestFor(...requestedClasses), loginWithClass(actual))?.acr,
        requestedClasses.join(' '),
      ).to.equal(expected);
  });

  it('states a supported class of acr_values if no class is essential', () => {
    for (const [acrValues, actual, expected] of [
      [['mfa'], 'phr', 'mfa'],
      [['urn:gold'], 'phr', 'phr'],
      [['phr'], 'pwd', 'pwd'],
    ] as const) {
      const request: AuthorizationRequest = unchecked({ openid: null, acrValues });
      expect(loginForRequest(request, loginWithClass(actual))?.acr, acrValues.join(' ')).to.equal(expected);
    }
    expect(loginForRequest({ ...requestFor('pwd'), acrValues: ['mfa'] }, loginWithClass('phr'))?.acr).to.equal('pwd');
  });

  it('states the recorded class if the request contains no class', () => {
    expect(loginForRequest(requestFor(), loginWithClass('phr'))).to.deep.equal(loginWithClass('phr'));
    expect(loginForRequest(unchecked({ openid: null, acrValues: [] }), loginWithClass('phr'))).to.deep.equal(
      loginWithClass('phr'),
    );
    expect(loginForRequest(requestFor('pwd'), undefined)).to.equal(undefined);
  });
});
