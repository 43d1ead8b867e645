import { expect } from 'chai';
import fc from 'fast-check';
import { PAGES } from '../browser/pages.ts';
import { fetchPage, sessionFor } from '../browser/visit.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { htmlSkeleton } from '../support/html-skeleton.ts';
import { PLAIN_TEXTS, createScene, textsFrom, type SceneTexts } from '../support/scene.ts';

/** Fetches every page in a scene where users entered `texts`. Returns the responses by page name. */
async function fetchAllPages(
  texts: SceneTexts,
): Promise<ReadonlyMap<string, { readonly status: number; readonly html: string }>> {
  const scene = await createScene(texts);
  try {
    const sessions = new Map<string, BrowserSession>();
    const pages = new Map<string, { readonly status: number; readonly html: string }>();
    for (const entry of PAGES) {
      const sessionKey = `${entry.as} of ${entry.server ?? 'the usual'}`;
      const session = sessions.get(sessionKey) ?? (await sessionFor(scene, entry));
      sessions.set(sessionKey, session);
      pages.set(entry.name, await fetchPage(scene, entry, session));
    }
    return pages;
  } finally {
    await scene.close();
  }
}

const hostileText = fc
  .tuple(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onfocus='alert(1)",
      '" autofocus onfocus="alert(1)',
      '</textarea><b>',
      '</title><b>',
      '<!--',
      '<%= 1 %>',
      '&lt;b&gt;',
      '${1}',
      '\u05d0<b>',
      '＜b＞',
    ),
    fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', '`', '=', '/', '\\', ' ', '%', 'é', '€', '😀'),
      maxLength: 12,
    }),
  )
  .map(([markup, suffix]) => `x${markup}${suffix}x`);

describe('Hostile text from users', function () {
  this.timeout(300_000); // The tests open every page several times.
  it('is tested on every page in the table, and each page has the listed status', async () => {
    const pages = await fetchAllPages(PLAIN_TEXTS);
    for (const { name, status = 200 } of PAGES) expect(pages.get(name)?.status, name).to.equal(status);
    expect(pages.size, 'each name is unique').to.equal(PAGES.length);
  });

  it('remains text: it adds no elements or attributes to any page', async () => {
    const plainPages = await fetchAllPages(textsFrom('xplainx'));
    await fc.assert(
      fc.asyncProperty(hostileText, async (hostile) => {
        for (const [name, { html }] of await fetchAllPages(textsFrom(hostile))) {
          expect(htmlSkeleton(html), name).to.equal(htmlSkeleton(plainPages.get(name)?.html ?? ''));
          expect(html.includes(hostile) && /[<>"]/.test(hostile), name).to.equal(false);
        }
      }),
      { numRuns: 2 }, // each run opens every page
    );
  });

  it('is shown again exactly as entered', async () => {
    const pages = await fetchAllPages(textsFrom('x<b> & "é"x'));
    expect(pages.get('refused registration')?.html).to.include('x&lt;b&gt;\n&amp;\n&#34;é&#34;x</textarea>');
    expect(pages.get('applications')?.html).to.include('<bdi>x&lt;b&gt; &amp; &#34;é&#34;x</bdi>');
  });
});
