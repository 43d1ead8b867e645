import { expect } from 'chai';
import fc from 'fast-check';
import { isUrl } from '../../src/platform/urls.ts';

/** After some thousand calls, Node 20 compiles `URL.canParse`, which then misreads Latin-1 as UTF-8. */
const WARM_UP = 20_000;

describe('the URL check', () => {
  before(() => {
    for (let count = 0; count < WARM_UP; count += 1) isUrl(`https://app.example/${count}`);
  });

  it('accepts international host names after any number of checks', () => {
    for (let count = 0; count < WARM_UP; count += 1)
      expect(isUrl('https://b\u00fccher.example/ada.png'), `check ${count}`).to.equal(true);
    expect(isUrl('https://\u672c.example/')).to.equal(true);
  });

  it('agrees with the URL constructor', () => {
    const expectAgreement = (text: string): void => {
      if (isUrl(text)) expect(new URL(text)).to.be.instanceOf(URL);
      else expect(() => new URL(text)).to.throw(TypeError);
    };
    const arbitraryHost = fc.string({
      unit: fc.constantFrom('a', 'é', 'ü', 'ß', '本', '.', '-', '%', ':', '1'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          arbitraryHost.map((host) => `https://${host}/`),
        ),
        expectAgreement,
      ),
    );
  });
});
