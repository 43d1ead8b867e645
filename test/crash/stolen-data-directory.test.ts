import { expect } from 'chai';
import type { KeyObject } from 'node:crypto';
import { cpSync, lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import Keygrip from 'keygrip';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyId } from '../../src/domain/values.ts';
import { callControl } from '../../src/operations/control/client.ts';
import { signJws } from '../../src/oauth/signing/jws.ts';
import { keyDirectory } from '../../src/platform/keys/key-directory.ts';
import { createSigningVault, SIGNING_KEYS } from '../../src/platform/keys/signing-keyring.ts';
import { systemEntropy } from '../../src/platform/ports.ts';
import { readEntries, readFilesBelow } from '../support/at-rest.ts';
import { browserSession } from '../support/browser-session.ts';
import { REDIRECT_URI } from '../support/running-service.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import {
  formatCredentials,
  deriveAlternatives,
  extractSecrets,
  storedHash,
  deriveSuccessors,
  type StolenSecrets,
} from '../support/thief.ts';

const ADMIN = { username: 'ada', password: 'the difference engine' };
/** In seconds: long enough for all credentials to stay valid during the attack. */
const ONE_HOUR = '3600';
const CONCURRENCY = 16;

interface Client {
  readonly id: string;
  readonly secret: string;
}

interface JsonResponse {
  readonly status: number;
  readonly json: Readonly<Record<string, string>>;
}

describe('an attacker with a copy of the data directory, including its keys', function () {
  this.timeout(300_000);

  let parentDirectory: string;
  let server: ServerProcess;
  let client: Client;
  /** Valid credentials that only their owners know. */
  let liveCredentials: {
    readonly access: readonly string[];
    readonly refresh: string;
    readonly code: string;
    readonly cookie: string;
  };
  let jwt: string;
  /** A refresh token that was just rotated, so that a retry is still possible. */
  let rotatedToken: string;
  let stolenSecrets: StolenSecrets;

  before(async () => {
    parentDirectory = mkdtempSync(join(tmpdir(), 'grantlog-stolen-'));
    server = await startServer(join(parentDirectory, 'data'), {
      env: {
        GRANTLOG_ADMIN_USERNAME: ADMIN.username,
        GRANTLOG_ADMIN_PASSWORD: ADMIN.password,
        GRANTLOG_AUTHORIZATION_CODE_LIFETIME_SECONDS: ONE_HOUR,
        GRANTLOG_REFRESH_REUSE_WINDOW_SECONDS: ONE_HOUR,
      },
    });
    await createTraffic();
    const copy = join(parentDirectory, 'copy');
    cpSync(join(parentDirectory, 'data'), copy, { recursive: true, filter: canBeCopied });
    const contents = new Map([...readFilesBelow(copy), ...(await readEntries(join(copy, 'log')))]);
    stolenSecrets = extractSecrets(contents);
  });
  after(async () => {
    await server.destroy();
    rmSync(parentDirectory, { recursive: true });
  });

  async function post(
    path: string,
    fields: Readonly<Record<string, string>>,
    { id, secret } = client,
  ): Promise<JsonResponse> {
    const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
    const response = await fetch(new URL(path, server.origin), {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
    });
    return { status: response.status, json: (await response.json()) as JsonResponse['json'] };
  }

  async function register(registration: object): Promise<Client> {
    for await (const response of callControl(
      join(parentDirectory, 'data', 'control.sock'),
      'client add',
      registration,
    )) {
      const { client_id: id = '', client_secret: secret = '' } = response as Record<string, string>;
      return { id, secret };
    }
    throw new Error('the registration got no response');
  }

  async function createTraffic(): Promise<void> {
    const registration = {
      name: 'Engine',
      clientType: 'confidential',
      grantTypes: ['authorization-code', 'client-credentials', 'password'],
      redirectUris: [REDIRECT_URI],
      allowedOrigins: [],
      skipAuthorization: false,
      owner: null,
      credentials: null,
    };
    client = await register(registration);
    const jwtClient = await register({ ...registration, accessTokenFormat: 'jwt' });
    jwt = (await post('/o/token/', { grant_type: 'client_credentials' }, jwtClient)).json['access_token'] ?? '';
    const browser = browserSession(() => server.origin);
    await browser.logIn(ADMIN.username, ADMIN.password);
    const query = new URLSearchParams({ response_type: 'code', client_id: client.id, redirect_uri: REDIRECT_URI });
    const { location } = await browser.submit(await browser.get(`/o/authorize/?${query.toString()}`), {
      allow: 'Authorize',
    });
    const { json: first } = await post('/o/token/', { grant_type: 'password', ...ADMIN });
    const { json: second } = await post('/o/token/', {
      grant_type: 'refresh_token',
      refresh_token: first['refresh_token'] ?? '',
    });
    const { json: clientTokens } = await post('/o/token/', { grant_type: 'client_credentials' });
    rotatedToken = first['refresh_token'] ?? '';
    liveCredentials = {
      access: [first, second, clientTokens].map((tokens) => tokens['access_token'] ?? ''),
      refresh: second['refresh_token'] ?? '',
      code: new URL(location ?? '').searchParams.get('code') ?? '',
      cookie: browser.cookies().get('grantlog') ?? '',
    };
  }

  function findKey(name: string): KeyObject {
    const [hex = ''] = readFileSync(join(parentDirectory, 'data', 'keys', `${name}.key`), 'utf8').split(' ');
    const match = stolenSecrets.keys.find((candidate) => candidate.export().toString('hex') === hex);
    return match ?? expect.fail(`no key ${name} among the files`);
  }

  /** Sends a request that succeeds only if the credential is valid, and returns the status of the response. */
  async function statusWith(credential: string): Promise<number> {
    if (credential.startsWith('glr_'))
      return (await post('/o/token/', { grant_type: 'refresh_token', refresh_token: credential })).status;
    if (credential.startsWith('glc_'))
      return (
        await post('/o/token/', { grant_type: 'authorization_code', code: credential, redirect_uri: REDIRECT_URI })
      ).status;
    const response = await fetch(new URL('/users/', server.origin), {
      headers: { authorization: `Bearer ${credential}` },
    });
    await response.arrayBuffer();
    return response.status;
  }

  it("has the hashes of all valid credentials, the server's keys and the grant ids", () => {
    for (const credential of [...liveCredentials.access, liveCredentials.refresh, liveCredentials.code])
      expect(stolenSecrets.secrets).to.include(storedHash(credential));
    for (const name of ['refresh', 'cookies', 'names', 'log']) findKey(name);
    expect(stolenSecrets.grantIds).to.include(liveCredentials.code.slice(4, 26));
  });

  it('cannot derive a credential whose hash the server stores', () => {
    const secrets = new Set([...stolenSecrets.secrets, ...stolenSecrets.bytes, ...deriveAlternatives(stolenSecrets)]);
    const derivedCredentials = deriveSuccessors(formatCredentials(stolenSecrets), {
      keys: [findKey('refresh')],
      grantIds: stolenSecrets.grantIds,
    });
    const usableCredentials = [...formatCredentials({ ...stolenSecrets, secrets }), ...derivedCredentials].filter(
      (credential) => stolenSecrets.secrets.has(storedHash(credential)),
    );
    expect(usableCredentials.length, 'usable credentials').to.equal(0);
  });

  it('is refused with every stolen or derived value, used as an untagged credential', async () => {
    const derivedCredentials = deriveSuccessors([...stolenSecrets.secrets], {
      keys: [findKey('refresh')],
      grantIds: stolenSecrets.grantIds.slice(0, 1),
    });
    const untaggedCredentials = [...formatCredentials(stolenSecrets), ...derivedCredentials].filter(
      (credential) => !isTagged(credential),
    );
    const statuses = await mapInParallel(untaggedCredentials, statusWith);
    expect(statuses).to.have.length.above(100);
    expect(new Set(statuses)).to.deep.equal(new Set([400, 401]));
  });

  it('cannot sign a valid session cookie', async () => {
    const sign = new Keygrip([findKey('cookies').export().toString('base64url')], 'sha256');
    const isLoggedIn = async (contents: string): Promise<boolean> => {
      const cookie = `grantlog=${contents}; grantlog.sig=${sign.sign(`grantlog=${contents}`)}`;
      return (
        (await fetch(new URL('/o/applications/', server.origin), { headers: { cookie }, redirect: 'manual' }))
          .status === 200
      );
    };
    expect(await isLoggedIn(liveCredentials.cookie), 'the signature is correct').to.equal(true);
    const forgedSessions = [...stolenSecrets.secrets].map((sessionId) =>
      Buffer.from(JSON.stringify({ sessionId, csrf: 'x' })).toString('base64'),
    );
    expect(await mapInParallel(forgedSessions, isLoggedIn)).not.to.include(true);
  });

  it('can derive the successor of a leaked refresh token, but no earlier token', () => {
    const derivedCredentials = deriveSuccessors([rotatedToken], stolenSecrets);
    expect(derivedCredentials).to.include(liveCredentials.access[1]).and.to.include(liveCredentials.refresh);
    expect(derivedCredentials).not.to.include(liveCredentials.access[0]);
  });

  it('can sign a JWT that passes signature verification, but that this server refuses', async () => {
    const { jti: originalId, ...claims } = JSON.parse(
      Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString(),
    ) as Claims;
    const store = keyDirectory(join(parentDirectory, 'copy', 'keys'));
    const { signing } = await store.open(systemEntropy(), { isNew: false, mayPredateLogKey: false });
    const vault = createSigningVault(await store.keyring(SIGNING_KEYS), signing, systemEntropy());
    const { kid = '' } = decodeProtectedHeader(jwt);
    const privateKey = vault.find(kid as KeyId);
    if (typeof privateKey === 'string') throw new Error(`the private half is ${privateKey}`);
    const forge = (jti: string): Promise<string> => {
      const { scope, ...claimsBeforeId } = claims;
      return signJws(privateKey, { alg: 'RS256', typ: 'at+jwt', kid }, { ...claimsBeforeId, jti, scope });
    };
    expect(await forge(originalId), 'the forged JWT with the original id').to.equal(jwt);
    expect(stolenSecrets.secrets).not.to.include(originalId);

    const forgedTokens = await mapInParallel([...stolenSecrets.secrets], forge);
    const jwks = (await (await fetch(new URL('/.well-known/jwks.json', server.origin))).json()) as JSONWebKeySet;
    expect(
      (await jwtVerify(forgedTokens[0] ?? '', createLocalJWKSet(jwks), { issuer: claims.iss, typ: 'at+jwt' })).payload,
    ).to.include({ client_id: claims.client_id });
    expect(forgedTokens.filter((token) => stolenSecrets.secrets.has(storedHash(token)))).to.deep.equal([]);
    expect(new Set(await mapInParallel(forgedTokens, statusWith))).to.deep.equal(new Set([401]));
    expect((await post('/o/introspect/', { token: forgedTokens[0] ?? '' })).json).to.deep.equal({ active: false });
  });

  it('does not affect valid credentials', async () => {
    for (const credential of [...liveCredentials.access, jwt, liveCredentials.code, liveCredentials.refresh])
      expect(await statusWith(credential), credential.slice(0, 3)).to.equal(200);
  });

  it('can revoke a grant with a forged refresh token, but gets no access', async () => {
    const { json } = await post('/o/token/', { grant_type: 'password', ...ADMIN });
    const [access, refresh] = [json['access_token'] ?? '', json['refresh_token'] ?? ''];
    const grantIds = [refresh.slice(4, 26)];
    const derivedCredentials = deriveSuccessors([...stolenSecrets.secrets].slice(0, 1), {
      keys: [findKey('refresh')],
      grantIds,
    });
    expect(await statusWith(derivedCredentials.find(isTagged) ?? '')).to.equal(400);
    expect([await statusWith(access), await statusWith(refresh)]).to.deep.equal([401, 400]);
  });
});

/** Reports whether a credential has the form of a refresh token with a tag, which only the server's key can create. */
function isTagged(credential: string): boolean {
  return /^glr_[\w-]{93}$/.test(credential);
}

interface Claims {
  readonly iss: string;
  readonly client_id: string;
  readonly iat: number;
  readonly scope: string;
  readonly jti: string;
}

/** Excludes sockets, and key file locks that the server may have removed already. */
function canBeCopied(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isSocket();
}

async function mapInParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const [remainingItems, results] = [[...items], [] as R[]];
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let item = remainingItems.pop(); item !== undefined; item = remainingItems.pop())
        results.push(await run(item));
    }),
  );
  return results;
}
