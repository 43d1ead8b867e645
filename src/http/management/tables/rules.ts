import { normalizeDomain } from '../../../oauth/clients/domain-list.ts';
import { CLIENT_DOMAINS_STREAM, observedExchangePolicy, observedTrustedIssuer } from '../../../domain/streams.ts';
import { STRING } from '../../openapi/shared-responses.ts';
import { forbidCallingClient, forbidPrivilegedIssuer } from '../privilege-checks.ts';
import type { ManagementRow } from '../row.ts';
import { fields, INTEGER, namedObject, STRING_OR_NULL, STRINGS, STRINGS_OR_NULL, TIME } from '../schemas.ts';

const DOMAIN = namedObject('ManagedDomain', { domain: STRING, rule: STRING, since: TIME });
const POLICY = namedObject(
  'ManagedExchangePolicy',
  {
    ...fields(['client_id', 'subject_client_id', 'warning'], STRING),
    ...fields(['client_name', 'subject_client_name'], STRING_OR_NULL),
    modes: STRINGS,
    ...fields(['scope', 'resources'], STRINGS_OR_NULL),
    changed_at: TIME,
  },
  ['warning'],
);
const ISSUER = namedObject('ManagedTrustedIssuer', {
  ...fields(['issuer', 'mapping'], STRING),
  ...fields(['uses', 'keys', 'thumbprints', 'required_claims', 'clients', 'scope'], STRINGS),
  ...fields(['jwks_uri', 'name_claim'], STRING_OR_NULL),
  ...fields(['audience', 'users', 'resources'], STRINGS_OR_NULL),
  ...fields(['max_token_lifetime_seconds', 'max_assertion_age_seconds'], INTEGER),
  changed_at: TIME,
});
const ISSUER_KEY = namedObject('ManagedIssuerKey', {
  ...fields(['thumbprint', 'kty'], STRING),
  ...fields(['kid', 'alg'], STRING_OR_NULL),
});

const BY_PAIR = {
  path: '/exchange-policies/{id}/{client}',
  fromPath: { id: 'clientId', client: 'subjectClientId' },
  revision: ({ clientId, subjectClientId }, { projections }) => {
    const policy = projections.exchangePolicies.find(String(clientId), String(subjectClientId));
    return policy && observedExchangePolicy(policy);
  },
} as const satisfies Partial<ManagementRow>;

const BY_ISSUER = {
  path: '/trusted-issuers/{uri}',
  fromPath: { uri: 'issuer' },
  revision: ({ issuer }, { projections }) => {
    const trustedIssuer = projections.trustedIssuers.find(String(issuer));
    return trustedIssuer && observedTrustedIssuer(trustedIssuer);
  },
} as const satisfies Partial<ManagementRow>;

const BY_DOMAIN = {
  path: '/domains/{domain}',
  fromPath: { domain: 'domain' },
  version: ({ domain }, { projections: { clientDomains } }) => {
    const entry = clientDomains.find(normalizeDomain(String(domain), null) ?? '');
    const revision = clientDomains.revision();
    return entry && revision && { tag: String(entry.position), basedOn: { stream: CLIENT_DOMAINS_STREAM, revision } };
  },
} as const satisfies Partial<ManagementRow>;

/** Operations on the rules that decide which metadata documents, exchanges and issuers are accepted. */
export const RULE_ROWS: readonly ManagementRow[] = [
  {
    operation: 'domain list',
    method: 'GET',
    path: '/domains',
    id: 'listDomains',
    summary: 'List the domains whose metadata documents are accepted or refused',
    response: { kind: 'list', item: DOMAIN, key: ['domain'] },
  },
  {
    ...BY_DOMAIN,
    operation: 'domain show',
    method: 'GET',
    id: 'showDomain',
    summary: 'Read the rule for a domain',
    response: { kind: 'one', schema: DOMAIN },
  },
  {
    ...BY_DOMAIN,
    operation: 'domain set',
    method: 'PUT',
    id: 'setDomain',
    summary: 'Set or remove the rule for a domain',
    body: {},
    response: {
      kind: 'one',
      schema: namedObject('ManagedDomainRule', { domain: STRING, rule: STRING_OR_NULL, was: STRING_OR_NULL }),
    },
    example: { rule: 'blocked' },
  },
  {
    operation: 'exchange-policy list',
    method: 'GET',
    path: '/exchange-policies',
    id: 'listExchangePolicies',
    summary: 'List the exchange policies',
    response: { kind: 'list', item: POLICY, key: ['client_id', 'subject_client_id'] },
  },
  {
    ...BY_PAIR,
    operation: 'exchange-policy show',
    method: 'GET',
    id: 'showExchangePolicy',
    summary: "Read the policy that lets a client exchange another client's tokens",
    response: { kind: 'one', schema: POLICY },
  },
  {
    ...BY_PAIR,
    operation: 'exchange-policy set',
    method: 'PUT',
    id: 'setExchangePolicy',
    summary: "Let a client exchange another client's tokens, or replace the existing policy",
    description: 'The calling client cannot set its own policies.',
    body: { defaults: { scope: null, resources: null } },
    response: { kind: 'one', schema: POLICY },
    privilegeChecks: [forbidCallingClient],
    example: { modes: ['delegation'], scope: ['read'] },
  },
  {
    ...BY_PAIR,
    operation: 'exchange-policy remove',
    method: 'DELETE',
    id: 'removeExchangePolicy',
    summary: 'Remove an exchange policy. Tokens that were issued under it stay valid',
    response: { kind: 'none' },
  },
  {
    operation: 'trusted-issuer list',
    method: 'GET',
    path: '/trusted-issuers',
    id: 'listTrustedIssuers',
    summary: 'List the issuers whose assertions and tokens are accepted',
    response: { kind: 'list', item: ISSUER, key: ['issuer'] },
  },
  {
    ...BY_ISSUER,
    operation: 'trusted-issuer show',
    method: 'GET',
    id: 'showTrustedIssuer',
    summary: 'Read a trusted issuer',
    response: { kind: 'one', schema: ISSUER },
  },
  {
    ...BY_ISSUER,
    operation: 'trusted-issuer set',
    method: 'PUT',
    id: 'setTrustedIssuer',
    summary: 'Trust an issuer, or replace its registration',
    description:
      'The mapping must be `client`, and no client may have a restricted scope: otherwise, the issuer could act as ' +
      'users, or as such a client. Only administrators on the pages and the operator with ' +
      '`grantlog trusted-issuer set` can trust other issuers.',
    body: {
      defaults: {
        jwks: null,
        keysUri: null,
        audience: [],
        claims: [],
        mapping: 'table',
        nameClaim: '',
        users: [],
        clients: [],
        scope: [],
        resources: null,
        maxTokenLifetimeSeconds: 3_600,
        maxAssertionAgeSeconds: 300,
      },
      json: { jwks: { type: ['object', 'null'], description: 'A JWK set with public keys.' } },
    },
    response: { kind: 'one', schema: ISSUER },
    privilegeChecks: [forbidPrivilegedIssuer],
    example: {
      uses: ['assertion'],
      mapping: 'client',
      keys_uri: 'https://issuer.example.org/keys',
      clients: ['reports'],
      scope: ['read'],
    },
  },
  {
    operation: 'trusted-issuer keys',
    method: 'GET',
    path: `${BY_ISSUER.path}/keys`,
    id: 'listIssuerKeys',
    summary: "List a trusted issuer's public keys",
    description: 'If the issuer publishes its keys, the server fetches them.',
    fromPath: BY_ISSUER.fromPath,
    response: { kind: 'list', item: ISSUER_KEY, key: ['thumbprint'] },
    isSlow: true,
  },
  {
    ...BY_ISSUER,
    operation: 'trusted-issuer remove',
    method: 'DELETE',
    id: 'removeTrustedIssuer',
    summary: 'Stop trusting an issuer. The grants that came from it end',
    response: { kind: 'none' },
  },
];
