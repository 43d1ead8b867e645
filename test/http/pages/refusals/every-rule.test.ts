import { expect } from 'chai';
import type { EpochSeconds } from '../../../../src/domain/values.ts';
import { administrationStep, eventsStep, repairStep } from '../../../../src/http/pages/refusals/refusal-steps.ts';
import { refusalLocals } from '../../../../src/http/pages/refusals/refusal-locals.ts';
import { createPages } from '../../../../src/http/pages/render.ts';
import { message } from '../../../../src/language/message.ts';
import { createTranslators } from '../../../../src/language/translators.ts';
import { toExplanation } from '../../../../src/oauth/refusals/explanations.ts';
import type { Refusal } from '../../../../src/oauth/refusals/refusal.ts';
import { markedTranslators } from '../../../support/marked-texts.ts';
import { findUntranslated } from '../../../support/page-texts.ts';
import { SAMPLE_REFUSALS } from '../../../support/refusal-samples/all.ts';

const NOW = 1_700_000_000 as EpochSeconds;
const pages = createPages({ now: () => NOW, languages: ['de'], translators: markedTranslators() });
const german = createTranslators().de;

/** Patterns for members of closed lists that are names of the protocol, or the same word in German. */
const NAMES = [
  '[a-z]+_[a-z_]+',
  'scope',
  'resource',
  'assertion',
  'request',
  'registration',
  'iss',
  'aud',
  'sub',
  'create',
  'jwt-bearer',
  'nonce',
  '[RPE]S256',
  'EdDSA',
  'S256',
  'plain',
  'JWT',
  'Client-Cert(?:-Chain)?',
  'TLS',
  'Basic',
  'Bearer',
  'plainHttpRedirectUris',
  'redirectUriSchemes',
];
const SAME_IN_GERMAN = new RegExp(`^(?:${NAMES.join('|')})$`);

const EVERY_ID = { find: () => ({}) };

function pageOf(refusal: Refusal): string {
  const explanation = toExplanation({
    id: '⟦id⟧',
    at: NOW,
    method: 'POST',
    path: '/o/token/',
    error: 'invalid_request',
    clientId: 'a',
    isProven: false,
    refusal,
  });
  return pages.refusal({
    user: { username: '⟦user⟧', roles: [] },
    csrfToken: 't',
    path: '/',
    flash: null,
    readerLanguage: 'de',
    timeZone: null,
    refusal: refusalLocals(explanation),
    application: { name: '⟦application⟧', href: '/' },
    list: { href: '/', text: message('refusals.all') },
    isAdministration: true,
    steps: [
      repairStep(refusal.rule, '/', true),
      administrationStep(explanation, { clients: EVERY_ID, upstreamProviders: EVERY_ID }),
      eventsStep({ at: NOW, clientId: 'a' }),
    ].filter((step) => step !== undefined),
  });
}

describe('The explanation of a refusal', () => {
  for (const [rule, samples] of SAMPLE_REFUSALS)
    it(`has only texts of the catalogue, in every state: ${rule}`, () => {
      expect(samples).to.have.length.above(0);
      for (const { refusal, choices } of samples) {
        const facts = JSON.stringify(refusal);
        const untranslated = findUntranslated(pageOf(refusal)).filter((text) => !SAME_IN_GERMAN.test(text));
        expect(untranslated, facts).to.deep.equal([]);
        const explanation = toExplanation({ refusal } as Parameters<typeof toExplanation>[0]);
        expect(JSON.stringify(explanation.details), 'facts for programs are in English').not.to.include('"key":');
        const texts = [explanation.headline, ...Object.values(explanation.messages)].map(german.text);
        for (const text of texts) expect(text, facts).not.to.match(/undefined|NaN|\[object/);
        for (const choice of choices.filter((each) => !SAME_IN_GERMAN.test(each) && rule !== 'rate-limit'))
          expect(texts.join('\n').split(/[^\w-]+/), `${choice}: ${facts}`).not.to.include(choice);
      }
    });
});
