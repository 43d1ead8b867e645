import { expect } from 'chai';
import * as fc from 'fast-check';
import { allOf, anyOf } from '../../src/policy/combinators.ts';
import { PolicyDeclarationError } from '../../src/policy/declaration.ts';
import { toSecurityRequirements, type SecurityRequirement } from '../../src/policy/open-api-security.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { policyFromOpenApi } from '../../src/policy/policy-from-open-api.ts';
import {
  aMethod,
  anonymous,
  aPrincipal,
  aScopePolicy,
  bearer,
  sortVerdict,
  session,
} from '../support/policy-arbitraries.ts';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

const SCHEMES = {
  accessToken: { type: 'oauth2', flows: {} },
  webSession: { type: 'apiKey', in: 'cookie', name: 'grantlog' },
  openId: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/.well-known/openid-configuration' },
  bearer: { type: 'http', scheme: 'Bearer' },
  basic: { type: 'http', scheme: 'basic' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  otherCookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  certificate: { type: 'mutualTLS' },
};

function createDocument(members: object): object {
  return {
    openapi: '3.1.0',
    info: { title: 'Widgets', version: '1' },
    components: { securitySchemes: SCHEMES },
    paths: {},
    ...members,
  };
}

/** Returns the policy of a path whose GET operation has the given security. */
function policyForGet(security: unknown, documentSecurity?: unknown): Policy {
  const operation = security === undefined ? {} : { security };
  return policyFromOpenApi(
    createDocument({
      ...(documentSecurity === undefined ? {} : { security: documentSecurity }),
      paths: { '/x': { get: operation } },
    }),
  )('/x');
}

/** Returns the decisions of the policy for an anonymous caller, a session, and tokens with several scopes. */
function decideForAll(policy: Policy, method = 'GET'): Record<string, boolean> {
  const principals = {
    anonymous,
    session,
    none: bearer([]),
    a: bearer(['a']),
    b: bearer(['b']),
    ab: bearer(['a', 'b']),
  };
  return Object.fromEntries(
    Object.entries(principals).map(([name, principal]) => [name, policy({ method, principal }).allowed]),
  );
}
const NOBODY = { anonymous: false, session: false, none: false, a: false, b: false, ab: false };
const EVERYBODY = { anonymous: true, session: true, none: true, a: true, b: true, ab: true };

/** Every policy without an object check. */
const expressiblePolicy: fc.Arbitrary<Policy> = fc.letrec<{ policy: Policy; policies: Policy[] }>((tie) => ({
  policy: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    aScopePolicy,
    tie('policies').map((policies) => allOf(...policies)),
    tie('policies').map((policies) => anyOf(...policies)),
  ),
  policies: fc.array(tie('policy'), { minLength: 1, maxLength: 3 }),
})).policy;

function toDocument(policy: Policy): object {
  const operations = METHODS.flatMap((method) => {
    const security = toSecurityRequirements(policy, method);
    return security === undefined ? [] : [[method.toLowerCase(), { security, responses: {} }]];
  });
  return JSON.parse(
    JSON.stringify(createDocument({ paths: { '/x/{id}/': Object.fromEntries(operations) as object } })),
  ) as object;
}

describe('The policy of a path in an OpenAPI document', () => {
  it('equals the policy that its security was generated from', () => {
    fc.assert(
      fc.property(expressiblePolicy, aMethod, aPrincipal, (policy, method, principal) => {
        const derivedPolicy = policyFromOpenApi(toDocument(policy))('/x/:id');
        expect(sortVerdict(derivedPolicy({ method, principal }))).to.deep.equal(
          sortVerdict(policy({ method, principal })),
        );
        expect(toSecurityRequirements(derivedPolicy, method) === undefined).to.equal(
          toSecurityRequirements(policy, method) === undefined,
        );
      }),
    );
  });

  it('requires all schemes of one entry, with all their scopes, as OpenAPI does', () => {
    const schemes = {
      accessToken: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      openId: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      bearer: fc.constant([]),
    };
    const anEntry = fc.oneof(
      fc.record(schemes, { requiredKeys: [] }),
      fc.constant({ webSession: [] }),
    ) as fc.Arbitrary<SecurityRequirement>;
    fc.assert(
      fc.property(fc.array(anEntry, { maxLength: 3 }), aPrincipal, (security, principal) => {
        const admits = (entry: SecurityRequirement): boolean =>
          Object.entries(entry).every(([scheme, scopes]) =>
            scheme === 'webSession'
              ? principal.kind === 'session'
              : principal.kind === 'bearer' && scopes.every((scope) => principal.scope.includes(scope)),
          );
        expect(policyForGet(security)({ method: 'GET', principal }).allowed).to.equal(
          security.length === 0 || security.some(admits),
        );
      }),
    );
  });

  it("allows all callers for [] and {}, and prefers an operation's own list to the document's", () => {
    expect(decideForAll(policyForGet([]))).to.deep.equal(EVERYBODY);
    expect(decideForAll(policyForGet([{ accessToken: ['a'] }, {}]))).to.deep.equal(EVERYBODY);
    expect(decideForAll(policyForGet([], [{ accessToken: ['a'] }]))).to.deep.equal(EVERYBODY);
    expect(decideForAll(policyForGet([{ webSession: [] }], [{ accessToken: ['a'] }]))).to.deep.equal({
      ...NOBODY,
      session: true,
    });
    expect(decideForAll(policyForGet(undefined, [{ accessToken: ['a'] }]))).to.deep.equal({
      ...NOBODY,
      a: true,
      ab: true,
    });
    expect(toSecurityRequirements(policyForGet([{ accessToken: ['a'] }, {}]), 'GET')).to.deep.equal([{}]);
  });

  it('is neutral in allOf, and opens anyOf to all callers, if it has no requirements', () => {
    const openPolicy = policyForGet([]);
    const guardedPolicy = policyForGet([{ accessToken: ['a'] }]);
    expect(decideForAll(allOf(openPolicy, guardedPolicy))).to.deep.equal(decideForAll(guardedPolicy));
    expect(allOf(openPolicy, guardedPolicy).requirements('GET')).to.deep.equal(guardedPolicy.requirements('GET'));
    expect(allOf(openPolicy, guardedPolicy)({ method: 'GET', principal: bearer([]) })).to.deep.equal(
      guardedPolicy({ method: 'GET', principal: bearer([]) }),
    );
    expect(decideForAll(anyOf(openPolicy, guardedPolicy))).to.deep.equal(EVERYBODY);
    expect(anyOf(openPolicy, guardedPolicy).requirements('GET')).to.deep.equal(openPolicy.requirements('GET'));
  });

  it('accepts any number of alternatives', () => {
    const alternatives = Array.from({ length: 1_000 }, (_, index) => ({ accessToken: [`scope-${index}`] }));
    expect(policyForGet(alternatives).requirements('GET')).to.have.length(1_000);
  });

  it('denies every method without an operation, but treats HEAD as GET', () => {
    const policy = policyForGet([]);
    expect(decideForAll(policy, 'HEAD')).to.deep.equal(EVERYBODY);
    for (const method of ['POST', 'OPTIONS', 'DELETE', 'PROPFIND', 'constructor', '__PROTO__'])
      expect(decideForAll(policy, method), method).to.deep.equal(NOBODY);
    const policyWithHead = policyFromOpenApi(
      createDocument({ paths: { '/x': { get: { security: [] }, head: { security: [{ webSession: [] }] } } } }),
    )('/x');
    expect(decideForAll(policyWithHead, 'HEAD')).to.deep.equal({ ...NOBODY, session: true });
  });

  it('is found by the path in the document or in the router, with or without a trailing slash', () => {
    const policyFor = policyFromOpenApi(
      createDocument({
        paths: {
          '/': { get: { security: [] } },
          '/a/{id}/b/{other}/': { get: { security: [] } },
          '/a/mine/b/{other}': { get: { security: [{ webSession: [] }] } },
          '/a/{id}:stop': { post: { security: [] } },
          '/a:stop': { post: { security: [] } },
          'x-note': 1,
        },
      }),
    );
    for (const path of ['/a/{id}/b/{other}/', '/a/{x}/b/{y}', '/a/:id/b/:other', '/a/:id/b/:other/'])
      expect(decideForAll(policyFor(path)), path).to.deep.equal(EVERYBODY);
    expect(decideForAll(policyFor('/a/mine/b/:other'))).to.deep.equal({ ...NOBODY, session: true });
    expect(decideForAll(policyFor('/'))).to.deep.equal(EVERYBODY);
    for (const path of ['/a/{id}:stop', '/a:stop'])
      expect(decideForAll(policyFor(path), 'POST'), path).to.deep.equal(EVERYBODY);
    for (const path of [
      '',
      '/b',
      'a/:id/b/:other',
      '/a/:id',
      '/a/1/b/2',
      '/a/*rest',
      '/a{/:id}/b/{other}',
      '/a/{:id}/b/{other}',
      '/A/:id/b/:other',
      '/toString',
    ]) {
      expect(() => policyFor(path), path).to.throw(PolicyDeclarationError, 'policy open-api: paths has no ');
    }
  });

  it('needs no schemes if no requirement names one', () => {
    const paths = { '/x': { get: { security: [] } } };
    for (const components of [undefined, {}, { securitySchemes: {} }])
      expect(decideForAll(policyFromOpenApi(createDocument({ components, paths }))('/x'))).to.deep.equal(EVERYBODY);
  });

  it('recognizes a session only by its cookie, and a token only by its scheme', () => {
    const cookie = { type: 'apiKey', in: 'cookie', name: '__Host-grantlog' };
    const policyFor = (scheme: object): Policy =>
      policyFromOpenApi(
        createDocument({
          components: { securitySchemes: { one: scheme } },
          paths: { '/x': { get: { security: [{ one: [] }] } } },
        }),
      )('/x');
    for (const scheme of [cookie, { ...cookie, name: 'grantlog' }])
      expect(policyFor(scheme).requirements('GET')).to.deep.equal([{ credential: 'session' }]);
    for (const scheme of ['bearer', 'BEARER', 'dpop', 'DPoP'])
      expect(policyFor({ type: 'http', scheme }).requirements('GET')).to.deep.equal([
        { credential: 'token', scope: [] },
      ]);
    for (const scheme of [
      { ...cookie, in: 'header' },
      { ...cookie, in: 'query' },
      { ...cookie, type: 'http' },
      { ...cookie, name: 'grantlog2' },
      { type: 'http' },
      { type: 'http', scheme: 'digest' },
      { type: 'apiKey', scheme: 'bearer' },
    ])
      expect(() => policyFor(scheme), JSON.stringify(scheme)).to.throw(PolicyDeclarationError, 'unsupported scheme');
    expect(() => policyFor({})).to.throw(PolicyDeclarationError, 'unsupported scheme: it has no type');
  });

  it('ignores the members of a path that do not affect security', () => {
    const ignoredMembers = { summary: 's', description: 'd', servers: [], parameters: [], 'x-note': 1 };
    const policy = policyFromOpenApi(createDocument({ paths: { '/x': { ...ignoredMembers, get: { security: [] } } } }))(
      '/x',
    );
    expect(decideForAll(policy)).to.deep.equal(EVERYBODY);
    expect(decideForAll(policy, 'SUMMARY')).to.deep.equal(NOBODY);
  });

  it('applies the security of the operation, for each OpenAPI method', () => {
    for (const method of METHODS) {
      const item = { [method.toLowerCase()]: { security: [] } };
      const policy = policyFromOpenApi(createDocument({ paths: { '/x': item } }))('/x');
      for (const otherMethod of METHODS) {
        const isCovered = otherMethod === method || (method === 'GET' && otherMethod === 'HEAD');
        expect(decideForAll(policy, otherMethod), `${otherMethod} of ${method}`).to.deep.equal(
          isCovered ? EVERYBODY : NOBODY,
        );
      }
    }
  });

  it('is not affected by later changes to the document', () => {
    const security = [{ accessToken: ['a'] }];
    const policy = policyForGet(security);
    security.push({ accessToken: [] });
    security[0]?.accessToken.pop();
    expect(decideForAll(policy)).to.deep.equal({ ...NOBODY, a: true, ab: true });
  });

  it('is refused with the location in the document if anything is invalid or ambiguous', () => {
    const invalidDocuments: readonly (readonly [string, () => unknown])[] = [
      ['the document must be an object', () => policyFromOpenApi([])],
      ['openapi must be 3.0 or 3.1', () => policyFromOpenApi(createDocument({ openapi: '2.0' }))],
      ['openapi must be 3.0 or 3.1', () => policyFromOpenApi(createDocument({ openapi: '3.2.0' }))],
      ['openapi must be 3.0 or 3.1', () => policyFromOpenApi(createDocument({ openapi: '13.1.0' }))],
      ['openapi must be 3.0 or 3.1', () => policyFromOpenApi(createDocument({ openapi: ['3.1.0'] }))],
      ['components must be an object', () => policyFromOpenApi(createDocument({ components: [] }))],
      [
        'components.securitySchemes must be an object',
        () => policyFromOpenApi(createDocument({ components: { securitySchemes: [] } })),
      ],
      ['paths must be an object', () => policyFromOpenApi(createDocument({ paths: undefined }))],
      ['paths.x is not a path', () => policyFromOpenApi(createDocument({ paths: { x: {} } }))],
      [
        'paths./x/{b} is the same path as /x/{a}/',
        () => policyFromOpenApi(createDocument({ paths: { '/x/{a}/': {}, '/x/{b}': {} } })),
      ],
      [
        'paths./x is a $ref',
        () => policyFromOpenApi(createDocument({ paths: { '/x': { $ref: '#/components/pathItems/x' } } })),
      ],
      [
        'components.securitySchemes.accessToken is a $ref',
        () => policyFromOpenApi(createDocument({ components: { securitySchemes: { accessToken: { $ref: '#/x' } } } })),
      ],
      [
        'security[0].nobody is not in components.securitySchemes',
        () => policyFromOpenApi(createDocument({ security: [{ nobody: [] }] })),
      ],
      ['security must be a list', () => policyFromOpenApi(createDocument({ security: {} }))],
      [
        'paths./x.GET is not a supported operation',
        () => policyFromOpenApi(createDocument({ paths: { '/x': { GET: { security: [] } } } }))('/x'),
      ],
      ['paths./x.get has no security, and neither does the document', () => policyForGet(undefined)],
      ['paths./x.get.security must be a list', () => policyForGet(null)],
      ['paths./x.get.security[1] must be an object', () => policyForGet([{}, 'accessToken'])],
      ['paths./x.get.security[0].toString is not in', () => policyForGet([{ toString: [] }])],
      ['paths./x.get.security[0].basic is an unsupported scheme: http basic', () => policyForGet([{ basic: [] }])],
      [
        'paths./x.get.security[1].key is an unsupported scheme: apiKey header X-Key',
        () => policyForGet([{ accessToken: [] }, { key: [] }]),
      ],
      [
        'paths./x.get.security[0].otherCookie is an unsupported scheme: apiKey cookie sid',
        () => policyForGet([{ otherCookie: [] }]),
      ],
      [
        'paths./x.get.security[0].certificate is an unsupported scheme: mutualTLS',
        () => policyForGet([{ accessToken: [], certificate: [] }]),
      ],
      [
        'paths./x.get.security[0].accessToken must be a list of scope names',
        () => policyForGet([{ accessToken: 'a' }]),
      ],
      [
        'paths./x.get.security[0].accessToken has a malformed scope name',
        () => policyForGet([{ accessToken: ['a b'] }]),
      ],
      ['paths./x.get.security[0].bearer must be an empty list', () => policyForGet([{ bearer: ['a'] }])],
      ['paths./x.get.security[0].webSession must be an empty list', () => policyForGet([{ webSession: ['a'] }])],
      [
        'paths./x.get.security[0] requires a token and a session',
        () => policyForGet([{ accessToken: [], webSession: [] }]),
      ],
    ];
    for (const [message, declare] of invalidDocuments)
      expect(declare, message)
        .to.throw(PolicyDeclarationError, `policy open-api: ${message}`)
        .with.property('policy', 'open-api');
  });
});
