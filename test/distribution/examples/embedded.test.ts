import { expect } from 'chai';
import { clientToken, openExample, type Example } from '../../support/example.ts';
import type { ServerProcess } from '../../support/server-process.ts';

describe('The example of a program that embeds Grantlog', function () {
  this.timeout(300_000);

  let example: Example;
  let program: ServerProcess;

  before(async () => {
    example = openExample('embedded');
    const [buildCommand, startCommand] = example.commands;
    expect(buildCommand, 'npm test has already run this command').to.equal('npm run -s build');
    program = await example.start(startCommand);
  });
  after(() => example.close());

  const call = (path: string, method: string, token?: string): Promise<Response> =>
    fetch(program.origin + path, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(method === 'POST' && { body: new URLSearchParams({ title: 'Buy milk' }) }),
    });

  it('issues tokens, and requires them for its API', async () => {
    await program.waitForOutput(/create one at \S+\/accounts\/setup\//);
    const [client, otherClient] = [await example.addClient(), await example.addClient()];
    const ownerToken = await clientToken(program.origin, client, 'read write');
    const otherToken = await clientToken(program.origin, otherClient, 'read write');
    const readToken = await clientToken(program.origin, client, 'read');
    expect((await call('/tasks', 'GET')).status).to.equal(401);
    expect((await call('/tasks', 'POST', readToken)).status).to.equal(403);
    const creationResponse = await call('/tasks', 'POST', ownerToken);
    expect(creationResponse.status).to.equal(201);
    expect(await creationResponse.json()).to.deep.equal({ id: 1, title: 'Buy milk', owner: `client ${client.id}` });
    expect(await (await call('/tasks', 'GET', otherToken)).json()).to.have.length(1);
    expect((await call('/tasks/1', 'DELETE', otherToken)).status).to.equal(403);
    expect((await call('/tasks/1', 'DELETE', readToken)).status).to.equal(403);
    expect((await call('/tasks/2', 'DELETE', ownerToken)).status).to.equal(404);
    expect((await call('/tasks/1', 'DELETE', ownerToken)).status).to.equal(204);
    expect(await (await call('/tasks', 'GET', otherToken)).json()).to.deep.equal([]);
  });

  it('closes its log on SIGTERM', async () => {
    program.kill('SIGTERM');
    expect(await program.exitStatus, program.output()).to.equal(0);
    expect(await example.run('npm run -s grantlog -- log verify')).to.match(/of \d+ records/);
  });
});
