import { expect } from 'chai';
import fc from 'fast-check';
import { CATALOGS } from '../../src/language/catalog.ts';
import { message } from '../../src/language/message.ts';
import { createTranslator } from '../../src/language/translator.ts';

const english = createTranslator('en', CATALOGS.en);
const german = createTranslator('de', CATALOGS.de);

describe('A translator', () => {
  it('formats a message in its language, and returns strings unchanged', () => {
    const text = message('pager.number', { number: 1_500 });
    expect(english.text(text)).to.equal('Page 1,500');
    expect(german.text(text)).to.equal('Seite 1.500');
    expect(german.text('Ada’s application')).to.equal('Ada’s application');
    expect([english.number(1_234), german.number(1_234)]).to.deep.equal(['1,234', '1.234']);
  });

  it('translates a message that is passed as a value into the same language', () => {
    const text = message('error.above-form', { title: message('login.title'), advice: message('error.try-again') });
    expect(english.text(text)).to.equal('Log in. Try again');
    expect(german.text(text)).to.equal('Anmelden. Noch einmal versuchen');
  });

  it('escapes every value, but not the elements of the entry', () => {
    fc.assert(
      fc.property(fc.string(), (username) => {
        const html = english.html('second-step.lede', { username });
        const shownName = /^You are logging in as <bdi><strong>([^<>"']*)<\/strong><\/bdi>\. One more step\.$/.exec(
          html,
        )?.[1];
        expect(shownName, html).to.be.a('string');
        expect(english.t('second-step.lede', { username })).to.equal(
          `You are logging in as ${username}. One more step.`,
        );
      }),
    );
  });

  it('adds the attributes from the view to elements', () => {
    const html = german.html('login.no-account', {}, { a: { href: '/accounts/signup/?next="&' } });
    expect(html).to.equal('Noch kein Konto? <a href="/accounts/signup/?next=&quot;&amp;">Registrieren</a>');
  });

  it('refuses an entry whose values or elements are missing', () => {
    expect(() => english.t('verify.done')).to.throw('email');
    expect(() => english.html('login.no-account')).to.throw('a');
  });
});
