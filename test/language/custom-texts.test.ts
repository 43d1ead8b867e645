import { expect } from 'chai';
import fc from 'fast-check';
import { CATALOGS, MESSAGE_KEYS, type MessageKey } from '../../src/language/catalog.ts';
import { isReplaceable, textProblem } from '../../src/language/custom-texts.ts';
import { LANGUAGES } from '../../src/language/languages.ts';
import { createTranslator } from '../../src/language/translator.ts';
import { createTranslators } from '../../src/language/translators.ts';

const ENGLISH = createTranslators().en;
const SUBJECT = 'mail.reset.subject';

const findProblem = (text: string, key = SUBJECT): string | undefined => {
  const problem = textProblem('en', key, text);
  return problem && ENGLISH.text(problem);
};

const createEnglish = (brandTexts: Readonly<Record<string, string>>) =>
  createTranslator('en', CATALOGS.en, { brandName: 'Acme', brandTexts: { en: brandTexts } });

describe('A custom text', () => {
  it('can replace any replaceable entry, in any language', () => {
    for (const language of LANGUAGES)
      for (const key of MESSAGE_KEYS.filter(isReplaceable))
        expect(textProblem(language, key, CATALOGS[language][key]), `${language} ${key}`).to.equal(undefined);
  });

  it('can use the arguments and tags of the entry, {brand} and <b>, and must use {server}', () => {
    expect(findProblem('A <b>new</b> password at {server}, by {brand}')).to.equal(undefined);
    expect(findProblem('A new password')).to.equal('it lacks {server}');
    expect(findProblem('{server} {username}')).to.equal('it contains {username}, but the standard text does not');
    expect(findProblem('{server} <a>x</a>')).to.equal('it contains <a>, but the standard text does not');
    expect(findProblem('{server, date}')).to.equal('it formats {server} differently from the standard text');
    expect(findProblem('{server, select, evil {Evil} other {x}}')).to.include('differently');
  });

  it('must be an ICU message for an existing entry', () => {
    expect(findProblem('{server')).to.match(/^it is not an ICU message \(.+\)$/);
    expect(findProblem('<script>{server}')).to.match(/^it is not an ICU message/);
    expect(findProblem('<script>alert(1)</script>{server}')).to.include('<script>');
    expect(findProblem('{server}', 'mail.nothing')).to.equal('there is no such text');
    for (const key of ['constructor', '__proto__', 'toString'])
      expect(findProblem('x', key)).to.include('no such text');
  });

  it('cannot replace a text that the log records with a consent', () => {
    for (const start of ['consent.', 'scope.', 'claim.', 'effect.']) {
      const key = MESSAGE_KEYS.find((name) => name.startsWith(start)) ?? expect.fail(`no key begins with ${start}`);
      expect(findProblem(CATALOGS.en[key], key)).to.include('the log records this text with consents');
    }
  });

  it('cannot contain control characters except line breaks, or marks that change the text direction', () => {
    for (const character of ['\0', '\x1b', '\u202e', '\u2066'])
      expect(findProblem(`{server}${character}`)).to.include('control characters or marks');
    expect(findProblem('{server}\nA second line with a soft\u00ADhyphen')).to.equal(undefined);
  });

  it('replaces the entry, and is escaped', () => {
    const key: MessageKey = 'login.title';
    expect(createEnglish({}).t(key)).to.equal(CATALOGS.en[key]);
    const translator = createEnglish({ [key]: 'Hello & welcome to <b>{brand}</b>' });
    expect(translator.t(key)).to.equal('Hello & welcome to Acme');
    expect(translator.html(key)).to.equal('Hello &amp; welcome to <strong>Acme</strong>');
  });

  it('is ignored if it is invalid, and its arguments are always escaped', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '<', '>', '/', 'server', 'b', ',', 'date', ' ', "'") }),
        (text) => {
          const translator = createEnglish({ [SUBJECT]: text });
          const output = translator.t(SUBJECT, { server: 'id.example' });
          expect(translator.html(SUBJECT, { server: '<i>' })).to.not.include('<i>');
          if (findProblem(text) !== undefined) expect(output).to.equal('Choose a new password for id.example');
        },
      ),
    );
  });
});
