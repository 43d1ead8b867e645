import { expect } from 'chai';
import { audit } from '../../../src/audit/rules/auditor.ts';
import { DecisionOutdated, START } from '../../../src/event-store/event-log.ts';
import type { ClientId } from '../../../src/domain/values.ts';
import type { TrustedIssuerFields } from '../../../src/oauth/issuers/issuer-rules.ts';
import { clientKeys, keyPairFor } from '../../support/assertions.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';
import { OTHER_ISSUER, trustIssuer } from '../../support/trusted-issuers.ts';
import { englishProblem, englishProblems } from '../../support/english-problems.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The trusted issuer registry', () => {
  let running: RunningService;
  let app: TestClient;

  beforeEach(async () => {
    running = await runningService({ settings: { resources: ['https://api.example/'] } });
    app = await running.addClient({ name: 'App' });
  });
  afterEach(() => running.close());

  const registry = () => running.service().trustedIssuerRegistry;
  const recordedChanges = async () =>
    (await running.events()).filter(({ type }) => type.startsWith('TrustedIssuer')).map(({ type }) => type);
  async function auditFindings(): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) items.push(item);
    return items;
  }

  it('records only changes, in one stream for each issuer', async () => {
    const [trustedIssuer, repeatedIssuer] = [await trustIssuer(running, app), await trustIssuer(running, app)];
    expect(repeatedIssuer).to.deep.equal(trustedIssuer);
    const otherIssuer = await trustIssuer(running, app, {}, 'https://other.example');
    expect(otherIssuer.issuerId).to.not.equal(trustedIssuer.issuerId);
    await registry().remove(trustedIssuer, OPERATOR);
    expect(running.service().projections.trustedIssuers.all()).to.deep.equal([otherIssuer]);
    expect(await recordedChanges()).to.deep.equal(['TrustedIssuerSet', 'TrustedIssuerSet', 'TrustedIssuerRemoved']);
    expect(await auditFindings()).to.deep.equal([]);
  });

  it('never keeps an issuer whose client is removed at the same time', async () => {
    const [result] = await Promise.allSettled([
      trustIssuer(running, app),
      running.service().registration.remove(app.id as ClientId, OPERATOR),
    ]);
    const clients = running
      .service()
      .projections.trustedIssuers.all()
      .flatMap((trustedIssuer) => trustedIssuer.clients);
    expect(clients).to.deep.equal([]);
    if (result.status === 'rejected' && !(result.reason instanceof DecisionOutdated))
      expect(String(result.reason)).to.include('No application has the client id');
    expect(await auditFindings()).to.deep.equal([]);
  });

  it('removes an issuer only if it has not changed since it was read', async () => {
    const trustedIssuer = await trustIssuer(running, app);
    await trustIssuer(running, app, { scope: ['write'] });
    const removal = registry().remove(trustedIssuer, OPERATOR);
    expect(await removal.catch((error: unknown) => error)).to.be.instanceOf(DecisionOutdated);
    expect(running.service().projections.trustedIssuers.all()).to.have.length(1);
  });

  it('records keyed hashes of subjects, and accepts recorded hashes again', async () => {
    const user = await running.addUser();
    const trustedIssuer = await trustIssuer(running, app, {
      mapping: 'table',
      users: [`jane@corp.example=${user.username}`],
    });
    if (trustedIssuer.subject.by !== 'table') expect.fail('the issuer has no table');
    const [entry] = trustedIssuer.subject.entries;
    const users = [`recorded:${entry?.subjectHash}=${user.username}`];
    expect(await trustIssuer(running, app, { mapping: 'table', users })).to.deep.equal(trustedIssuer);
    const otherIssuer = await trustIssuer(
      running,
      app,
      { mapping: 'table', users: [`jane@corp.example=${user.username}`] },
      'b:',
    );
    expect(otherIssuer.subject).to.not.deep.equal(trustedIssuer.subject);
    expect(JSON.stringify(await running.events())).to.not.include('jane@corp');
  });

  it('reports the problem with each field', async () => {
    const user = await running.addUser();
    const publicClient = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    const keys = await clientKeys(keyPairFor('ES256', 'key of another issuer'));
    const validFields: TrustedIssuerFields = {
      keys,
      keysUri: null,
      audience: [],
      uses: ['assertion'],
      claims: [],
      mapping: 'client',
      nameClaim: '',
      users: [],
      clients: [app.id],
      scope: ['read'],
      resources: null,
      maxTokenLifetimeSeconds: 600,
      maxAssertionAgeSeconds: 600,
    };
    for (const [changes, expected] of [
      [{ keys: [] }, { keys: 'Enter public keys or the URL of the key set.' }],
      [
        { keysUri: 'https://issuer.example/keys' },
        { keysUri: 'Enter either public keys or the URL of the key set, not both.' },
      ],
      [{ keys: [], keysUri: 'http://issuer.example/keys' }, { keysUri: 'The URL must use https.' }],
      [{ audience: ['x'.repeat(513)] }, { audience: 'An audience can have at most 512 visible characters.' }],
      [
        { audience: Array.from({ length: 51 }, (_, index) => `a${index}`) },
        { audience: 'Enter at most 50 audiences.' },
      ],
      [{ uses: [] }, { uses: 'Choose at least one of assertion, identity-assertion, subject-token, actor-token.' }],
      [{ uses: ['theft'] }, { uses: /^Choose at least one/ }],
      [{ claims: ['repository'] }, { claims: /^A required claim consists of a name, an equals sign and a value/ }],
      [{ mapping: 'guess' }, { mapping: 'Choose one of user-name, verified-email, table, client.' }],
      [{ users: ['a=b'] }, { users: 'Users can be entered only if subjects are looked up in the table.' }],
      [{ nameClaim: 'sub' }, { nameClaim: 'A claim can be entered only if users are found by user name.' }],
      [{ mapping: 'table' }, { users: 'The table must have 1 to 200 subjects.' }],
      [
        { mapping: 'table', users: ['jane'] },
        { users: 'Each line must consist of a subject, an equals sign and a user name.' },
      ],
      [{ mapping: 'table', users: ['jane=nobody'] }, { users: 'Nobody has the user name nobody.' }],
      [
        { mapping: 'table', users: [`j=${user.username}`, `j=${user.username}`] },
        { users: `The subject of ${user.username} is also assigned to another user.` },
      ],
      [{ clients: [] }, { clients: 'Enter at least one application.' }],
      [{ clients: ['nobody'] }, { clients: 'No application has the client id nobody.' }],
      [{ clients: [publicClient.id] }, { clients: /is public; it must be confidential/ }],
      [{ clients: [`${app.id} repository`] }, { clients: /^A required claim/ }],
      [{ scope: [] }, { scope: 'Enter at least one scope. Tokens get only the scopes entered here.' }],
      [{ scope: ['openid'] }, { scope: 'The scope openid needs a login here, so another issuer cannot grant it.' }],
      [{ scope: ['audit'] }, { scope: /^The scope audit needs a login here/ }],
      [
        { scope: ['__proto__'] },
        { scope: 'The scope __proto__ is neither in the settings nor defined by a resource server.' },
      ],
      [{ resources: [] }, { resources: 'Enter at least one resource server, or do not limit the resource servers.' }],
      [
        { resources: ['https://other.example/'] },
        { resources: /^The resource server https:\/\/other.example\/ is not/ },
      ],
      [{ maxTokenLifetimeSeconds: 59 }, { maxTokenLifetimeSeconds: /from 60 to 86400/ }],
      [{ maxAssertionAgeSeconds: Number.NaN }, { maxAssertionAgeSeconds: /from 30 to 86400/ }],
    ] as readonly (readonly [Partial<TrustedIssuerFields>, Readonly<Record<string, string | RegExp>>])[]) {
      const result = await registry().set(OTHER_ISSUER, { ...validFields, ...changes }, OPERATOR);
      const errors = 'errors' in result ? englishProblems(result.errors) : {};
      expect(Object.keys(errors), JSON.stringify(changes)).to.deep.equal(Object.keys(expected));
      for (const [field, text] of Object.entries(expected))
        expect(errors[field as keyof typeof errors]).to.match(typeof text === 'string' ? exactPattern(text) : text);
    }
    for (const [issuer, text] of [
      ['', /1 to 512 visible/],
      ['with space', /visible/],
      ['x'.repeat(513), /1 to 512/],
      ['http://localhost:8000', /the issuer of this server itself/],
    ] as const) {
      const result = await registry().set(issuer, validFields, OPERATOR);
      expect('errors' in result && englishProblem(result.errors.issuer)).to.match(text);
    }
    expect(await recordedChanges()).to.deep.equal([]);
  });
});

function exactPattern(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}
