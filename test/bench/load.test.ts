import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { formPost } from '../../scripts/bench/contenders/http-text.ts';
import { parseCpuList } from '../../scripts/bench/cores.ts';
import { readReceipts } from '../../scripts/bench/grantlog/receipts.ts';
import { runInterval } from '../../scripts/bench/load/interval.ts';
import type { LoadJob, LoadReport, LoadRequest } from '../../scripts/bench/load/protocol.ts';
import { hashCredential } from '../../src/oauth/credentials/credentials.ts';

const PLAIN_REQUEST: LoadRequest = {
  prefix: formPost('/', 'Basic eDp5', 'a=1'),
  suffix: '',
  values: { use: 'none' },
  expects: 'access_token',
  returnsToken: true,
};

/** Unique six-digit values. */
const VALUES = Array.from({ length: 40 }, (_, index) => String(100_000 + index));
const EACH_VALUE_REQUEST: LoadRequest = {
  prefix: formPost('/', 'Basic eDp5', 'code=', 11),
  suffix: '',
  values: { use: 'each', list: VALUES },
  expects: '',
  returnsToken: false,
};

async function runLoad(listener: RequestListener, job: Partial<LoadJob>): Promise<LoadReport> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await runInterval({
      port: (server.address() as AddressInfo).port,
      connections: 4,
      seconds: 0.05,
      request: PLAIN_REQUEST,
      ...job,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function tokenServer(): RequestListener {
  let tokenCount = 0;
  return (_request, response) => void response.end(JSON.stringify({ access_token: `token-${(tokenCount += 1)}` }));
}

async function runForError(listener: RequestListener, job: Partial<LoadJob> = {}): Promise<string> {
  return runLoad(listener, job).then(
    () => 'nothing',
    (error: unknown) => String(error),
  );
}

describe('the load generator', () => {
  it('counts every response, and stores a receipt for each token: the hash that the log also contains', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-bench-'));
    const receipts = join(directory, 'receipts');
    const { responses, tokens } = await runLoad(tokenServer(), { receipts });
    expect(responses).to.be.above(0);
    expect(tokens).to.equal(responses);
    const expected = Array.from({ length: responses }, (_, index) => hashCredential(`token-${index + 1}`));
    expect(readReceipts(receipts)).to.have.members(expected);
    expect(readFileSync(receipts).length).to.equal(32 * responses);
    rmSync(directory, { recursive: true });
  });

  it('sends each value once, and stops after the last one', async () => {
    const bodies: string[] = [];
    const { responses } = await runLoad(
      (request, response) => {
        void request
          .setEncoding('utf8')
          .on('data', (text: string) => bodies.push(text))
          .on('end', () => response.end('{}'));
      },
      { request: EACH_VALUE_REQUEST, seconds: 60 },
    );
    expect(responses).to.equal(VALUES.length);
    expect(bodies).to.have.members(VALUES.map((value) => `code=${value}`));
  });

  it('sends the token from the last response, in a separate chain for each connection', async () => {
    const chain: LoadRequest = {
      ...EACH_VALUE_REQUEST,
      values: { use: 'chain', list: ['100000', '200000', '300000', '400000'] },
    };
    const { responses, chains } = await runLoad(
      (request, response) => {
        void request
          .setEncoding('utf8')
          .on('data', (text: string) => response.end(`{"refresh_token":"${Number(text.slice(5)) + 1}"}`));
      },
      { request: chain },
    );
    expect(chains.map((value) => Math.floor(Number(value) / 100_000))).to.deep.equal([1, 2, 3, 4]);
    expect(chains.reduce((sum, value) => sum + (Number(value) % 100_000), 0)).to.equal(responses);
  });

  it('reads a token from JSON with any whitespace', async () => {
    let tokenCount = 0;
    const { responses, tokens } = await runLoad(
      (_request, response) => void response.end(`{"access_token": "token-${(tokenCount += 1)}", "scope": "read"}`),
      {},
    );
    expect([responses > 0, tokens]).to.deep.equal([true, responses]);
    expect(
      await runForError((_request, response) => void response.end('{"access_token": null, "scope": "read"}')),
    ).to.include('no "access_token"');
  });

  it('limits its rate on request', async () => {
    const { responses, rate } = await runLoad(tokenServer(), { rate: 200, seconds: 0.1 });
    expect(responses).to.be.within(1, 20);
    expect(rate).to.be.at.most(200);
  });

  it('detects a wrong response, a repeated token, and a broken connection', async () => {
    expect(
      await runForError(
        (_request, response) => void response.writeHead(429, { 'content-length': '9' }).end('slow down'),
      ),
    ).to.include('429 slow down');
    expect(await runForError((_request, response) => void response.end('{}'))).to.include('200 {}');
    expect(await runForError((_request, response) => void response.end('{"access_token":"same"}'))).to.include(
      'repeated a token',
    );
    expect(await runForError((request) => void request.socket.destroy())).to.match(/closed a connection|ECONNRESET/);
    expect(
      await runForError((_request, response) => {
        response.write('{"access_token"');
        response.end(':"x"}');
      }),
    ).to.include('without Content-Length');
  });

  it('parses the list of processors that it may use', () => {
    expect(parseCpuList('0-2,5')).to.deep.equal([0, 1, 2, 5]);
    expect(parseCpuList('7')).to.deep.equal([7]);
    expect(parseCpuList('')).to.deep.equal([]);
  });
});
