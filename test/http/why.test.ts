import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createTranslators } from '../../src/language/translators.ts';
import { REFUSAL_RULES } from '../../src/oauth/refusals/refusal-messages.ts';
import type { Explanation } from '../../src/oauth/refusals/explanations.ts';
import { SAMPLE_REFUSALS } from '../support/refusal-samples/all.ts';
import { ASSERTION_REFUSALS } from '../support/refused/assertions.ts';
import { CERTIFICATE_REFUSALS } from '../support/refused/certificates.ts';
import { CLIENT_DOCUMENT_REFUSALS } from '../support/refused/client-documents.ts';
import { CLIENT_REFUSALS } from '../support/refused/clients.ts';
import { CREDENTIAL_REFUSALS } from '../support/refused/credentials.ts';
import { PROFILE_REFUSALS } from '../support/refused/profile.ts';
import { DPOP_REFUSALS } from '../support/refused/dpop.ts';
import { REQUEST_OBJECT_REFUSALS } from '../support/refused/request-objects.ts';
import { DEVICE_REFUSALS } from '../support/refused/devices.ts';
import { UPSTREAM_REFUSALS } from '../support/refused/upstream.ts';
import { EXCHANGE_REFUSALS } from '../support/refused/exchanges.ts';
import { ISSUER_REFUSALS } from '../support/refused/issuers.ts';
import { MANAGED_GRANT_REFUSALS } from '../support/refused/managed-grants.ts';
import { REGISTRATION_REFUSALS } from '../support/refused/registrations.ts';
import { DETAIL_REFUSALS } from '../support/refused/details.ts';
import { RESOURCE_REFUSALS } from '../support/refused/resources.ts';
import { REQUEST_REFUSALS } from '../support/refused/requests.ts';
import {
  startServiceForRefusals,
  VERIFIERS,
  createScenario,
  type RefusedRequest,
} from '../support/refused/scenario.ts';
import type { RunningService } from '../support/running-service.ts';

const REFUSED_REQUESTS = [
  ...REQUEST_REFUSALS,
  ...CLIENT_REFUSALS,
  ...CLIENT_DOCUMENT_REFUSALS,
  ...ASSERTION_REFUSALS,
  ...CERTIFICATE_REFUSALS,
  ...DPOP_REFUSALS,
  ...REQUEST_OBJECT_REFUSALS,
  ...CREDENTIAL_REFUSALS,
  ...DEVICE_REFUSALS,
  ...EXCHANGE_REFUSALS,
  ...ISSUER_REFUSALS,
  ...UPSTREAM_REFUSALS,
  ...MANAGED_GRANT_REFUSALS,
  ...REGISTRATION_REFUSALS,
  ...RESOURCE_REFUSALS,
  ...DETAIL_REFUSALS,
  ...PROFILE_REFUSALS,
];

/**
 * Rules with tests elsewhere: they need many requests, an API behind the server, an old log, a changed setting or a
 * client's lost key.
 */
const RULES_TESTED_ELSEWHERE = [
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

/** The name of a key, and a value of `prompt`. */
const NAMES_IN_REQUESTS = ['another key', 'none login'];

describe('A refusal', () => {
  let running: RunningService;
  const secrets = new Set<string>(VERIFIERS);

  before(async () => {
    running = await startServiceForRefusals();
  });
  after(() => running.close());

  async function explainRefusal(refusedRequest: RefusedRequest): Promise<Explanation> {
    running.clock.advance(1); // resets the look-up limit
    const scenario = await createScenario(running, (secret) => secrets.add(secret));
    const { headers, text = '' } = await refusedRequest.send(scenario);
    const { error_description = '' } = text.startsWith('{') ? (JSON.parse(text) as { error_description?: string }) : {};
    expect(error_description, 'RFC 6749 §5.2').to.match(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/);
    const explanation = running.service().explanations.find(headers.get('x-request-id') ?? '');
    if (explanation === undefined) throw new Error('there is no explanation of the refusal');
    return explanation;
  }

  for (const refusedRequest of REFUSED_REQUESTS) {
    const { rule, name, about, details = {} } = refusedRequest;
    it(`is explained: ${rule} (${name})`, async () => {
      const explanation = await explainRefusal(refusedRequest);
      expect(explanation.rule, JSON.stringify(explanation)).to.equal(rule);
      expect(
        explanation.clientId === null ? 'nobody' : explanation.isProven ? 'proven' : 'named',
        JSON.stringify(explanation),
      ).to.equal(about);
      for (const [field, value] of Object.entries(details))
        expect(explanation.details[field], field).to.deep.equal(value);
      for (const { text } of Object.values(createTranslators()))
        for (const message of Object.values(explanation.messages))
          expect(text(message))
            .to.be.a('string')
            .and.not.match(/undefined|null|NaN|\[object/);
      if (explanation.clientId !== null)
        expect(
          running
            .service()
            .explanations.listByClient(explanation.clientId)
            .map(({ id }) => id),
        ).to.include(explanation.id);
    });
  }

  it('is tested for each rule', () => {
    const testedRules = new Set<string>([...REFUSED_REQUESTS.map(({ rule }) => rule), ...RULES_TESTED_ELSEWHERE]);
    expect(REFUSAL_RULES.filter((rule) => !testedRules.has(rule))).to.deep.equal([]);
  });

  it('has no phrases among its facts except choices and messages', () => {
    const phrases = running
      .service()
      .explanations.requests()
      .flatMap(({ refusal }) => {
        const samples = SAMPLE_REFUSALS.find(([rule]) => rule === refusal.rule)?.[1] ?? [];
        const choices = [...samples.flatMap(({ choices: sampleChoices }) => sampleChoices), ...NAMES_IN_REQUESTS];
        const strings = Object.values(refusal).filter((fact) => typeof fact === 'string' && !choices.includes(fact));
        return strings.filter((text) => /\p{L}{2} \p{L}/u.test(String(text)));
      });
    expect(phrases).to.deep.equal([]);
  });

  it('keeps no secret, and no part or hash of one, from anywhere in the request', () => {
    const storedExplanations = JSON.stringify(running.service().explanations.recent());
    expect(storedExplanations.length).to.be.above(10_000);
    expect(secrets.size).to.be.above(200);
    for (const secret of secrets) {
      if (secret.length < 6) continue;
      expect(storedExplanations, secret).not.to.include(secret.slice(0, 12));
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(storedExplanations).not.to.include(createHash('sha256').update(secret).digest(encoding));
    }
  });
});
