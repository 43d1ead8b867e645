import { expect } from 'chai';
import * as fc from 'fast-check';
import { CLIENT_TYPES, type ClientType } from '../../../src/domain/values.ts';
import { redirectUriProblem } from '../../../src/oauth/clients/redirect-uris.ts';
import {
  challengeViolation,
  codeViolation,
  redirectUriViolation,
  type CodeRuleSettings,
} from '../../../src/oauth/grant-types/code-rules.ts';
import { wireError } from '../../../src/oauth/refusals/refusal-messages.ts';

const METHODS = ['S256', 'plain'] as const;
const aChallenge = fc.record({ method: fc.constantFrom(...METHODS), challenge: fc.constant('a-challenge') });
const aRedirectUri = fc.constantFrom(
  'https://app.example/callback',
  'http://intranet.example/callback',
  'http://127.0.0.1/callback',
  'myapp:/callback',
  'javascript:alert(1)',
);
const aClient = fc.record({ clientType: fc.constantFrom(...CLIENT_TYPES) });
const someSettings: fc.Arbitrary<CodeRuleSettings> = fc.record({
  requirePkce: fc.constantFrom<CodeRuleSettings['requirePkce']>('all', 'public', 'none'),
  pkceMethods: fc.subarray([...METHODS]),
  plainHttpRedirectUris: fc.boolean(),
  redirectUriSchemes: fc.subarray(['myapp']),
});

describe('the rules about codes', () => {
  it('require a challenge as the settings say: of all clients, of public ones, or of none', () => {
    fc.assert(
      fc.property(aClient, someSettings, (client, settings) => {
        const { clientType } = client;
        const required = { all: true, public: clientType === 'public', none: false }[settings.requirePkce];
        expect(challengeViolation(null, client, settings)).to.deep.equal(
          required ? { rule: 'code-challenge-missing', clientType, isMethodSent: false } : undefined,
        );
      }),
    );
  });

  it('allow a challenge if the settings have its method, whether it is required or not', () => {
    fc.assert(
      fc.property(aChallenge, aClient, someSettings, (challenge, client, settings) => {
        const { method: seen } = challenge;
        const allowed = settings.pkceMethods;
        const refused = {
          rule: 'parameter-value',
          parameter: 'code_challenge_method',
          allowed,
          seen,
          length: seen.length,
        };
        expect(challengeViolation(challenge, client, settings)).to.deep.equal(
          allowed.includes(seen) ? undefined : refused,
        );
      }),
    );
  });

  it('refuse a redirect URI that the settings forbid, and name the setting that would allow it', () => {
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
        expect(violation?.message).to.include(problem);
      }),
    );
  });

  it('apply to a code: first the rules about its redirect URI, then those about its challenge', () => {
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
              (refusal && { refusal, message: wireError(refusal).description }),
          );
        },
      ),
    );
  });
});

function settingFor(uri: string, clientType: ClientType): keyof CodeRuleSettings | null {
  if (uri.startsWith('http:')) return 'plainHttpRedirectUris';
  return uri.startsWith('myapp:') && clientType === 'public' ? 'redirectUriSchemes' : null;
}
