import type { Role } from '../../src/domain/events.ts';
import type { BrowserSession, Page } from './browser-session.ts';
import type { RunningService } from './running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** Logs in as a new user with these roles. */
export async function openSessionAs(
  running: RunningService,
  username: string,
  ...roles: readonly Role[]
): Promise<BrowserSession> {
  const password = `${username}'s password`;
  const result = await running.service().accounts.register({ username, password, roles }, OPERATOR);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  const browser = running.browser();
  await browser.logIn(username, password);
  return browser;
}

/** Returns the positions of the events on a page, in the page's order. */
export function positionsOn({ html }: Page): readonly number[] {
  return [...html.matchAll(/<th role="rowheader" scope="row">\s*<a href="\/audit\/events\/(\d+)\/">/g)].map(
    ([, position]) => Number(position),
  );
}

/** Returns the URL of the page's link to older or newer events, or of the link that continues the search for them. */
export function linkTo(rel: 'next' | 'prev', { html }: Page): string | undefined {
  return new RegExp(`rel="${rel}" href="([^"]+)"`).exec(html)?.[1]?.replaceAll('&amp;', '&');
}

/** Returns the positions on a page and on all pages that its `rel` links lead to, in the order of these pages. */
export async function followPages(
  browser: BrowserSession,
  path: string,
  rel: 'next' | 'prev',
  betweenPages: () => Promise<unknown> = async () => {},
): Promise<readonly number[]> {
  const positions: number[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page = await browser.get(next);
    if (page.status !== 200) throw new Error(`${next} responded with ${page.status}`);
    const pagePositions = positionsOn(page);
    positions.push(...(rel === 'next' ? pagePositions : pagePositions.toReversed()));
    next = linkTo(rel, page);
    await betweenPages();
  }
  return positions;
}

/** Returns the text of the element with this id, as a browser shows it. */
export function elementText(id: string, { html }: Page): string {
  const text = new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(html)?.[1] ?? '';
  const entities: Readonly<Record<string, string>> = {
    '&lt;': '<',
    '&gt;': '>',
    '&#34;': '"',
    '&#39;': "'",
    '&amp;': '&',
  };
  return text.replaceAll(/&(?:lt|gt|#34|#39|amp);/g, (entity) => entities[entity] ?? entity);
}
