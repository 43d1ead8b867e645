import { expect } from 'chai';
import fc from 'fast-check';
import { isPostgresUrl, parsePostgresUrl } from '../../../src/platform/postgres/connection-url.ts';

const arbitraryHost = fc.record({
  host: fc.constantFrom('localhost', 'db.example', '10.0.0.1', '::1'),
  port: fc.integer({ min: 1, max: 65_535 }),
});
const arbitraryText = fc.string({
  unit: fc.constantFrom('a', 'Z', '9', ':', '@', '/', '%', '?', '#', ' ', 'é'),
  minLength: 1,
});

function formatHost({ host: name, port }: { readonly host: string; readonly port: number }): string {
  return `${name.includes(':') ? `[${name}]` : name}:${port}`;
}

describe('a PostgreSQL URL', () => {
  it('can contain several hosts with ports, and any user, password and database', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryHost, { minLength: 1, maxLength: 4 }),
        arbitraryText,
        arbitraryText,
        arbitraryText,
        (hosts, user, password, database) => {
          const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
          const url = `postgres://${login}@${hosts.map(formatHost).join(',')}/${encodeURIComponent(database)}`;
          expect(parsePostgresUrl(url)).to.deep.include({ hosts, user, password, database });
        },
      ),
    );
  });

  it('has the port 5432 and no password by default', () => {
    const { hosts, password } = parsePostgresUrl('postgresql://grantlog@one,two:5433/grantlog');
    expect(hosts).to.deep.equal([
      { host: 'one', port: 5432 },
      { host: 'two', port: 5433 },
    ]);
    expect(password).to.equal(undefined);
  });

  it('can contain the directory of a socket', () => {
    const { hosts, tls } = parsePostgresUrl('postgres://grantlog@/grantlog?host=/run/postgresql');
    expect(hosts).to.deep.equal([{ host: '/run/postgresql', port: 5432 }]);
    expect(tls).to.equal('disable');
  });

  it('requires verified TLS by default, except to this machine', () => {
    const parseTlsMode = (url: string): string => parsePostgresUrl(url).tls;
    expect(parseTlsMode('postgres://u@db.example/d')).to.equal('verify-full');
    expect(parseTlsMode('postgres://u@localhost,db.example/d')).to.equal('verify-full');
    expect(parseTlsMode('postgres://u@localhost,127.0.0.1,[::1]/d')).to.equal('disable');
    expect(parseTlsMode('postgres://u@db.example/d?sslmode=require')).to.equal('require');
    expect(parseTlsMode('postgres://u@db.example/d?sslmode=disable')).to.equal('disable');
  });

  const REFUSED_URLS: readonly (readonly [name: string, url: string, problem: RegExp])[] = [
    ['a different scheme', 'mysql://u:secret@h/d', /form is not recognized/],
    ['no database', 'postgres://u:secret@h/', /form is not recognized/],
    ['no user', 'postgres://:secret@h/d', /user is missing/],
    ['an empty host', 'postgres://u:secret@h,/d', /hosts or ports is invalid/],
    ['a port out of range', 'postgres://u:secret@h:70000/d', /hosts or ports is invalid/],
    ['a mode that a man in the middle can disable', 'postgres://u:secret@h/d?sslmode=prefer', /must be one of/],
    ['an unknown parameter', 'postgres://u:secret@h/d?sslmdoe=disable', /parameter sslmdoe/],
    ['a repeated parameter', 'postgres://u:secret@h/d?sslmode=disable&sslmode=require', /more than once/],
    ['a broken escape', 'postgres://u:%zzsecret@h/d', /percent-encoding is invalid/],
  ];
  for (const [name, url, problem] of REFUSED_URLS) {
    it(`is refused with ${name}, without showing the password`, () => {
      expect(() => parsePostgresUrl(url))
        .to.throw(problem)
        .with.property('message')
        .that.does.not.contain('secret');
      expect(isPostgresUrl(url)).to.equal(false);
    });
  }
});
