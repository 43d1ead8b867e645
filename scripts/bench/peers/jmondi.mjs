// @jmondi/oauth2-server on Koa, with Map-based repositories. The signing secret is a KeyObject, because with a string,
// as in the first example of the documentation, every token would take five times as long.
import Router from '@koa/router';
import {
  AuthorizationRequest,
  AuthorizationServer,
  DateInterval,
  JwtService,
  OAuthRequest,
} from '@jmondi/oauth2-server';
import { createSecretKey, randomBytes } from 'node:crypto';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  CODE_SECONDS,
  isClientSecret,
  REDIRECT_URI,
  SCOPE,
  secondsFromNow,
  serve,
  TOKEN_SECONDS,
  USER_ID,
} from './peer.mjs';

const scopes = SCOPE.split(' ').map((name) => ({ name }));
const client = {
  id: CLIENT_ID,
  name: 'Bench',
  secret: CLIENT_SECRET,
  redirectUris: [REDIRECT_URI],
  allowedGrants: ['authorization_code', 'client_credentials', 'refresh_token'],
  scopes,
};
const user = { id: USER_ID };
const accessTokens = new Map();
const refreshTokens = new Map();
const codes = new Map();
const revokedCodes = new Set();
const mint = () => randomBytes(32).toString('base64url');

const clientRepository = {
  getByIdentifier: async (id) => (id === CLIENT_ID ? client : undefined),
  isClientValid: async (grantType, { allowedGrants }, secret) =>
    isClientSecret(secret) && allowedGrants.includes(grantType),
};
const tokenRepository = {
  issueToken: async (forClient, forScopes, forUser) => ({
    accessToken: mint(),
    accessTokenExpiresAt: secondsFromNow(TOKEN_SECONDS),
    client: forClient,
    user: forUser,
    scopes: forScopes,
  }),
  async issueRefreshToken(token) {
    Object.assign(token, { refreshToken: mint(), refreshTokenExpiresAt: secondsFromNow(TOKEN_SECONDS) });
    refreshTokens.set(token.refreshToken, token);
    return token;
  },
  persist: async (token) => void accessTokens.set(token.accessToken, token),
  async revoke(token) {
    refreshTokens.delete(token.refreshToken);
    token.accessTokenExpiresAt = new Date(0);
  },
  isRefreshTokenRevoked: async (token) => !refreshTokens.has(token?.refreshToken),
  getByRefreshToken: async (token) => refreshTokens.get(token),
  getByAccessToken: async (token) => accessTokens.get(token),
};
const authCodeRepository = {
  getByIdentifier: async (code) => codes.get(code),
  issueAuthCode: async (forClient, forUser, forScopes) => ({
    code: mint(),
    expiresAt: secondsFromNow(CODE_SECONDS),
    client: forClient,
    user: forUser,
    scopes: forScopes,
  }),
  persist: async (code) => void codes.set(code.code, code),
  isRevoked: async (code) => revokedCodes.has(code),
  revoke: async (code) => void revokedCodes.add(code),
};
const scopeRepository = {
  getAllByIdentifiers: async (names) => scopes.filter(({ name }) => names.includes(name)),
  finalize: async (requested) => (requested.length === 0 ? scopes : requested),
};
const userRepository = { getUserByCredentials: async (id) => (id === USER_ID ? user : undefined) };

const server = new AuthorizationServer(
  clientRepository,
  tokenRepository,
  scopeRepository,
  new JwtService(createSecretKey(randomBytes(32))),
  { requiresPKCE: false },
);
const lifetime = new DateInterval(`${TOKEN_SECONDS}s`);
server.enableGrantTypes(
  ['client_credentials', lifetime],
  ['refresh_token', lifetime],
  [{ grant: 'authorization_code', authCodeRepository, userRepository }, lifetime],
);

const app = new Koa();
const router = new Router();
const requestOf = ({ request }) =>
  new OAuthRequest({ headers: request.headers, body: request.body, query: request.query });
const respond = (ctx, response) => {
  ctx.set(response.headers);
  ctx.status = response.status;
  ctx.body = response.body;
};
router.post('/o/token/', async (ctx) => respond(ctx, await server.respondToAccessTokenRequest(requestOf(ctx))));
router.post('/o/introspect/', async (ctx) => respond(ctx, await server.introspect(requestOf(ctx))));
app.use(bodyParser());
app.use(router.routes());

serve(app.callback(), {
  tokens: () => accessTokens.size,
  async issueCode() {
    const request = new AuthorizationRequest('authorization_code', client, REDIRECT_URI, user);
    request.isAuthorizationApproved = true;
    request.scopes = scopes;
    const { headers } = await server.completeAuthorizationRequest(request);
    return new URL(headers.location).searchParams.get('code');
  },
});
