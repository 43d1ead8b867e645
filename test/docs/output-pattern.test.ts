import { expect } from 'chai';
import { outputPattern } from '../support/documents.ts';

const toPattern = (code: string): RegExp => outputPattern({ code });

describe('The pattern for a documented output', () => {
  it('matches the end of an output with different numbers and whitespace, and anything in place of …', () => {
    expect('a warning\nuser 12  ada   2026\n').to.match(toPattern('user 7 ada …'));
    expect('NAME  ID\nada   17\nend').to.match(toPattern('NAME …\n… 3\nend'));
    expect('a  b').to.match(toPattern('a … b'));
    expect('took 3 seconds').to.match(toPattern('took 1 second'));
  });

  it('does not match a different output', () => {
    expect('user 12 bob\n').not.to.match(toPattern('user 7 ada'));
    expect('NAME ID\nada 17\nend\nmore').not.to.match(toPattern('NAME …\nend'));
    expect('a b').not.to.match(toPattern('a … b'));
  });

  it('detects quickly that a long output differs, even if the documented one contains many …', () => {
    expect('x '.repeat(20_000)).not.to.match(toPattern(`x${'…x'.repeat(20)}…end`));
  });
});
