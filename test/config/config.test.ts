import { expect } from 'chai';
import fc from 'fast-check';
import {
  ConfigError,
  configFromSettings,
  parseSettingChanges,
  readConfig,
  type Config,
} from '../../src/config/config.ts';
import { effectiveDefault } from '../../src/config/effective-defaults.ts';
import { environmentName, SETTING_NAMES, settings } from '../../src/config/settings.ts';
import { effectiveSettings } from '../../src/config/effective-settings.ts';

const noFile = (): string => {
  throw new Error('the test has no file');
};

function fromFile(content: unknown, env: Record<string, string> = {}) {
  return readConfig({ GRANTLOG_CONFIG: '/etc/grantlog.json', ...env }, () => JSON.stringify(content));
}

function findProblems(readSettings: () => unknown): readonly string[] {
  try {
    readSettings();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('configuration', () => {
  it('equals the sample configuration if nothing is set', () => {
    const { config } = readConfig({}, noFile);
    expect(config).to.deep.include({ host: '127.0.0.1', port: 8000, issuer: 'http://localhost:8000', admin: null });
    expect(Object.keys(config.scopes).join(' ')).to.equal(
      'read write groups admin audit introspection clients:register grant_management_query ' +
        'grant_management_revoke openid profile email address phone offline_access',
    );
    expect(config.defaultScopes).to.deep.equal({
      'authorization-code': ['read', 'write'],
      'client-credentials': ['read', 'write'],
      password: ['read', 'write', 'groups'],
      'device-code': ['read', 'write'],
    });
    expect(new Set(Object.values(config.origins))).to.deep.equal(new Set(['default']));
  });

  it('is deeply frozen', () => {
    const { config } = readConfig({}, noFile);
    expect(() => Object.assign(config.scopes, { more: 'More' })).to.throw(TypeError);
    expect(() => (config.defaultScopes.password as string[]).push('more')).to.throw(TypeError);
  });

  it('has defaults that match the schemas of the settings', () => {
    for (const name of SETTING_NAMES) {
      for (const basis of ['sample', 'file', 'program'] as const) {
        const { success } = settings[name].schema.safeParse(effectiveDefault(name, basis).value);
        expect(success, `${name}, ${basis}`).to.equal(true);
      }
    }
  });

  it('prefers the environment to the file, and states the origin of each value', () => {
    const { config } = fromFile({ port: 1000, signup: 'open' }, { PORT: '2000' });
    expect(config).to.deep.include({ port: 2000, signup: 'open' });
    expect(config.origins).to.deep.include({ port: 'environment', signup: 'file', host: 'default' });
  });

  it('reads settings from the environment, with maps and lists as JSON', () => {
    const { config } = readConfig(
      {
        GRANTLOG_SCOPES: '{"read":"Read","beta":"Beta"}',
        GRANTLOG_DEFAULT_SCOPES: '{"client_credentials":["beta"]}',
        GRANTLOG_WRITE_SCOPE: 'beta',
        GRANTLOG_REFRESH_TOKEN_LIFETIME_SECONDS: 'null',
        GRANTLOG_PKCE_METHODS: '["S256","plain"]',
        GRANTLOG_JSON_TOKEN_REQUESTS: 'true',
        GRANTLOG_REQUIRE_PKCE: 'true',
      },
      noFile,
    );
    expect(config.defaultScopes).to.deep.equal({
      'authorization-code': ['read'],
      'client-credentials': ['beta'],
      password: ['read'],
      'device-code': ['read'],
    });
    expect(config).to.deep.include({
      writeScope: 'beta',
      refreshTokenLifetimeSeconds: null,
      jsonTokenRequests: true,
      requirePkce: 'all',
    });
    expect(config.pkceMethods).to.deep.equal(['S256', 'plain']);
  });

  it('omits unknown scopes from the default scopes unless defaultScopes is set', () => {
    expect(configFromSettings({ scopes: { read: 'Read', beta: 'Beta' } }).defaultScopes).to.deep.equal({
      'authorization-code': ['read'],
      'client-credentials': ['read'],
      password: ['read'],
      'device-code': ['read'],
    });
  });

  it('accepts environment variable names in the file', () => {
    const { config } = fromFile({ PORT: 9000, GRANTLOG_READ_SCOPE: 'groups', WRITE_SCOPE: 'read' });
    expect(config).to.deep.include({ port: 9000, readScope: 'groups', writeScope: 'read' });
  });

  it('ignores an empty variable', () => {
    expect(readConfig({ PORT: '', GRANTLOG_ADMIN_USERNAME: '' }, noFile).config).to.deep.include({
      port: 8000,
      admin: null,
    });
  });

  it('does not parse a password that looks like JSON', () => {
    const { config } = readConfig({ GRANTLOG_ADMIN_USERNAME: 'null', GRANTLOG_ADMIN_PASSWORD: '123456' }, noFile);
    expect(config.admin).to.deep.equal({ username: 'null', password: '123456' });
  });

  it('reports all invalid settings together, by the names that the operator used', () => {
    const problems = findProblems(() =>
      fromFile(
        { signup: 'maybe', acessTokenLifetimeSeconds: 5, colour: 'red', WRITE_SCOPE: 'no such', host: 'a b' },
        {
          PORT: 'eighty',
          ISSUER: 'https://example.org/?a=b',
          GRANTLOG_READSCOPE: 'read',
          GRANTLOG_ADMIN_PASSWORD: 'hush-hush',
        },
      ),
    );
    expect(problems).to.have.members([
      'signup: must be one of closed, open, not "maybe"',
      'acessTokenLifetimeSeconds: unknown setting; did you mean accessTokenLifetimeSeconds?',
      'colour: unknown setting; remove it',
      'WRITE_SCOPE: must be a scope name, not "no such"',
      'host: must be a host name or an IP address, not "a b"',
      'PORT: must be a whole number from 0 to 65535, not "eighty"',
      'ISSUER: must be an http or https URL without a query, fragment or user name, not "https://example.org/?a=b"',
      'GRANTLOG_READSCOPE: unknown setting; did you mean GRANTLOG_READ_SCOPE?',
      'GRANTLOG_ADMIN_USERNAME and GRANTLOG_ADMIN_PASSWORD: set both or neither',
    ]);
    expect(problems.join()).not.to.contain('hush-hush');
  });

  it('reports an invalid value of any setting as one problem', () => {
    const invalid = { nonsense: true };
    fc.assert(
      fc.property(fc.constantFrom(...SETTING_NAMES), (name) => {
        const [problem, ...otherProblems] = findProblems(() => fromFile({ [name]: invalid }));
        expect(problem).to.match(new RegExp(`^${name}: must be `));
        expect(otherProblems).to.deep.equal([]);
      }),
    );
  });

  it('refuses a setting that is given under two names', () => {
    expect(findProblems(() => fromFile({ port: 1, PORT: 2 }))).to.deep.equal([
      'port and PORT are the same setting; keep one',
    ]);
  });

  it('refuses an unknown scope as a default scope or as the read scope', () => {
    const problems = findProblems(() =>
      configFromSettings({ scopes: { a: 'A' }, defaultScopes: { password: ['a', 'b'] }, readScope: 'constructor' }),
    );
    expect(problems).to.deep.equal([
      'readScope: "constructor" is not one of the scopes (a)',
      'defaultScopes: password must contain only scopes that are defined (a), not b',
    ]);
  });

  it('refuses built-in scopes as defaults, unless they are for claims and the operator redefines them', () => {
    const scopes = { read: 'Read', email: 'Send you mail', openid: 'Own', audit: 'Own' };
    const password = ['read', 'email', 'openid', 'audit', 'phone', 'offline_access'];
    expect(
      findProblems(() => configFromSettings({ scopes, writeScope: 'read', defaultScopes: { password } })),
    ).to.deep.equal([
      'defaultScopes: password contains openid, audit, phone, offline_access, which clients must request by name',
    ]);
    expect(configFromSettings({ scopes, defaultScopes: { password: ['email'] } }).scopes).to.include({
      email: 'Send you mail',
      phone: 'See your phone number',
    });
  });

  it('refuses to map unknown or built-in scopes to claims', () => {
    const scopes = { a: 'A', email: 'My own' };
    const scopeClaims = { a: ['name'], b: ['name'], email: ['address'], openid: ['name'], audit: ['name'] };
    expect(findProblems(() => configFromSettings({ scopes, defaultScopes: {}, scopeClaims }))).to.deep.equal([
      'scopeClaims: "b" is not one of the scopes (a, email)',
      'scopeClaims: the claims of the built-in scope email cannot be changed; map a scope of your own instead',
      'scopeClaims: the claims of the built-in scope openid cannot be changed; map a scope of your own instead',
      'scopeClaims: the claims of the built-in scope audit cannot be changed; map a scope of your own instead',
    ]);
    expect(findProblems(() => configFromSettings({ scopeClaims: { read: ['shoe_size'] } }))[0]).to.match(
      /^scopeClaims: must be a map .* not {"read":\["shoe_size"\]}/,
    );
  });

  it('refuses a value that is nested more than 32 levels deep, in a file, a variable and a settings change', () => {
    const nestLists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const problem = 'must not contain more than 32 levels of lists and objects';
    for (const levels of [33, 100_000]) {
      const readFromFile = (): unknown =>
        readConfig({ GRANTLOG_CONFIG: 'f' }, () => `{"resources": ${nestLists(levels)}}`);
      expect(findProblems(readFromFile)).to.deep.equal([`resources: ${problem}`]);
      const readFromVariable = (): unknown => readConfig({ GRANTLOG_RESOURCES: nestLists(levels) }, () => '');
      expect(findProblems(readFromVariable)).to.deep.equal([`GRANTLOG_RESOURCES: ${problem}`]);
      const parseChange = (): unknown => parseSettingChanges({ scopeClaims: `{"read":${nestLists(levels - 1)}}` });
      expect(findProblems(parseChange)).to.deep.equal([`scopeClaims: ${problem}`]);
    }
    const readAllowed = (): unknown => readConfig({ GRANTLOG_RESOURCES: nestLists(32) }, () => '');
    expect(findProblems(readAllowed).join()).to.include('must be').and.not.to.include(problem);
  });

  it('refuses a member named __proto__ at any depth, because a validator would drop it silently', () => {
    const content = '{"scopes": {"a": "A", "__proto__": "B"}, "defaultScopes": {}}';
    const readFile = () => readConfig({ GRANTLOG_CONFIG: '/x' }, () => content);
    expect(findProblems(readFile)).to.deep.equal(['scopes: no member may be named __proto__ (__proto__)']);
    const scopeDisplay = '{"read": {"icon": "file", "__proto__": {"sensitivity": "sensitive"}}}';
    const problem = 'no member may be named __proto__ (read.__proto__)';
    expect(findProblems(() => readConfig({ GRANTLOG_SCOPE_DISPLAY: scopeDisplay }, noFile))).to.deep.equal([
      `GRANTLOG_SCOPE_DISPLAY: ${problem}`,
    ]);
    expect(findProblems(() => parseSettingChanges({ scopeDisplay }))).to.deep.equal([`scopeDisplay: ${problem}`]);
  });

  it('reports why a file cannot be used', () => {
    const fileProblems = findProblems(() => readConfig({ GRANTLOG_CONFIG: '/x' }, noFile));
    expect(fileProblems).to.deep.equal(['GRANTLOG_CONFIG: /x cannot be read (the test has no file)']);
    expect(findProblems(() => readConfig({ GRANTLOG_CONFIG: '/x' }, () => '{'))[0]).to.match(
      /^GRANTLOG_CONFIG: \/x is not JSON/,
    );
    expect(findProblems(() => fromFile([]))).to.deep.equal([
      'GRANTLOG_CONFIG: /etc/grantlog.json must contain a JSON object',
    ]);
  });

  it('ignores variables that Kubernetes sets, even if their names begin with GRANTLOG_', () => {
    expect(readConfig({ GRANTLOG_SERVICE_PORT_HTTP: 'tcp://10.0.0.1:8000' }, noFile).config.port).to.equal(8000);
  });

  it('has a unique environment variable for every setting', () => {
    expect(new Set(SETTING_NAMES.map(environmentName)).size).to.equal(SETTING_NAMES.length);
  });
});

describe('the sample API', () => {
  const findSampleApi = (config: Config) => effectiveSettings(config).find(({ name }) => name === 'sampleApi');

  it('is on in the sample configuration, whatever else the environment sets', () => {
    for (const env of [{}, { GRANTLOG_CONFIG: '' }, { PORT: '9000', ISSUER: 'https://id.example' }]) {
      const { config } = readConfig(env, noFile);
      expect(findSampleApi(config)).to.include({
        value: true,
        default: true,
        origin: 'default',
        reason: 'no configuration file is specified, so this is the sample configuration',
      });
    }
  });

  it('is off if there is a configuration file, even an empty one', () => {
    const { config } = fromFile({});
    expect(findSampleApi(config)).to.include({
      value: false,
      default: false,
      origin: 'default',
      reason: 'a configuration file is specified',
    });
  });

  it('is off in a program that embeds the server', () => {
    for (const options of [{}, { port: 9000 }]) {
      expect(findSampleApi(configFromSettings(options))).to.include({
        value: false,
        default: false,
        reason: 'the server is embedded in another program',
      });
    }
  });

  it('follows the file or the environment if one of them sets it', () => {
    for (const value of [true, false]) {
      expect(findSampleApi(fromFile({ sampleApi: value }).config)).to.include({ value, origin: 'file' });
      const environmentConfig = readConfig({ GRANTLOG_SAMPLE_API: String(value) }, noFile).config;
      expect(findSampleApi(environmentConfig)).to.include({ value, origin: 'environment' });
      expect(configFromSettings({ sampleApi: value }).sampleApi).to.equal(value);
    }
  });

  it('is refused with open sign-up unless it is set explicitly, and reported with all other invalid settings', () => {
    const problems = findProblems(() => readConfig({ GRANTLOG_SIGNUP: 'open', PORT: 'eighty' }, noFile));
    expect(problems).to.have.length(2);
    expect(problems[0]).to.match(/^PORT: /);
    expect(problems[1]).to.match(
      /^GRANTLOG_SIGNUP and GRANTLOG_SAMPLE_API: .* set GRANTLOG_SAMPLE_API to false, or to true/,
    );
  });

  it('is compatible with open sign-up if it is set explicitly or off', () => {
    const openSignup = { GRANTLOG_SIGNUP: 'open' };
    for (const value of [true, false]) {
      expect(readConfig({ ...openSignup, GRANTLOG_SAMPLE_API: String(value) }, noFile).config).to.include({
        signup: 'open',
        sampleApi: value,
      });
      expect(fromFile({ signup: 'open', sampleApi: value }).config.sampleApi).to.equal(value);
    }
    expect(fromFile({}, openSignup).config, 'with a configuration file').to.include({
      signup: 'open',
      sampleApi: false,
    });
    expect(configFromSettings({ signup: 'open' }), 'embedded').to.include({ signup: 'open', sampleApi: false });
  });
});

describe('the issuer', () => {
  const parseIssuer = (env: Record<string, string>): string | null => readConfig(env, noFile).config.issuer;

  it('is a local URL by default, once the port is known', () => {
    expect(parseIssuer({ PORT: '8123' })).to.equal('http://localhost:8123');
    expect(parseIssuer({ PORT: '0' })).to.equal(null);
  });

  it('has no trailing slash', () => {
    expect(parseIssuer({ ISSUER: 'https://id.example.org/' })).to.equal('https://id.example.org');
    expect(parseIssuer({ ISSUER: 'https://example.org/id//' })).to.equal('https://example.org/id');
  });

  for (const invalid of [
    'example.org',
    'ftp://example.org',
    'https://a:b@example.org',
    'https://example.org/#',
    'https://example.org?',
  ]) {
    it(`cannot be ${invalid}`, () => {
      expect(findProblems(() => parseIssuer({ ISSUER: invalid }))[0]).to.match(/^ISSUER: /);
    });
  }
});

describe('the login URL', () => {
  for (const [text, isValid] of [
    ['/login', true],
    ['https://sso.example.org/login?x=1', true],
    ['//evil.example', false],
    ['/\\evil.example', false],
    ['javascript:alert(1)', false],
    ['login', false],
  ] as const) {
    it(`${isValid ? 'can' : 'cannot'} be ${text}`, () => {
      const readLoginUrl = () => configFromSettings({ loginUrl: text });
      if (isValid) expect(readLoginUrl().loginUrl).to.equal(text);
      else expect(findProblems(readLoginUrl)).to.have.length(1);
    });
  }
});

describe('extra redirect URI schemes', () => {
  for (const scheme of ['http', 'https', 'javascript', 'data', 'MyApp', 'my app', 'myapp:']) {
    it(`cannot include ${scheme}`, () => {
      expect(findProblems(() => configFromSettings({ redirectUriSchemes: [scheme] }))).to.have.length(1);
    });
  }
});
