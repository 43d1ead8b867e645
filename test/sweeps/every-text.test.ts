import { expect } from 'chai';
import { PAGES } from '../browser/pages.ts';
import { fetchPage, sessionFor } from '../browser/visit.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { markedTranslators } from '../support/marked-texts.ts';
import { findUntranslated } from '../support/page-texts.ts';
import { createScene, textsFrom, type Scene } from '../support/scene.ts';

/** Patterns for the names of pages with text that is not in the catalog. */
const ENGLISH_PAGES: readonly RegExp[] = [
  /^API description/, // A technical contract. The page says that it is in English.
];

function isTranslated(name: string): boolean {
  return !ENGLISH_PAGES.some((pattern) => pattern.test(name));
}

describe('In a language that marks every message in the catalog', function () {
  this.timeout(300_000);
  let scene: Scene;
  const sessions = new Map<string, BrowserSession>();

  before(async () => {
    scene = await createScene(textsFrom('⟦user⟧'), {
      settings: { languages: ['de'] },
      translators: markedTranslators(),
    });
  });
  after(() => scene.close());

  for (const entry of PAGES)
    it(`page “${entry.name}” has ${isTranslated(entry.name) ? 'no unmarked text' : 'its listed status'}`, async () => {
      const sessionKey = `${entry.as} of ${entry.server ?? 'the usual'}`;
      const session = sessions.get(sessionKey) ?? (await sessionFor(scene, entry));
      sessions.set(sessionKey, session);
      const { status, html } = await fetchPage(scene, entry, session);
      expect(status).to.equal(entry.status ?? 200);
      expect(html).to.include('⟦');
      if (isTranslated(entry.name)) expect(findUntranslated(html)).to.deep.equal([]);
    });

  it('the responses to submitted forms have no unmarked text', async () => {
    const submittedForms = new Set<string>();
    const untranslatedTexts = new Set<string>();
    for (const entry of PAGES.filter(({ server }) => server === undefined)) {
      const session = await sessionFor(scene, entry);
      const page = await fetchPage(scene, entry, session);
      for (const { action, fields } of formsIn(page.html)) {
        const form = `${action.replaceAll(/[\w-]{20,}/g, 'ID')} ${fields.join(' ')}`;
        if (!action.startsWith('/') || submittedForms.has(form)) continue;
        submittedForms.add(form);
        for (const value of FIELD_VALUES) {
          const values = Object.fromEntries(fields.map((name) => [name, value]));
          const { html } = await session.submitAndFollow(page, values, action);
          for (const text of html === '' ? [] : findUntranslated(html)) untranslatedTexts.add(`${form}: ${text}`);
        }
      }
    }
    expect([...untranslatedTexts]).to.deep.equal([]);
    expect(submittedForms.size).to.be.above(50);
  });
});

const FIELD_VALUES = ['⟦x y/ä€⟧', '', '⟦https://a⟧'.repeat(300), '-1'];

/** Returns the forms submitted with POST, except those that log the user out. */
function formsIn(html: string): readonly { readonly action: string; readonly fields: readonly string[] }[] {
  return (html.match(/<form[^>]* method="post"[^]*?<\/form>/g) ?? []).flatMap((form) => {
    const action = /action="([^"]*)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const fields = [...form.matchAll(/ name="([^"]+)"/g)].map(([, name = '']) => name);
    const ownFields = [...new Set(fields)].filter((name) => name !== 'csrf_token');
    return action.includes('logout') ? [] : [{ action, fields: ownFields }];
  });
}
