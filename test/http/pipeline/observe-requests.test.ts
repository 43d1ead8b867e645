import { expect } from 'chai';
import { createServerLogs } from '../../../src/cli/server-log.ts';
import type { RequestLine } from '../../../src/platform/metrics/request-lines.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { memoryLogs, type LogLine } from '../../support/memory-logs.ts';
import { runningService, type RunningOptions, type RunningService } from '../../support/running-service.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('The request log', () => {
  let running: RunningService;
  let log: ReturnType<typeof memoryLogs>;

  async function start(options: RunningOptions = {}, level = 'trace'): Promise<void> {
    log = memoryLogs(level);
    running = await runningService({
      requestLog: log.logs.requests,
      warn: (fields, message) => log.logs.server.warn(fields, message),
      ...options,
    });
  }

  afterEach(() => running.close());

  it('has one line for each request, with its id, route, outcome, duration and authenticated client', async () => {
    await start();
    const client = await running.addClient();
    const { headers, json } = await running.token(client, { grant_type: 'client_credentials' });
    await running.post('/o/token/', { grant_type: 'client_credentials', client_id: client.id, client_secret: 'wrong' });
    await running.get('/groups/', { authorization: `Bearer ${String(json?.['access_token'])}` });
    await running.get('/no/such/page');
    const [issuanceLine, refusalLine, apiLine, notFoundLine, ...otherLines] = log.lines();
    expect(otherLines).to.deep.equal([]);
    expect(issuanceLine).to.include({
      level: 30,
      msg: 'request',
      requestId: headers.get('x-request-id'),
      method: 'POST',
      route: '/o/token',
      status: 200,
      ms: 0,
      clientId: client.id,
      grantType: 'client_credentials',
    });
    expect(refusalLine)
      .to.include({ route: '/o/token', status: 401, refusal: 'invalid_client' })
      .and.to.have.property('rule')
      .that.is.a('string');
    expect(refusalLine).and.not.have.any.keys('clientId', 'grantType');
    expect(apiLine).to.include({ route: '/groups', status: 403, clientId: client.id });
    expect(notFoundLine)
      .to.include({ status: 404, method: 'GET' })
      .and.not.have.any.keys('route', 'url', 'path', 'clientId');
  });

  it('contains the client that introspects or revokes, and the grant type only for issued tokens', async () => {
    await start();
    const client = await running.addClient();
    for (const path of ['/o/introspect/', '/o/revoke_token/'])
      await running.post(path, { token: 'x' }, { authorization: client.basic });
    for (const line of log.lines())
      expect(line).to.include({ status: 200, clientId: client.id }).and.not.have.property('grantType');
  });

  it('has probes, scrapes and static files at debug level, and no requests at warn level', async () => {
    await start();
    for (const path of ['/healthz', '/readyz', '/metrics', '/static/grantlog.css']) await running.get(path);
    expect(log.lines().map(({ level }) => level)).to.deep.equal([20, 20, 20, 20]);
    await running.close();
    await start({}, 'warn');
    await running.get('/');
    expect(log.text()).to.equal('');
  });

  it("contains the caller's trace if it is well-formed", async () => {
    await start();
    await running.get('/', { traceparent: TRACEPARENT });
    await running.get('/', { traceparent: `${TRACEPARENT}-more` });
    await running.get('/');
    expect(log.lines().map(({ traceparent }) => traceparent)).to.deep.equal([TRACEPARENT, undefined, undefined]);
  });
});

const REQUEST_LINE: RequestLine = {
  requestId: 'r',
  method: 'GET',
  route: undefined,
  status: 404,
  ms: 0,
  clientId: undefined,
  grantType: undefined,
  refusal: undefined,
  rule: undefined,
  traceparent: undefined,
};

describe('The server log', () => {
  it('is written immediately and in order, after all earlier request lines', () => {
    const writtenLines: string[] = [];
    let bufferedLines: string[] = [];
    const flushSync = (): void => {
      writtenLines.push(...bufferedLines);
      bufferedLines = [];
    };
    const { server, requests, flush } = createServerLogs('info', manualClock(), {
      isTerminal: false,
      destination: { write: (line) => void bufferedLines.push(line), flushSync },
    });
    const messages = (): readonly unknown[] => writtenLines.map((line) => (JSON.parse(line) as LogLine)['msg']);
    requests.info(REQUEST_LINE, 'one');
    expect(messages()).to.deep.equal([]);
    server.warn('two');
    expect(messages()).to.deep.equal(['one', 'two']);
    requests.info(REQUEST_LINE, 'three');
    flush();
    expect(messages()).to.deep.equal(['one', 'two', 'three']);
  });
});
