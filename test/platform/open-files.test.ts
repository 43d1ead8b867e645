import { expect } from 'chai';
import { createServer } from 'node:net';
import { checkOpenFiles } from '../../src/cli/doctor-checks.ts';
import { createHttpServer } from '../../src/cli/http-server.ts';
import { maxConnectionsFor, openFileLimit, surviveFailedAccepts } from '../../src/platform/open-files.ts';

const createError = (code: string): Error => Object.assign(new Error(`accept ${code}`), { code, syscall: 'accept' });

describe('the limit on open files', () => {
  it('reserves a hundred files for everything except connections', () => {
    expect(maxConnectionsFor(256)).to.equal(156);
    expect(maxConnectionsFor(10_100)).to.equal(10_000);
    expect(maxConnectionsFor(10_099)).to.equal(9_999);
    expect(maxConnectionsFor(1_048_576)).to.equal(10_000);
    expect(maxConnectionsFor(Infinity)).to.equal(10_000);
    expect(maxConnectionsFor(50)).to.equal(1);
  });

  it('determines the connection limit of a server that is created without one', () => {
    expect(createHttpServer().maxConnections).to.equal(maxConnectionsFor(openFileLimit()));
    expect(createHttpServer(undefined, { maxConnections: 7 }).maxConnections).to.equal(7);
  });

  it('is reported by doctor if it allows fewer connections than the server can accept', () => {
    expect(checkOpenFiles(10_100)).to.include({ ok: true });
    const { ok, says, todo } = checkOpenFiles(1024);
    expect(ok).to.equal(false);
    expect(says).to.equal('the limit is 1024, so the server accepts only 924 concurrent connections');
    expect(todo).to.match(/raise the limit to 10100: LimitNOFILE/);
  });
});

describe('a connection that cannot be accepted', () => {
  it('is reported once for any number of failures, and does not stop the server', () => {
    const [server, lines] = [createServer(), [] as string[]];
    surviveFailedAccepts(server, { error: (_fields, message) => lines.push(message) });
    for (const code of ['EMFILE', 'ENFILE', 'EMFILE', 'ENOBUFS', 'ENOMEM']) server.emit('error', createError(code));
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/raise the limit on open files/);
  });

  it('is the only ignored error, while other errors are thrown unless another listener handles them', () => {
    const server = createServer();
    surviveFailedAccepts(server, { error: () => {} });
    expect(() => server.emit('error', createError('EADDRINUSE'))).to.throw('EADDRINUSE');
    let reportCount = 0;
    server.on('error', () => (reportCount += 1));
    server.emit('error', createError('EADDRINUSE'));
    expect(reportCount).to.equal(1);
  });
});
