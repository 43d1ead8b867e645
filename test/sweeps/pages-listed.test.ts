import { expect } from 'chai';
import { createApp } from '../../src/http/app.ts';
import { createRouteTable } from '../../src/http/pipeline/route-table.ts';
import { PAGES } from '../browser/pages.ts';
import { fetchPage, sessionFor } from '../browser/visit.ts';
import { routesOf } from '../support/app-routes.ts';
import { createScene } from '../support/scene.ts';

/** Routes for browsers that never show a page of their own, each with the reason. */
const NO_PAGES: Readonly<Record<string, string>> = {
  '/accounts/login/passkey': 'JSON for the script of the login page',
  '/accounts/login/provider/:id': 'a redirect to the provider',
  '/accounts/login/provider/:id/callback': 'a redirect; its errors use the common error page',
  '/accounts/ways/:id/unlink': 'only for an account that is linked to a provider account',
  '/accounts/login/second-step/passkey': 'JSON for the script of the second step',
  '/accounts/export': 'a download of JSON',
  '/o/applications/:id/logo': 'an image',
  '/admin/brand/preview.css': 'a stylesheet',
  '/admin/brand/mail': 'the HTML of an e-mail',
  '/o/applications/:id/env': 'a download of text',
  '/o/authorized_tokens/:id/receipt': 'a download of JSON',
  '/o/applications/:id/try/refusals/:request': 'JSON for the script that runs requests',
  '/audit/grants/:grant/proof': 'a download of JSON',
  '/audit/as-of/export': 'a download, or the page of the report with its errors',
};

/** Returns the opening tags of the form's buttons, inside and outside the form. */
function findButtons(form: string, html: string): readonly string[] {
  const [, id = ''] = /^<form[^>]* id="([^"]+)"/.exec(form) ?? [];
  const outsideButtons =
    id === '' ? [] : (html.match(/<button[^>]*>/g) ?? []).filter((tag) => tag.includes(` form="${id}"`));
  return [...(form.match(/<button[^>]*>/g) ?? []), ...outsideButtons];
}

const isUsable = (button: string): boolean => !/ (?:hidden|disabled|type="button")/.test(button);

describe('The list of pages that the browser tests visit', () => {
  it('contains every page that a browser can open, except those with a documented reason', async () => {
    const scene = await createScene();
    try {
      const routes = routesOf(createApp(scene.running.service(), { error: () => expect.fail('unexpected error') }));
      const table = createRouteTable(routes);
      const findRoute = (path: string) => table.find('GET', new URL(path, 'http://localhost').pathname)?.route;
      const listedRoutes = new Set(PAGES.map((entry) => findRoute(entry.path(scene))));
      const pageRoutes = routes.filter(({ kind, method }) => kind === 'page' && method !== 'POST');
      expect(pageRoutes.filter((route) => !listedRoutes.has(route)).map(({ path }) => path)).to.have.members(
        Object.keys(NO_PAGES),
      );
    } finally {
      await scene.close();
    }
  });

  it('contains only pages whose forms can be submitted without JavaScript', async () => {
    const scene = await createScene();
    try {
      const unsendableForms: string[] = [];
      for (const entry of PAGES) {
        const { html } = await fetchPage(scene, entry, await sessionFor(scene, entry));
        for (const [form] of html.matchAll(/<form[\s\S]*?<\/form>/g))
          if (!findButtons(form, html).some(isUsable)) unsendableForms.push(`${entry.name}: ${form}`);
      }
      expect(unsendableForms).to.deep.equal([]);
    } finally {
      await scene.close();
    }
  });
});
