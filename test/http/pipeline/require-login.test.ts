import { expect } from 'chai';
import * as fc from 'fast-check';
import { safeNext } from '../../../src/http/pipeline/require-login.ts';

const HOSTILE_VALUES = [
  '',
  ' ',
  'evil',
  'evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https://evil.example',
  'HTTPS://evil.example',
  'http:evil',
  'javascript:alert(1)',
  'data:text/html,x',
  '@evil.example',
  '//user@evil.example',
  '//user:pw@evil.example/',
  'https://auth.example@evil.example/',
  '\t//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '/\t\\evil.example',
  ' //evil.example',
  '//evil.example\t',
  '/\0/evil.example',
  '\0//evil.example',
  '/\u00a0/evil.example',
  '／／evil.example',
  '/⁄evil.example',
  '/。/evil.example',
  '?//evil.example',
  '#//evil.example',
  './/evil.example',
  '../evil',
  '//evil.example%2f..',
  '/x\r\nLocation: https://evil.example',
  '/x\r\nSet-Cookie: a=b',
];
const LOCAL_PATHS = [
  '/',
  '/o/authorize/?a=b&c=%2F%2Fevil.example',
  '/%2f%2fevil.example',
  '/%5cevil.example',
  '/x@evil.example',
  '/x:y',
  '/x//evil.example',
  '/?next=//evil.example',
  '/#x',
];

/** Returns the URL that a browser would open. Browsers drop tabs and newlines, and read a backslash as a slash. */
const destination = (next: string): URL => new URL(next, 'https://auth.example/accounts/login/');

describe('The destination after login', () => {
  it('is the home page if `next` is not a path on this server', () => {
    for (const next of HOSTILE_VALUES) expect(safeNext(next), JSON.stringify(next)).to.equal('/');
  });

  it('is `next` if it is a path on this server', () => {
    for (const next of LOCAL_PATHS) expect(safeNext(next), next).to.equal(next);
  });

  it('never leaves the origin, whatever `next` contains, and is valid in a header', () => {
    const fragment = fc.oneof(
      fc.constantFrom(
        ...HOSTILE_VALUES,
        ...LOCAL_PATHS,
        '/',
        '\\',
        '//',
        ':',
        '@',
        '.',
        '%2f',
        '%5c',
        '%09',
        '%00',
        '\t',
        '\n',
        '\r',
        '\0',
        '?',
        '#',
        '[',
        ']',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 6 }).map((fragments) => fragments.join('')),
        (text) => {
          const next = safeNext(text);
          expect(destination(next).origin).to.equal('https://auth.example');
          expect(destination(next).username).to.equal('');
          expect(next).to.match(/^\/[\x21-\x7e]*$/);
          expect(next === text || next === '/').to.equal(true);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
