import { expect } from 'chai';
import { outgoingUrlProblem } from '../../../src/platform/egress/outgoing-url.ts';
import { englishProblem } from '../../support/english-problems.ts';

const findProblem = (...args: Parameters<typeof outgoingUrlProblem>): string | undefined =>
  englishProblem(outgoingUrlProblem(...args));
const HTTPS = { outgoingHttp: false };
const HTTP = { outgoingHttp: true };

describe('a URL that the server requests', () => {
  it('uses https, or http if the operator allows it', () => {
    expect(findProblem('https://a.example:8443/x?y=1', HTTPS)).to.equal(undefined);
    expect(findProblem('http://a.example/', HTTP)).to.equal(undefined);
    expect(findProblem('http://a.example/', HTTPS)).to.equal('must use https');
    for (const url of ['file:///etc/passwd', 'ftp://a.example/', 'javascript:1', '//a.example', 'https:a.example', ''])
      expect(findProblem(url, HTTP), url).to.match(/is not an https or http URL|contains a character/);
  });

  const REFUSED_URLS: readonly (readonly [name: string, problem: RegExp, urls: readonly string[]])[] = [
    ['user name', /user name or password/, ['https://u@a.example/', 'https://u:p@a.example/', 'https://@a.example/']],
    ['fragment', /fragment/, ['https://a.example/#x', 'https://a.example/#']],
    ['backslash', /percent-encoded|not an https/, ['https://a.example\\@b.example/', 'https:\\\\a.example/']],
    ['space or control character', /percent-encoded/, ['https://a.example/ x', 'https://a.example/\n', ' https://a']],
    [
      'IPv4 address in an unusual form',
      /unusual form/,
      [
        'https://2130706433/',
        'https://0x7f000001/',
        'https://0177.0.0.1/',
        'https://127.1/',
        'https://0/',
        'https://134744072/',
        'https://0x8.8.8.8:443/',
        'https://8.8.8.8./',
      ],
    ],
    ['IPv6 zone', /not an https/, ['https://[fe80::1%25eth0]/', 'https://[fe80::1%eth0]/', 'https://[::1%251]/']],
    ['more than 2048 characters', /longer/, [`https://a.example/${'x'.repeat(2_048)}`]],
  ];
  for (const [name, problem, urls] of REFUSED_URLS) {
    it(`has no ${name}`, () => {
      for (const url of urls) expect(findProblem(url, HTTPS), url).to.match(problem);
    });
  }
});
