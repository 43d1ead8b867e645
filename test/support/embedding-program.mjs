// A program that embeds Grantlog in its own server, as users of the package do.
import { once } from 'node:events';
import { createGrantlog, createHttpServer } from 'grantlog';

const { DATA_DIR: dataDir, PROGRAM: program = 'server' } = process.env;
const ISSUER = 'http://localhost:8000';
const app = await createGrantlog({ dataDir, issuer: ISSUER });

if (program === 'forgets to close') {
  await app.start();
  console.log('started');
}

if (program === 'server') {
  app.use(async (ctx) => {
    if (ctx.path !== '/slow') return;
    console.log('a slow request began');
    await once(process, 'SIGUSR2');
    ctx.body = 'done';
  });
  const server = createHttpServer(app.callback());
  await app.start({ server });
  server.listen(0, '127.0.0.1', () => console.log(`serving ${ISSUER} on http://127.0.0.1:${server.address().port}`));
  process.once('SIGTERM', () => {
    void app.close();
    console.log('stopping');
  });
}
