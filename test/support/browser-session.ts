import { httpRequest } from './http-request.ts';

/** Keeps cookies and submits forms like a browser, but does not follow redirects. */
export interface BrowserSession {
  get(path: string): Promise<Page>;
  /** Posts a page's form: its hidden fields, and `fields`, which replace hidden fields of the same name. */
  submit(page: Page, fields: Readonly<Record<string, string | readonly string[]>>, action?: string): Promise<Page>;
  post(path: string, fields: Readonly<Record<string, string | readonly string[]>>): Promise<Page>;
  /** Posts a form with a file. */
  upload(path: string, form: FormData): Promise<Page>;
  /** Posts the page's form, and follows a redirect. */
  submitAndFollow(
    page: Page,
    fields: Readonly<Record<string, string | readonly string[]>>,
    action?: string,
  ): Promise<Page>;
  logIn(username: string, password: string): Promise<Page>;
  /** Sets a cookie for every path, as a script on a page could. */
  setCookie(name: string, value: string): void;
  /** Returns the cookies that are sent to every path. */
  cookies(): ReadonlyMap<string, string>;
  /** Returns the cookies for `path`, as a `Cookie` header. */
  cookieHeader(path: string): string;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly location: string | null;
  readonly html: string;
  readonly path: string;
}

/** @param extraHeaders headers for each request, such as those that a proxy adds */
export function browserSession(
  origin: () => string,
  extraHeaders: Readonly<Record<string, string>> = {},
): BrowserSession {
  const jar = new Map<string, string>();
  const pathCookies = new Map<string, Cookie>();

  /** Returns the `Cookie` header: the cookies whose path is the requested path or a parent of it (RFC 6265 §5.4). */
  function cookieHeader(path: string): string {
    const { pathname } = new URL(path, origin());
    const matchingCookies = [...pathCookies.values()].filter((cookie) => `${pathname}/`.startsWith(`${cookie.path}/`));
    const allCookies = [...jar, ...matchingCookies.map(({ name, value }) => [name, value] as const)];
    return allCookies.map(([name, value]) => `${name}=${value}`).join('; ');
  }

  function storeCookie(header: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    const [, path = '/'] = /; path=([^;]*)/i.exec(header) ?? [];
    const isDeleted = value === '' || /expires=Thu, 01 Jan 1970/i.test(header);
    if (path === '/') return void (isDeleted ? jar.delete(name) : jar.set(name, value));
    if (isDeleted) pathCookies.delete(`${name} ${path}`);
    else pathCookies.set(`${name} ${path}`, { name, value, path });
  }

  async function send(
    path: string,
    init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Page> {
    const headers = { accept: 'text/html', cookie: cookieHeader(path), ...extraHeaders, ...init.headers };
    const response = await httpRequest(new URL(path, origin()), { ...init, headers });
    response.headers.getSetCookie().forEach(storeCookie);
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location'),
      html: response.text,
      path,
    };
  }

  const session: BrowserSession = {
    get: (path) => send(path, {}),
    post: (path, fields) => send(path, { method: 'POST', body: encode(fields) }),
    async upload(path, form) {
      const encodedForm = new Response(form);
      const headers = { 'content-type': encodedForm.headers.get('content-type') ?? '' };
      return send(path, { method: 'POST', headers, body: Buffer.from(await encodedForm.arrayBuffer()) });
    },
    submit: (page, fields, action = actionOf(page)) => session.post(action, { ...hiddenFields(page.html), ...fields }),
    async submitAndFollow(page, fields, action) {
      const response = await session.submit(page, fields, action);
      return response.location === null ? response : session.get(response.location);
    },
    async logIn(username, password) {
      return session.submit(await session.get('/accounts/login/'), { username, password }, '/accounts/login/');
    },
    setCookie: (name, value) => void jar.set(name, value),
    cookies: () => jar,
    cookieHeader,
  };
  return session;
}

function encode(fields: Readonly<Record<string, string | readonly string[]>>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])),
  );
}

/** Returns the main part of the page, without the header, which also has a form, for logging out. */
function mainOf(html: string): string {
  return /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html;
}

function actionOf(page: Page): string {
  return unescape(/<form[^>]*action="([^"]*)"/.exec(mainOf(page.html))?.[1] ?? page.path);
}

/** Returns the hidden fields in the main part of a page. */
export function hiddenFields(html: string): Record<string, string> {
  const inputs = [...mainOf(html).matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) => tag);
  return Object.fromEntries(inputs.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')]));
}

function attribute(tag: string, name: string): string {
  return unescape(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#34;': '"',
  '&quot;': '"',
  '&#39;': "'",
};

function unescape(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|#34|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
