// @node-oauth/oauth2-server on Koa, with a Map-based model.
import Router from '@koa/router';
import OAuth2Server from '@node-oauth/oauth2-server';
import { randomBytes } from 'node:crypto';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import {
  CLIENT_ID,
  CODE_SECONDS,
  isClientSecret,
  REDIRECT_URI,
  SCOPE,
  secondsFromNow,
  serve,
  TOKEN_SECONDS,
  USER_ID,
} from './peer.mjs';

const client = {
  id: CLIENT_ID,
  grants: ['authorization_code', 'client_credentials', 'refresh_token'],
  redirectUris: [REDIRECT_URI],
};
const user = { id: USER_ID };
const accessTokens = new Map();
const refreshTokens = new Map();
const codes = new Map();

const model = {
  getClient: async (id, secret) => (id === CLIENT_ID && isClientSecret(secret) ? client : null),
  getUserFromClient: async () => user,
  validateScope: async (_user, _client, scope = SCOPE.split(' ')) => scope,
  verifyScope: async (token, scope) => scope.every((name) => token.scope.includes(name)),
  async saveToken(token, forClient, forUser) {
    const entry = { ...token, client: forClient, user: forUser };
    accessTokens.set(entry.accessToken, entry);
    if (entry.refreshToken !== undefined) refreshTokens.set(entry.refreshToken, entry);
    return entry;
  },
  getAccessToken: async (token) => accessTokens.get(token),
  getRefreshToken: async (token) => refreshTokens.get(token),
  revokeToken: async (token) => refreshTokens.delete(token.refreshToken),
  getAuthorizationCode: async (code) => codes.get(code),
  revokeAuthorizationCode: async ({ authorizationCode }) => codes.delete(authorizationCode),
};

const server = new OAuth2Server({ model, accessTokenLifetime: TOKEN_SECONDS, requireClientAuthentication: {} });
const app = new Koa();
const router = new Router();
router.post('/o/token/', async (ctx) => {
  const response = new OAuth2Server.Response(ctx.response);
  await server.token(new OAuth2Server.Request(ctx.request), response);
  ctx.set(response.headers);
  ctx.status = response.status;
  ctx.body = response.body;
});
router.get('/users/1/', async (ctx) => {
  const token = await server.authenticate(
    new OAuth2Server.Request(ctx.request),
    new OAuth2Server.Response(ctx.response),
    { scope: ['read'] },
  );
  ctx.body = { username: token.user.id };
});
app.use(bodyParser());
app.use(router.routes());

serve(app.callback(), {
  tokens: () => accessTokens.size,
  async issueCode() {
    const authorizationCode = randomBytes(32).toString('base64url');
    codes.set(authorizationCode, {
      authorizationCode,
      expiresAt: secondsFromNow(CODE_SECONDS),
      redirectUri: REDIRECT_URI,
      scope: SCOPE.split(' '),
      client,
      user,
    });
    return authorizationCode;
  },
});
