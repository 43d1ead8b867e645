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
const germanTranslator = createTranslators().de;

/** Patterns for values that are protocol names, or that are spelled the same in German. */
const PATTERNS_SAME_IN_GERMAN = [
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
const SAME_IN_GERMAN = new RegExp(`^(?:${PATTERNS_SAME_IN_GERMAN.join('|')})$`);

const ANY_ID = { find: () => ({}) };

function renderPage(refusal: Refusal): string {
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
      administrationStep(explanation, { clients: ANY_ID, upstreamProviders: ANY_ID }),
      eventsStep({ at: NOW, clientId: 'a' }),
    ].filter((step) => step !== undefined),
  });
}

describe('The explanation of a refusal', () => {
  for (const [rule, samples] of SAMPLE_REFUSALS)
    it(`is completely translated in every state: ${rule}`, () => {
      expect(samples).to.have.length.above(0);
      for (const { refusal, choices } of samples) {
        const refusalJson = JSON.stringify(refusal);
        const untranslatedStrings = findUntranslated(renderPage(refusal)).filter((text) => !SAME_IN_GERMAN.test(text));
        expect(untranslatedStrings, refusalJson).to.deep.equal([]);
        const explanation = toExplanation({ refusal } as Parameters<typeof toExplanation>[0]);
        expect(JSON.stringify(explanation.details), 'details for programs are in English').not.to.include('"key":');
        const germanMessages = [explanation.headline, ...Object.values(explanation.messages)].map(
          germanTranslator.text,
        );
        for (const text of germanMessages) expect(text, refusalJson).not.to.match(/undefined|NaN|\[object/);
        for (const choice of choices.filter((candidate) => !SAME_IN_GERMAN.test(candidate) && rule !== 'rate-limit'))
          expect(germanMessages.join('\n').split(/[^\w-]+/), `${choice}: ${refusalJson}`).not.to.include(choice);
      }
    });
});
