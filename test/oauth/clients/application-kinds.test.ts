import { expect } from 'chai';
import fc from 'fast-check';
import { APPLICATION_KINDS, registrationForKind } from '../../../src/oauth/clients/application-kinds.ts';
import { validateRegistration } from '../../../src/oauth/clients/registration-rules.ts';

const SETTINGS = { plainHttpRedirectUris: false, redirectUriSchemes: [] };
const WEB_URIS = ['https://app.example/callback', 'https://app.example.net/', 'http://localhost:3000/cb'];
const someAnswers = fc.record({
  name: fc.constantFrom('Engine', 'Loom'),
  redirectUris: fc.uniqueArray(fc.constantFrom(...WEB_URIS), { minLength: 1 }),
});

describe('An application of any kind', () => {
  it('has a valid registration for any answers', () => {
    fc.assert(
      fc.property(fc.constantFrom(...APPLICATION_KINDS), someAnswers, (kind, answers) => {
        expect(validateRegistration(registrationForKind(kind, answers), SETTINGS)).to.include({ name: answers.name });
      }),
    );
  });

  it('has a secret if and only if users cannot read its code', () => {
    const types = APPLICATION_KINDS.map(
      (kind) => registrationForKind(kind, { name: 'x', redirectUris: [] }).clientType,
    );
    expect(types).to.deep.equal(['confidential', 'public', 'public', 'public', 'confidential']);
  });

  it('has redirect URIs if and only if users return to it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...APPLICATION_KINDS),
        someAnswers,
        fc.boolean(),
        (kind, answers, builtinCallback) => {
          const fields = registrationForKind(kind, { ...answers, builtinCallback });
          const hasCodeGrant = fields.grantTypes.includes('authorization-code');
          expect(fields.redirectUris).to.deep.equal(hasCodeGrant ? answers.redirectUris : []);
          expect(fields.builtinCallback).to.equal(hasCodeGrant && builtinCallback);
          expect(fields.grantTypes.includes('device-code')).to.equal(kind === 'device');
          expect(fields.grantTypes.includes('client-credentials')).to.equal(kind === 'machine');
          expect(fields.skipAuthorization).to.equal(false);
        },
      ),
    );
  });

  it('can request tokens from its pages if and only if it is a browser-based application', () => {
    const answers = {
      name: 'x',
      redirectUris: ['https://app.example/a', 'https://app.example/b', 'com.example:/x', 'x'],
    };
    const origins = APPLICATION_KINDS.map((kind) => registrationForKind(kind, answers).allowedOrigins);
    expect(origins).to.deep.equal([[], ['https://app.example'], [], [], []]);
  });
});
