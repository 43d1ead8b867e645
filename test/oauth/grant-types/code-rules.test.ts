import { expect } from 'chai';
import * as fc from 'fast-check';
import { DEFAULT_SECURITY } from '../../../src/domain/security-settings.ts';
import { CLIENT_TYPES, type ClientType } from '../../../src/domain/values.ts';
import { redirectUriProblem } from '../../../src/oauth/clients/redirect-uris.ts';
import {
  challengeViolation,
  codeViolation,
  redirectUriViolation,
  responseUriViolation,
  type CodeRuleSettings,
} from '../../../src/oauth/grant-types/code-rules.ts';
import { wireError } from '../../../src/oauth/refusals/refusal-messages.ts';
import { englishProblem } from '../../support/english-problems.ts';

const METHODS = ['S256', 'plain'] as const;
const aChallenge = fc.record({ method: fc.constantFrom(...METHODS), challenge: fc.constant('a-challenge') });
const aRedirectUri = fc.constantFrom(
  'https://app.example/callback',
  'http://intranet.example/callback',
  'http://127.0.0.1/callback',
  'myapp:/callback',
  'javascript:alert(1)',
);
const aClient = fc.record({
  clientType: fc.constantFrom(...CLIENT_TYPES),
  authentication: fc.constant({ methods: ['private_key_jwt'] as const }),
  security: fc.constant(DEFAULT_SECURITY),
});
const FAPI = {
  clientType: 'confidential',
  authentication: { methods: ['private_key_jwt'] },
  security: { ...DEFAULT_SECURITY, profile: 'fapi2' },
} as const;
const someSettings: fc.Arbitrary<CodeRuleSettings> = fc.record({
  requirePkce: fc.constantFrom<CodeRuleSettings['requirePkce']>('all', 'public', 'none'),
  pkceMethods: fc.subarray([...METHODS]),
  plainHttpRedirectUris: fc.boolean(),
  redirectUriSchemes: fc.subarray(['myapp']),
});

describe('the authorization code rules', () => {
  it('require a challenge of all clients, of public clients or of no clients, according to the settings', () => {
    fc.assert(
      fc.property(aClient, someSettings, (client, settings) => {
        const { clientType } = client;
        const isRequired = { all: true, public: clientType === 'public', none: false }[settings.requirePkce];
        expect(challengeViolation(null, client, settings)).to.deep.equal(
          isRequired ? { rule: 'code-challenge-missing', clientType, isMethodSent: false } : undefined,
        );
      }),
    );
  });

  it('allow a challenge if the settings contain its method, even if it is not required', () => {
    fc.assert(
      fc.property(aChallenge, aClient, someSettings, (challenge, client, settings) => {
        const { method } = challenge;
        const allowed = settings.pkceMethods;
        const refusal = {
          rule: 'parameter-value',
          parameter: 'code_challenge_method',
          allowed,
          seen: method,
          length: method.length,
        };
        expect(challengeViolation(challenge, client, settings)).to.deep.equal(
          allowed.includes(method) ? undefined : refusal,
        );
      }),
    );
  });

  it('refuse a redirect URI that the settings forbid, and report the setting that would allow it', () => {
    fc.assert(
      fc.property(aRedirectUri, aClient, someSettings, (uri, client, settings) => {
        const { clientType } = client;
        const problem = redirectUriProblem(uri, clientType, settings);
        const violation = redirectUriViolation(uri, client, settings);
        if (problem === undefined) {
          expect(violation).to.equal(undefined);
          return;
        }
        const setting = settingFor(uri, clientType);
        expect(violation?.refusal).to.deep.equal({ rule: 'redirect-uri-not-allowed', uri, problem, setting });
        expect(englishProblem(violation?.message)).to.include(englishProblem(problem));
      }),
    );
  });

  it('check the redirect URI of a code before its challenge', () => {
    fc.assert(
      fc.property(
        aRedirectUri,
        fc.option(aChallenge),
        aClient,
        someSettings,
        (redirectUri, codeChallenge, client, settings) => {
          const refusal = challengeViolation(codeChallenge, client, settings);
          expect(codeViolation({ redirectUri, codeChallenge }, client, settings)).to.deep.equal(
            redirectUriViolation(redirectUri, client, settings) ??
              (refusal && {
                refusal,
                message: wireError(refusal).description,
              }),
          );
        },
      ),
    );
  });
});

describe('the authorization code rules for a client with the FAPI 2.0 profile', () => {
  it('require a challenge with S256, with any settings', () => {
    fc.assert(
      fc.property(fc.option(aChallenge), someSettings, (challenge, settings) => {
        const isS256 = challenge?.method === 'S256';
        const refusal = challengeViolation(challenge, FAPI, settings);
        expect(refusal === undefined).to.equal(isS256 && settings.pkceMethods.includes('S256'));
        if (!isS256)
          expect(refusal).to.deep.equal({ rule: 'profile-requires', what: 'pkce', seen: challenge?.method ?? null });
      }),
    );
  });

  it('require https, even on a loopback address and even if the settings allow http', () => {
    fc.assert(
      fc.property(aRedirectUri, someSettings, (uri, settings) => {
        const violation = responseUriViolation(uri, FAPI, settings);
        expect(violation === undefined).to.equal(uri.startsWith('https:'));
        if (violation !== undefined)
          expect(englishProblem(violation.message)).to.include('FAPI 2.0 Security Profile, section 5.3.2.2');
      }),
    );
  });

  it('refuse an http URI, which the refusal quotes, and any URI that the request does not contain', () => {
    const settings = { plainHttpRedirectUris: true, redirectUriSchemes: [] };
    const refusalOf = (uri: string, isExplicit: boolean) =>
      responseUriViolation(uri, FAPI, settings, isExplicit)?.refusal;
    const uri = 'http://127.0.0.1/callback';
    expect(refusalOf(uri, true)).to.deep.equal({ rule: 'profile-requires', what: 'https-redirect', seen: uri });
    const httpsUri = 'https://app.example/callback';
    expect(refusalOf(httpsUri, true)).to.equal(undefined);
    expect(refusalOf(httpsUri, false)).to.deep.equal({ rule: 'profile-requires', what: 'redirect-uri', seen: null });
  });
});

function settingFor(uri: string, clientType: ClientType): keyof CodeRuleSettings | null {
  if (uri.startsWith('http:')) return 'plainHttpRedirectUris';
  return uri.startsWith('myapp:') && clientType === 'public' ? 'redirectUriSchemes' : null;
}
