import { expect } from 'chai';
import { PAGES } from '../browser/pages.ts';
import { fetchPage, sessionFor } from '../browser/visit.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { markedTranslators } from '../support/marked-texts.ts';
import { createScene, textsFrom, type Scene } from '../support/scene.ts';
import { untranslatedIn } from '../support/page-texts.ts';

describe('In a language that marks each text of the catalogue, over HTTP', function () {
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
    it(`the page “${entry.name}” has no other text`, async () => {
      const whose = `${entry.as} of ${entry.server ?? 'the usual'}`;
      const session = sessions.get(whose) ?? (await sessionFor(scene, entry));
      sessions.set(whose, session);
      const { status, html } = await fetchPage(scene, entry, session);
      expect(status).to.equal(entry.status ?? 200);
      expect(untranslatedIn(html)).to.deep.equal([]);
    });
});
