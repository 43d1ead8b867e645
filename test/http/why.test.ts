import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createTranslators } from '../../src/language/translators.ts';
import { REFUSAL_RULES } from '../../src/oauth/refusals/refusal-messages.ts';
import type { Explanation } from '../../src/oauth/refusals/explanations.ts';
import { SAMPLE_REFUSALS } from '../support/refusal-samples/all.ts';
import { OF_ASSERTIONS } from '../support/refused/of-assertions.ts';
import { OF_CERTIFICATES } from '../support/refused/of-certificates.ts';
import { OF_CLIENT_DOCUMENTS } from '../support/refused/of-client-documents.ts';
import { OF_CLIENTS } from '../support/refused/of-clients.ts';
import { OF_CREDENTIALS } from '../support/refused/of-credentials.ts';
import { OF_PROFILE } from '../support/refused/of-profile.ts';
import { OF_DPOP } from '../support/refused/of-dpop.ts';
import { OF_REQUEST_OBJECTS } from '../support/refused/of-request-objects.ts';
import { OF_DEVICES } from '../support/refused/of-devices.ts';
import { OF_UPSTREAM } from '../support/refused/of-upstream.ts';
import { OF_EXCHANGES } from '../support/refused/of-exchanges.ts';
import { OF_ISSUERS } from '../support/refused/of-issuers.ts';
import { OF_MANAGED_GRANTS } from '../support/refused/of-managed-grants.ts';
import { OF_REGISTRATIONS } from '../support/refused/of-registrations.ts';
import { OF_DETAILS } from '../support/refused/of-details.ts';
import { OF_RESOURCES } from '../support/refused/of-resources.ts';
import { OF_REQUESTS } from '../support/refused/of-requests.ts';
import { serviceForRefusals, VERIFIERS, refusalScenario, type RefusedRequest } from '../support/refused/scenario.ts';
import type { RunningService } from '../support/running-service.ts';

const REFUSED_REQUESTS = [
  ...OF_REQUESTS,
  ...OF_CLIENTS,
  ...OF_CLIENT_DOCUMENTS,
  ...OF_ASSERTIONS,
  ...OF_CERTIFICATES,
  ...OF_DPOP,
  ...OF_REQUEST_OBJECTS,
  ...OF_CREDENTIALS,
  ...OF_DEVICES,
  ...OF_EXCHANGES,
  ...OF_ISSUERS,
  ...OF_UPSTREAM,
  ...OF_MANAGED_GRANTS,
  ...OF_REGISTRATIONS,
  ...OF_RESOURCES,
  ...OF_DETAILS,
  ...OF_PROFILE,
];

/**
 * Rules with tests elsewhere: they need many requests, an API behind the server, an old log, a changed setting or a
 * lost key of a client.
 */
const NOT_IN_THE_TABLE = [
  'rate-limit',
  'policy-forbids',
  'login-insufficient',
  'sender-not-proven',
  'token-unbound',
  'credential-dead',
  'csrf-token-missing',
  'csrf-token-wrong',
  'redirect-uri-not-allowed',
  'client-key-missing',
  'dpop-proof-token',
  'dpop-proofs-full',
  'dpop-keys-disagree',
];

/** A name of a key, and a value of `prompt`. */
const NAMES_IN_REQUESTS = ['another key', 'none login'];

describe('A refusal', () => {
  let running: RunningService;
  const secrets = new Set<string>(VERIFIERS);

  before(async () => {
    running = await serviceForRefusals();
  });
  after(() => running.close());

  async function explanationOf(refused: RefusedRequest): Promise<Explanation> {
    running.clock.advance(1); // renews the limit of look-ups
    const scenario = await refusalScenario(running, (secret) => secrets.add(secret));
    const { headers, text = '' } = await refused.send(scenario);
    const { error_description = '' } = text.startsWith('{') ? (JSON.parse(text) as { error_description?: string }) : {};
    expect(error_description, 'RFC 6749 §5.2').to.match(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/);
    const found = running.service().explanations.find(headers.get('x-request-id') ?? '');
    if (found === undefined) throw new Error('there is no explanation of the refusal');
    return found;
  }

  for (const refused of REFUSED_REQUESTS) {
    const { rule, name, about, details = {} } = refused;
    it(`is explained: ${rule} (${name})`, async () => {
      const found = await explanationOf(refused);
      expect(found.rule, JSON.stringify(found)).to.equal(rule);
      expect(found.clientId === null ? 'nobody' : found.isProven ? 'proven' : 'named', JSON.stringify(found)).to.equal(
        about,
      );
      for (const [field, value] of Object.entries(details)) expect(found.details[field], field).to.deep.equal(value);
      for (const { text } of Object.values(createTranslators()))
        for (const message of Object.values(found.messages))
          expect(text(message))
            .to.be.a('string')
            .and.not.match(/undefined|null|NaN|\[object/);
      if (found.clientId !== null)
        expect(
          running
            .service()
            .explanations.listByClient(found.clientId)
            .map(({ id }) => id),
        ).to.include(found.id);
    });
  }

  it('has a test for each rule', () => {
    const testedRules = new Set<string>([...REFUSED_REQUESTS.map(({ rule }) => rule), ...NOT_IN_THE_TABLE]);
    expect(REFUSAL_RULES.filter((rule) => !testedRules.has(rule))).to.deep.equal([]);
  });

  it('has no phrases among its facts except choices and texts of the catalogue', () => {
    const phrases = running
      .service()
      .explanations.requests()
      .flatMap(({ refusal }) => {
        const samples = SAMPLE_REFUSALS.find(([rule]) => rule === refusal.rule)?.[1] ?? [];
        const choices = [...samples.flatMap(({ choices: each }) => each), ...NAMES_IN_REQUESTS];
        const texts = Object.values(refusal).filter((fact) => typeof fact === 'string' && !choices.includes(fact));
        return texts.filter((text) => /\p{L}{2} \p{L}/u.test(String(text)));
      });
    expect(phrases).to.deep.equal([]);
  });

  it('keeps no secret, and no part or hash of one, from anywhere in the request', () => {
    const stored = JSON.stringify(running.service().explanations.recent());
    expect(stored.length).to.be.above(10_000);
    expect(secrets.size).to.be.above(200);
    for (const secret of secrets) {
      if (secret.length < 6) continue;
      expect(stored, secret).not.to.include(secret.slice(0, 12));
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(stored).not.to.include(createHash('sha256').update(secret).digest(encoding));
    }
  });
});
