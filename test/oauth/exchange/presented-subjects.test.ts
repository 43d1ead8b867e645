import { expect } from 'chai';
import { DecisionOutdated } from '../../../src/event-store/event-log.ts';
import { createSubjectsReader } from '../../../src/oauth/exchange/presented-subjects.ts';
import type { ExchangeContext, ReadPresentedToken } from '../../../src/oauth/exchange/presented-token.ts';
import { TOKEN_TYPES } from '../../../src/oauth/exchange/token-types.ts';
import { clientId, grantId, hashOf, seconds } from '../../support/domain-values.ts';
import { parametersOf } from '../../support/parameters-of.ts';

const CONTEXT: ExchangeContext = {
  clientId: clientId('api'),
  grantId: grantId('exchange'),
  now: seconds(0),
  mayExchange: () => true,
};
const SUBJECT = { subject_token: 'a'.repeat(43), subject_token_type: TOKEN_TYPES.accessToken };
const ACTOR = { actor_token: 'b'.repeat(43), actor_token_type: TOKEN_TYPES.accessToken };

/** Creates a token reader that calls `interrupt` before it reads the dependencies of the tokens. */
function createReader(interrupt: (retiredParameters: Set<string>) => void) {
  const retiredParameters = new Set<string>();
  const readAccessToken: ReadPresentedToken = async (_value, parameter) => ({
    token: {
      grantId: grantId(parameter),
      clientId: clientId('web'),
      userId: null,
      scope: ['read'],
      resource: [],
      expiresAt: seconds(60),
      tokenHash: hashOf(parameter),
      tokenType: 'access_token',
      details: undefined,
      login: undefined,
      exchange: undefined,
      confirmation: undefined,
    },
    basedOn: [],
    isStillValid: () => true, // a retired token stays valid for a while
    wasRetired: () => retiredParameters.has(parameter),
    invalidTokenError: () => expect.fail('no token is invalid'),
  });
  const unexpectedReader: ReadPresentedToken = () => expect.fail('the token has a different type');
  return createSubjectsReader({
    readAccessToken,
    readIdToken: unexpectedReader,
    foreignReaders: { jwt: unexpectedReader, idToken: unexpectedReader },
    observeDependencies: async () => {
      interrupt(retiredParameters);
      return [];
    },
    subjectFor: () => 'subject',
    issuer: () => 'http://localhost:8000',
  });
}

describe('The tokens of an exchange', () => {
  it('are read as the subject and the actor', async () => {
    const { subject, actor } = await createReader(() => {})(parametersOf({ ...SUBJECT, ...ACTOR }), CONTEXT);
    expect([subject.tokenHash, actor?.tokenHash]).to.deep.equal([hashOf('subject_token'), hashOf('actor_token')]);
  });

  for (const [parameter, parameters] of [
    ['subject_token', SUBJECT],
    ['subject_token', { ...SUBJECT, ...ACTOR }],
    ['actor_token', { ...SUBJECT, ...ACTOR }],
  ] as const) {
    const combination = 'actor_token' in parameters ? 'with an actor' : 'alone';
    it(`are outdated if a refresh retires the ${parameter} while the log is being read, ${combination}`, async () => {
      const readSubjects = createReader((retiredParameters) => void retiredParameters.add(parameter));
      const failure = await readSubjects(parametersOf(parameters), CONTEXT).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(DecisionOutdated);
    });
  }
});
