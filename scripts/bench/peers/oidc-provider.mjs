// node-oidc-provider with a Map-based adapter, because its development adapter keeps only a thousand entries.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import Provider from 'oidc-provider';
import { CLIENT_ID, CLIENT_SECRET, CODE_SECONDS, REDIRECT_URI, SCOPE, serve, TOKEN_SECONDS, USER_ID } from './peer.mjs';

const entries = new Map();
/** The keys of the entries of each grant. */
const keysByGrant = new Map();
let tokenCount = 0;

class MapAdapter {
  constructor(model) {
    this.model = model;
  }

  async upsert(id, payload) {
    if (this.model === 'AccessToken' || this.model === 'ClientCredentials') tokenCount += 1;
    const key = `${this.model}:${id}`;
    entries.set(key, payload);
    if (payload.grantId === undefined) return;
    const keys = keysByGrant.get(payload.grantId);
    if (keys === undefined) keysByGrant.set(payload.grantId, [key]);
    else keys.push(key);
  }

  async find(id) {
    return entries.get(`${this.model}:${id}`);
  }

  async findByUid() {
    return undefined;
  }

  async consume(id) {
    entries.get(`${this.model}:${id}`).consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id) {
    entries.delete(`${this.model}:${id}`);
  }

  async revokeByGrantId(grantId) {
    for (const key of keysByGrant.get(grantId) ?? []) entries.delete(key);
    keysByGrant.delete(grantId);
  }
}

/** The algorithms of ID tokens. Each has its own client. */
const OPENID_ALGORITHMS = ['RS256', 'EdDSA'];
const openIdClientId = (algorithm) => `${CLIENT_ID}-${algorithm}`;

const CLIENT = {
  client_secret: CLIENT_SECRET,
  redirect_uris: [REDIRECT_URI],
  response_types: ['code'],
  grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
  token_endpoint_auth_method: 'client_secret_basic',
};

const privateKey = (...options) => generateKeyPairSync(...options).privateKey.export({ format: 'jwk' });

const provider = new Provider('http://localhost', {
  adapter: MapAdapter,
  clients: [
    { ...CLIENT, client_id: CLIENT_ID, scope: SCOPE },
    ...OPENID_ALGORITHMS.map((algorithm) => ({
      ...CLIENT,
      client_id: openIdClientId(algorithm),
      scope: `openid ${SCOPE}`,
      id_token_signed_response_alg: algorithm,
    })),
    {
      client_id: `${CLIENT_ID}-key`,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      scope: SCOPE,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: JSON.parse(process.env.BENCH_CLIENT_KEYS),
    },
  ],
  clientAuthMethods: ['client_secret_basic', 'private_key_jwt'],
  enabledJWA: { idTokenSigningAlgValues: OPENID_ALGORITHMS, clientAuthSigningAlgValues: ['ES256'] },
  jwks: {
    keys: [
      { ...privateKey('rsa', { modulusLength: 2048 }), alg: 'RS256', use: 'sig' },
      { ...privateKey('ed25519'), alg: 'EdDSA', use: 'sig' },
    ],
  },
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    devInteractions: { enabled: false },
    dPoP: { enabled: true },
  },
  findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  issueRefreshToken: async () => true,
  pkce: { required: () => false },
  rotateRefreshToken: true,
  routes: { token: '/o/token/', introspection: '/o/introspect/', userinfo: '/o/userinfo/' },
  scopes: ['openid', ...SCOPE.split(' ')],
  ttl: {
    AccessToken: TOKEN_SECONDS,
    ClientCredentials: TOKEN_SECONDS,
    AuthorizationCode: CODE_SECONDS,
    RefreshToken: TOKEN_SECONDS,
    Grant: TOKEN_SECONDS,
  },
});

serve(provider.callback(), {
  tokens: () => tokenCount,
  async issueCode(algorithm) {
    const clientId = algorithm === undefined ? CLIENT_ID : openIdClientId(algorithm);
    const scope = algorithm === undefined ? SCOPE : `openid ${SCOPE}`;
    const grant = new provider.Grant({ accountId: USER_ID, clientId });
    grant.addOIDCScope(scope);
    const grantId = await grant.save();
    const client = await provider.Client.find(clientId);
    return new provider.AuthorizationCode({
      accountId: USER_ID,
      client,
      grantId,
      gty: 'authorization_code',
      redirectUri: REDIRECT_URI,
      scope,
    }).save();
  },
});
