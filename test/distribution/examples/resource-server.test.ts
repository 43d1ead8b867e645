import { expect } from 'chai';
import { clientToken, openExample, type Example } from '../../support/example.ts';
import type { ServerProcess } from '../../support/server-process.ts';

const SERVE_GRANTLOG = `${process.execPath} dist/main.js serve`;

describe('The example of a resource server', function () {
  this.timeout(300_000);

  let example: Example;
  let grantlog: ServerProcess;
  let api: ServerProcess;
  let issuer: string;

  before(async () => {
    example = openExample('resource-server', 'notes-api.json');
    grantlog = await example.start(SERVE_GRANTLOG);
    issuer = `http://localhost:${new URL(grantlog.origin).port}`;
    const [register, serve] = example.commands;
    await example.run(register);
    api = await example.start(serve, { env: { ISSUER: issuer } });
  });
  after(() => example.close());

  const call = (token?: string, body?: string): Promise<Response> =>
    fetch(`${api.origin}/notes`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body }),
    });

  it('stores notes for each client, and checks token scopes', async () => {
    const [client, otherClient] = [await example.addClient(), await example.addClient()];
    const fullToken = await clientToken(issuer, client, 'read write');
    const readToken = await clientToken(issuer, client, 'read');
    expect([(await call()).status, (await call('unknown')).status]).to.deep.equal([401, 401]);
    expect((await call(fullToken, 'Buy milk')).status).to.equal(201);
    expect((await call(readToken, 'Buy bread')).status).to.equal(403);
    expect((await call(fullToken, 'x'.repeat(1001))).status).to.equal(413);
    expect(await (await call(readToken)).json()).to.deep.equal(['Buy milk']);
    expect(await (await call(await clientToken(issuer, otherClient, 'read'))).json()).to.deep.equal([]);
  });

  it('responds with 503 while the authorization server is unavailable, and exits on SIGTERM', async () => {
    const token = await clientToken(issuer, await example.addClient(), 'read');
    grantlog.kill('SIGTERM');
    expect(await grantlog.exitStatus).to.equal(0);
    expect((await call(token)).status).to.equal(503);
    expect(api.output()).to.include('IntrospectionUnavailable').and.not.to.include(token);
    api.kill('SIGTERM');
    expect(await api.exitStatus).to.equal(0);
  });
});
