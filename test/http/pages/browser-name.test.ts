import { expect } from 'chai';
import { browserName } from '../../../src/http/pages/browser-name.ts';
import { describeBrowser } from '../../../src/http/pipeline/browser-description.ts';
import { createTranslators } from '../../../src/language/translators.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';

describe('A browser name', () => {
  const { en, de } = createTranslators();

  it("is in the reader's language, and in English the same as the recorded description", () => {
    const description = describeBrowser(FIREFOX) ?? '';
    expect(description).to.equal('Firefox on Linux');
    expect(en.text(browserName(description))).to.equal(description);
    expect(de.text(browserName(description))).to.equal('Firefox unter Linux');
    expect(de.text(browserName('A browser on Windows'))).to.equal('Ein Browser unter Windows');
  });

  it('is not translated if it contains no operating system', () => {
    expect(de.text(browserName('curl'))).to.equal('curl');
  });
});
