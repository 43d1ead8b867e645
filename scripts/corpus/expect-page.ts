import type { Page } from '../../test/support/browser-session.ts';

/**
 * Resolves with the page.
 * @throws Error if the server refused the request, because its event would be missing from the log
 */
export async function expectPage(request: Promise<Page>): Promise<Page> {
  const page = await request;
  if (page.status >= 400) throw new Error(`${page.path} responded with ${page.status}: ${page.html}`);
  return page;
}

/** Returns the text of the element with this id. */
export function elementText({ path, html }: Page, id: string): string {
  const [, text] = new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(html) ?? [];
  if (text === undefined) throw new Error(`${path} has no text with the id ${id}`);
  return text.trim().replaceAll('&amp;', '&');
}
