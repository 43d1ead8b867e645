import { expect } from 'chai';
import fc from 'fast-check';
import { describeBrowser } from '../../../src/http/pipeline/browser-description.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('A browser description', () => {
  for (const [userAgent, description] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
      'Microsoft Edge on Windows',
    ],
    [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/126.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 ' +
        'Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 ' +
        'Safari/605.1.15',
      'Safari on macOS',
    ],
  ] as const) {
    it(`is "${description}"`, () => {
      expect(describeBrowser(userAgent)).to.equal(description);
    });
  }

  it('is missing if the header is missing, identifies no browser or is too long', () => {
    for (const userAgent of [undefined, '', 'curl/8.5.0', 'node', '-', `Mozilla/5.0 (${'X11; '.repeat(200)})`])
      expect(describeBrowser(userAgent)).to.equal(undefined);
  });

  it('is short and harmless whatever the header contains', () => {
    const userAgentPart = fc.oneof(
      fc.string(),
      fc.constantFrom('Mozilla/5.0 ', 'Linux', 'Firefox/1', '<b>', '/1.0 (', ' '),
    );
    fc.assert(
      fc.property(fc.array(userAgentPart, { maxLength: 20 }), (parts) => {
        expect(describeBrowser(parts.join('')) ?? '').to.match(/^[\w .+-]{0,70}$/);
      }),
    );
  });
});
