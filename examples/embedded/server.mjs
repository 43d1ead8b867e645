// A program with Grantlog and another API in one Koa application.
import { Router } from '@koa/router';
import { createGrantlog, createHttpServer, policies, requirePolicy } from 'grantlog';

const { DATA_DIR: dataDir = './data', PORT = '8000' } = process.env;
const { ISSUER: issuer = `http://localhost:${PORT}` } = process.env;

// LevelDB creates its files with the umask of the process.
process.umask(0o077);
const app = await createGrantlog({ dataDir, ...(PORT !== '0' && { issuer }) });

/** @typedef {{ readonly id: number, readonly title: string, readonly owner: string }} Task */
/** @type {Map<number, Task>} */
const tasks = new Map();
let lastId = 0;

/** @param {import('grantlog').Principal} principal */
function ownerOf(principal) {
  if (principal.kind === 'anonymous') throw new Error('the policies do not admit anonymous callers');
  return principal.kind === 'bearer' && principal.userId === null
    ? `client ${principal.clientId}`
    : `user ${principal.userId}`;
}

const canRead = policies.allScopes(['read']);
const canWrite = policies.allScopes(['write']);
const isOwner = policies.objectCheck((principal, object) => {
  const { owner } = /** @type {Task} */ (object);
  return owner === ownerOf(principal);
});

// Grantlog has already identified the caller (ctx.state.principal) and parsed forms (ctx.request.body).
/** @type {Router<import('grantlog').RequestState>} */
const router = new Router();
router.get('/tasks', requirePolicy(canRead), (ctx) => {
  ctx.body = [...tasks.values()];
});
router.post('/tasks', requirePolicy(canWrite), (ctx) => {
  const { title } = /** @type {{ body?: { title?: unknown } }} */ (ctx.request).body ?? {};
  if (typeof title !== 'string' || title === '') {
    ctx.status = 400;
    ctx.body = { detail: 'The form needs a title.' };
    return;
  }
  lastId += 1;
  const task = { id: lastId, title, owner: ownerOf(ctx.state.principal) };
  tasks.set(task.id, task);
  ctx.status = 201;
  ctx.body = task;
});
const mayDelete = requirePolicy(policies.allOf(canWrite, isOwner), {
  loadObject: (ctx) => tasks.get(Number(ctx.params.id)),
});
router.delete('/tasks/:id', mayDelete, (ctx) => {
  tasks.delete(Number(ctx.params.id));
  ctx.status = 204;
});
app.use(router.routes());

const server = createHttpServer(app.callback());
await app.start({ server });
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  console.log(`serving tasks on http://127.0.0.1:${port}`);
});

// Completes the requests in flight and closes the log. Then nothing keeps the process alive.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void app.close());
// The log is no longer writable: exit, so that the process manager starts the program again.
void app.failed.then(async () => {
  await app.close();
  process.exit(1);
});
