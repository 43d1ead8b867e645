// node-oidc-provider with a Map-based adapter. Its own development adapter evicts entries beyond a thousand.
import { randomBytes } from 'node:crypto';
import Provider from 'oidc-provider';
import { CLIENT_ID, CLIENT_SECRET, CODE_SECONDS, REDIRECT_URI, SCOPE, serve, TOKEN_SECONDS, USER_ID } from './peer.mjs';

const entries = new Map();
/** The keys of the entries of each grant. */
const keysByGrant = new Map();
let tokens = 0;

class MapAdapter {
  constructor(model) {
    this.model = model;
  }

  async upsert(id, payload) {
    if (this.model === 'AccessToken' || this.model === 'ClientCredentials') tokens += 1;
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

const provider = new Provider('http://localhost', {
  adapter: MapAdapter,
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [REDIRECT_URI],
      response_types: ['code'],
      grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: SCOPE,
    },
  ],
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    devInteractions: { enabled: false },
  },
  findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  issueRefreshToken: async () => true,
  pkce: { required: () => false },
  rotateRefreshToken: true,
  routes: { token: '/o/token/', introspection: '/o/introspect/' },
  scopes: SCOPE.split(' '),
  ttl: {
    AccessToken: TOKEN_SECONDS,
    ClientCredentials: TOKEN_SECONDS,
    AuthorizationCode: CODE_SECONDS,
    RefreshToken: TOKEN_SECONDS,
    Grant: TOKEN_SECONDS,
  },
});

serve(provider.callback(), {
  tokens: () => tokens,
  async issueCode() {
    const grant = new provider.Grant({ accountId: USER_ID, clientId: CLIENT_ID });
    grant.addOIDCScope(SCOPE);
    const grantId = await grant.save();
    const client = await provider.Client.find(CLIENT_ID);
    return new provider.AuthorizationCode({
      accountId: USER_ID,
      client,
      grantId,
      gty: 'authorization_code',
      redirectUri: REDIRECT_URI,
      scope: SCOPE,
    }).save();
  },
});
