import { expect } from 'chai';
import { checkPresentation } from '../../../src/oauth/clients/presentation-rules.ts';
import { englishProblem, englishProblems } from '../../support/english-problems.ts';

const listProblems = (fields: object): readonly (string | undefined)[] =>
  Object.values(checkPresentation(fields).problems).map(englishProblem);
const problemsByField = (fields: object) => englishProblems(checkPresentation(fields).problems);

describe('The presentation of an application', () => {
  it('is empty by default, and stored without surrounding whitespace', () => {
    expect(checkPresentation({ description: ' ', homepageUri: '' }).presentation).to.deep.equal({
      description: null,
      homepageUri: null,
      policyUri: null,
      tosUri: null,
    });
    expect(checkPresentation({ description: ' Weaves. ' }).presentation.description).to.equal('Weaves.');
  });

  it('can link to https URLs and to loopback addresses, even with a fragment', () => {
    for (const uri of [
      'https://app.example/',
      'https://app.example/legal#privacy',
      'http://localhost:3000/',
      'http://127.0.0.1/',
    ])
      expect(listProblems({ homepageUri: uri, policyUri: uri, tosUri: uri }), uri).to.deep.equal(
        Array.from({ length: 4 }, () => undefined),
      );
  });

  for (const [description, uri, problem] of [
    ['plain http', 'http://app.example/', 'must use https'],
    ['a script', 'javascript:alert(1)', 'must use https'],
    ['a data URL', 'data:text/html,x', 'must use https'],
    ['credentials', 'https://ada:secret@app.example/', 'user name or password'],
    ['a relative address', '/privacy', 'Enter a full URL'],
    ['text that is not a URL', 'see below', 'Enter a full URL'],
    ['a quotation mark', 'https://app.example/"', 'percent-encoded'],
    ['a quotation mark in the fragment', 'https://app.example/#"', 'percent-encoded'],
    ['2,049 spaces', ' '.repeat(2_049), 'longer than 2048'],
    ['2,049 characters', `https://app.example/#${'x'.repeat(2_028)}`, 'longer than 2048'],
  ] as const) {
    it(`cannot have a link with ${description}`, () => {
      expect(problemsByField({ policyUri: uri }).policyUri).to.include(problem);
    });
  }

  it('has a visible description of at most 300 characters', () => {
    expect(problemsByField({ description: 'x'.repeat(300) }).description).to.equal(undefined);
    expect(problemsByField({ description: 'x'.repeat(301) }).description).to.include('300 characters');
    expect(problemsByField({ description: ' '.repeat(301) }).description).to.include('300 characters');
    expect(problemsByField({ description: 'a\u202eb' }).description).to.include('U+202E');
  });
});
