import { expect } from 'chai';
import { SMALL_LIMITS } from '../../support/small-limits.ts';
import type { ClientId, UserId } from '../../../src/domain/values.ts';
import { defaultAuthentication } from '../../../src/domain/client-authentication.ts';
import { DEFAULT_SECURITY } from '../../../src/domain/security-settings.ts';
import { DEFAULT_OPENID } from '../../../src/domain/openid-settings.ts';
import { createRegistration } from '../../../src/oauth/clients/registration.ts';
import { createSectorDocuments } from '../../../src/oauth/openid/sector-documents.ts';
import { TooManyAttemptsError } from '../../../src/platform/limits/too-many-attempts.ts';
import { startHostileServer, type HostileServer } from '../../support/hostile-server.ts';
import { REDIRECT_URI, runningService, type RunningService } from '../../support/running-service.ts';
import { unchecked } from '../../support/unchecked.ts';
import { manualTimers } from '../../support/manual-timers.ts';
import { englishProblem, englishProblems } from '../../support/english-problems.ts';

const OTHER_URI = 'https://other.example/callback';
const CONTEXT = { actor: { kind: 'operator' }, requestId: null } as const;

/** Most tests call the reader directly, because registration refuses sector documents over http. */
describe('a sector document', () => {
  let server: HostileServer;
  let grantlog: RunningService;
  let content: string;
  const timers = manualTimers();

  before(async () => {
    server = await startHostileServer((socket) => {
      if (content === 'hang') return;
      const head = content.startsWith('HTTP') ? content : `HTTP/1.1 200 OK\r\nContent-Length: ${content.length}`;
      socket.end(`${head}\r\n\r\n${content.startsWith('HTTP') ? '' : content}`);
    });
    grantlog = await runningService({
      settings: { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] },
      limits: SMALL_LIMITS,
      startTimer: timers.startTimer,
      resolve: async (host) => {
        if (host === 'missing.example') throw new Error('ENOTFOUND');
        return [{ address: host === 'private.example' ? '10.0.0.1' : '127.0.0.1', family: 4 }];
      },
    });
  });
  after(async () => {
    await grantlog.close();
    await server.close();
  });

  let documents = 0;
  const newUri = (host = 'app.example'): string => `http://${host}:${server.port}/${(documents += 1)}.json`;
  const findProblem = async (uri: string, developer: UserId | null = null): Promise<string | undefined> =>
    englishProblem(
      await createSectorDocuments(grantlog.service().egress, grantlog.service().limits).problem(
        uri,
        [REDIRECT_URI, OTHER_URI],
        developer,
      ),
    );

  it('must contain every redirect URI, and may contain others', async () => {
    content = JSON.stringify(['https://third.example/', OTHER_URI, REDIRECT_URI]);
    expect(await findProblem(newUri())).to.equal(undefined);
  });

  it('that lacks redirect URIs is refused, and the refusal lists them', async () => {
    content = JSON.stringify([OTHER_URI, `${REDIRECT_URI}/`]);
    const uri = newUri();
    expect(await findProblem(uri)).to.equal(`${uri} does not contain ${REDIRECT_URI}. Add the missing URIs to it.`);
  });

  for (const [name, body, expected] of [
    ['is not an array', '{}', 'is not a JSON array of redirect URIs.'],
    ['contains a number', `["${REDIRECT_URI}", "${OTHER_URI}", 1]`, 'is not a JSON array'],
    ['is not JSON', '<html>', 'is not a JSON document.'],
    [
      'is behind a redirect',
      'HTTP/1.1 302 Found\r\nLocation: /x',
      'responded with a redirect (status 302), which this server does not follow',
    ],
    ['does not exist', 'HTTP/1.1 404 Not Found', 'responded with status 404.'],
  ] as const) {
    it(`that ${name} is refused`, async () => {
      content = body;
      const uri = newUri();
      expect(await findProblem(uri)).to.include(`${uri} ${expected}`);
    });
  }

  it('is refused if its server does not respond', async () => {
    content = 'hang';
    const requestCount = server.requests.length;
    const pending = findProblem(newUri());
    await server.waitForRequests(requestCount + 1);
    timers.expire();
    expect(await pending).to.include('took longer than 5 seconds.');
  });

  it('is refused if its host has a special-use address or no address', async () => {
    for (const host of ['private.example', '169.254.169.254', '[::ffff:127.0.0.1]'])
      expect(await findProblem(newUri(host))).to.include('is at an address that this server does not contact');
    expect(await findProblem(newUri('missing.example'))).to.include(
      'has the host missing.example, which cannot be resolved',
    );
  });

  it('is fetched a limited number of times per developer, not counting reads from the cache', async () => {
    content = JSON.stringify([REDIRECT_URI, OTHER_URI]);
    const uri = newUri();
    const developer = 'AAAAAAAAAAAAAAAAAAAAAA' as UserId;
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await findProblem(uri, developer)).to.equal(undefined);
    await findProblem(newUri(), developer);
    const refusal = await findProblem(newUri(), developer).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(TooManyAttemptsError);
    expect(await findProblem(newUri()), 'the operator has no limit').to.equal(undefined);
  });

  describe('of a client', () => {
    const SECTOR = 'https://missing.example/sector.json';
    const FIELDS = {
      name: 'One',
      clientType: 'confidential',
      grantTypes: ['authorization-code'],
      redirectUris: [REDIRECT_URI],
      allowedOrigins: [],
      skipAuthorization: false,
    };

    it('is read when the client is registered, and a problem with it is reported for sectorIdentifierUri', async () => {
      const fields = { ...FIELDS, openid: { subjectType: 'pairwise', sectorIdentifierUri: SECTOR } };
      const result = await grantlog.service().registration.register(fields, null, CONTEXT);
      expect('errors' in result && englishProblems(result.errors)).to.deep.equal({
        sectorIdentifierUri: `${SECTOR} has the host ${new URL(SECTOR).hostname}, which cannot be resolved (DNS).`,
      });
    });

    it('is read again when its URI or a redirect URI changes, but does not block other changes', async () => {
      const reads: string[] = [];
      const registeredClient = {
        ...FIELDS,
        openid: { ...DEFAULT_OPENID, sectorIdentifierUri: SECTOR },
        authentication: defaultAuthentication('confidential'),
        security: DEFAULT_SECURITY,
      };
      const registration = createRegistration(
        unchecked({
          clients: { execute: async () => ({ refusal: undefined }) },
          registeredClients: { find: () => registeredClient },
          sectorDocuments: {
            problem: async (uri: string, uris: readonly string[]) => (
              reads.push(`${uri} ${uris.length}`),
              'It is wrong.'
            ),
          },
          settings: { plainHttpRedirectUris: false, redirectUriSchemes: [] },
        }),
      );
      const change = (fields: object): Promise<unknown> =>
        registration.update('one' as ClientId, { ...registeredClient, ...fields }, CONTEXT);
      expect(await change({ name: 'Two' })).to.equal(undefined);
      expect(await change({ redirectUris: [REDIRECT_URI] })).to.equal(undefined);
      expect(await change({ openid: { ...registeredClient.openid, sectorIdentifierUri: null } })).to.equal(undefined);
      expect(reads).to.deep.equal([]);
      const refusal = { errors: { sectorIdentifierUri: 'It is wrong.' } };
      expect(await change({ redirectUris: [REDIRECT_URI, OTHER_URI] })).to.deep.equal(refusal);
      expect(
        await change({ openid: { ...registeredClient.openid, sectorIdentifierUri: `${SECTOR}?2` } }),
      ).to.deep.equal(refusal);
      expect(reads).to.deep.equal([`${SECTOR} 2`, `${SECTOR}?2 1`]);
    });
  });
});
