// The baseline: Koa, a router and a form parser that respond to token requests with a constant.
import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';

const app = new Koa();
const router = new Router();
router.post('/o/token/', (ctx) => {
  const { grant_type: grantType } = ctx.request.body;
  if (grantType !== 'client_credentials') ctx.throw(400);
  ctx.body = {
    access_token: 'gla_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG012345',
    expires_in: 36_000,
    token_type: 'Bearer',
    scope: 'read write',
  };
});
app.use(bodyParser());
app.use(router.routes());

const server = app.listen(0, '127.0.0.1', () =>
  process.stdout.write(`serving on http://127.0.0.1:${server.address().port}\n`),
);
