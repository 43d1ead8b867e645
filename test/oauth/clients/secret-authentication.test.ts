import { expect } from 'chai';
import fc from 'fast-check';
import type { SecretHash } from '../../../src/domain/events.ts';
import type { Position, Revision } from '../../../src/event-store/event-log.ts';
import { createSecretAuthentication } from '../../../src/oauth/clients/secret-authentication.ts';
import { hashCredential, mintClientSecret } from '../../../src/oauth/credentials/credentials.ts';
import { OAuthError } from '../../../src/oauth/endpoints/errors.ts';
import type { Parameters as OAuthParameters } from '../../../src/oauth/endpoints/parameters.ts';
import type { Client } from '../../../src/projections/clients.ts';
import { defaultAuthentication } from '../../../src/domain/client-authentication.ts';
import { CLIENT_SETTINGS } from '../../support/client-settings.ts';
import { clientId, seconds } from '../../support/domain-values.ts';
import { quickHasher } from '../../support/quick-hasher.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const createClient = (
  id: string,
  secret: SecretHash | null,
  clientType: Client['clientType'] = 'confidential',
): Client => ({
  clientId: clientId(id),
  members: [],
  secret,
  logo: null,
  previousSecret: null,
  lastUse: { anySecret: null, previousSecret: null, keys: {} },
  ...CLIENT_SETTINGS,
  name: id,
  clientType,
  authentication: defaultAuthentication(clientType),
  grantTypes: [],
  registeredAt: 0,
  registeredPosition: 1 as Position,
  revision: 1 as Revision,
});
const sha256 = (secret: string): SecretHash => ({ algorithm: 'sha256', hash: hashCredential(secret) });
const argon2id = async (secret: string): Promise<SecretHash> => ({
  algorithm: 'argon2id',
  phc: await quickHasher.hash(secret),
});

const SECRET = 'secret of A';
const SPECIAL_SECRET = '1+1=2 100%';
const clients = [
  createClient('A', sha256(SECRET)),
  createClient('Odd', sha256(SPECIAL_SECRET)),
  createClient('Chosen', await argon2id('hunter2')),
  createClient('Public', null, 'public'),
  createClient('PublicWithSecret', sha256(SECRET), 'public'),
  createClient('WithoutSecret', null),
  {
    ...createClient('Overlapping', sha256('new')),
    previousSecret: { secret: sha256('old'), rotatedAt: seconds(0), until: seconds(2_000) },
  },
  {
    ...createClient('Ahead', sha256('new')),
    previousSecret: { secret: sha256('old'), rotatedAt: seconds(10_000), until: seconds(20_000) },
  },
  {
    ...createClient('ChosenBefore', sha256('new')),
    previousSecret: { secret: await argon2id('hunter2'), rotatedAt: seconds(0), until: seconds(2_000) },
  },
];
const MINTED_SECRET = mintClientSecret(seededEntropy('minted')).value;
const NOW = seconds(1_000);
let verifications = 0;
let haveChosenSecrets = true;
const authenticateBySecret = createSecretAuthentication(
  { find: (id) => clients.find((client) => client.clientId === id), haveUserChosenSecrets: () => haveChosenSecrets },
  {
    verify: async (phc, secret) => ((verifications += 1), phc !== undefined && quickHasher.verify(phc, secret)),
    rehash: async () => {},
  },
  { attempt: () => ({ begin: () => {}, fail: () => {}, succeed: () => {}, cancel: () => {} }) },
);

function authenticateAt(now: number, authorization: string | undefined, parameters: OAuthParameters) {
  return authenticateBySecret({ authorization, parameters, now: seconds(now), address: '192.0.2.1' });
}
const authenticate = async (authorization: string | undefined, parameters: OAuthParameters): Promise<Client> =>
  (await authenticateAt(NOW, authorization, parameters)).client;

const basicHeader = (text: string, scheme = 'Basic'): string => `${scheme} ${Buffer.from(text).toString('base64')}`;
const bodyParameters = (id?: string, secret?: string): OAuthParameters => {
  const fields = [
    ['client_id', id],
    ['client_secret', secret],
  ] as const;
  return new Map(fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
};
const NO_PARAMETERS = bodyParameters();

async function expectRefusal(
  authorization: string | undefined,
  parameters: OAuthParameters,
): Promise<{ code: string; status: number; message: string }> {
  try {
    await authenticate(authorization, parameters);
  } catch (error) {
    if (error instanceof OAuthError) return { code: error.code, status: error.status, message: error.message };
    throw error;
  }
  throw new Error('the request was accepted');
}

describe('a client', () => {
  it('authenticates with HTTP Basic, with the scheme in uppercase or lowercase', async () => {
    for (const scheme of ['Basic', 'basic', 'BASIC', 'bAsIc'])
      expect((await authenticate(basicHeader(`clientA:${SECRET}`, scheme), NO_PARAMETERS)).name).to.equal('A');
  });

  it('authenticates with credentials in the body', async () => {
    expect((await authenticate(undefined, bodyParameters('clientA', SECRET))).name).to.equal('A');
    expect((await authenticate(undefined, bodyParameters('clientOdd', SPECIAL_SECRET))).name).to.equal('Odd');
  });

  it('can form-encode its Basic credentials, but does not need to', async () => {
    const encodedSecret = new URLSearchParams({ secret: SPECIAL_SECRET }).toString().slice('secret='.length);
    for (const secret of [encodedSecret, encodeURIComponent(SPECIAL_SECRET), SPECIAL_SECRET])
      expect((await authenticate(basicHeader(`clientOdd:${secret}`), NO_PARAMETERS)).name, secret).to.equal('Odd');
  });

  it('can have a user-chosen secret', async () => {
    expect((await authenticate(basicHeader('clientChosen:hunter2'), NO_PARAMETERS)).name).to.equal('Chosen');
    expect(await expectRefusal(basicHeader('clientChosen:hunter3'), NO_PARAMETERS)).to.include({
      code: 'invalid_client',
    });
  });

  it('that is public authenticates by its id alone', async () => {
    expect((await authenticate(undefined, bodyParameters('clientPublic'))).name).to.equal('Public');
    expect((await authenticate(basicHeader('clientPublic:'), NO_PARAMETERS)).name).to.equal('Public');
    expect((await authenticate(undefined, bodyParameters('clientPublicWithSecret'))).name).to.equal('PublicWithSecret');
  });

  it('that sends a secret must send the correct secret, even if it is public', async () => {
    expect((await authenticate(undefined, bodyParameters('clientPublicWithSecret', SECRET))).name).to.equal(
      'PublicWithSecret',
    );
    for (const id of ['clientPublicWithSecret', 'clientPublic', 'clientA', 'clientWithoutSecret'])
      expect(await expectRefusal(undefined, bodyParameters(id, 'wrong')), id).to.include({ code: 'invalid_client' });
    expect(await expectRefusal(undefined, bodyParameters('clientPublic', ''))).to.include({ code: 'invalid_client' });
  });

  it('that is confidential cannot use its id alone', async () => {
    for (const id of ['clientA', 'clientWithoutSecret']) {
      expect(await expectRefusal(undefined, bodyParameters(id))).to.include({ code: 'invalid_client', status: 401 });
      expect(await expectRefusal(basicHeader(`${id}:`), NO_PARAMETERS)).to.include({
        code: 'invalid_client',
        status: 401,
      });
    }
  });

  it('that is unknown gets the same response as a client with a wrong secret', async () => {
    const wrongSecret = await expectRefusal(basicHeader('clientA:wrong'), NO_PARAMETERS);
    for (const credentials of ['nobody:wrong', 'nobody:', 'clientA:', ':x'.padStart(50, 'y')])
      expect(await expectRefusal(basicHeader(credentials), NO_PARAMETERS)).to.deep.equal(wrongSecret);
    expect(await expectRefusal(undefined, bodyParameters('nobody', 'wrong'))).to.deep.equal(wrongSecret);
    expect(await expectRefusal(undefined, bodyParameters('nobody'))).to.deep.equal(wrongSecret);
  });

  describe('causes work that depends on the secret it sends, not on the client id:', () => {
    const IDS = [
      'nobody',
      'clientA',
      'clientChosen',
      'clientPublic',
      'clientWithoutSecret',
      'clientOverlapping',
      'clientChosenBefore',
    ];
    const countSlowHashes = async (secret: string): Promise<readonly number[]> => {
      const counts: number[] = [];
      for (const id of IDS) {
        const verificationsBefore = verifications;
        await expectRefusal(undefined, bodyParameters(id, secret));
        counts.push(verifications - verificationsBefore);
      }
      return counts;
    };

    it('one slow hash for a secret that may be user-chosen', async () => {
      for (const secret of [
        'wrong',
        '',
        'gls',
        MINTED_SECRET.slice(0, -1),
        `${MINTED_SECRET}x`,
        MINTED_SECRET.replace('gls', 'glt'),
      ])
        expect(await countSlowHashes(secret), secret).to.deep.equal(IDS.map(() => 1));
    });

    it('no slow hash for a secret in the format of this server', async () => {
      expect(await countSlowHashes(MINTED_SECRET)).to.deep.equal(IDS.map(() => 0));
    });

    it('no slow hash for any secret while no client has a user-chosen secret', async () => {
      haveChosenSecrets = false;
      try {
        expect(await countSlowHashes('wrong')).to.deep.equal(IDS.map(() => 0));
      } finally {
        haveChosenSecrets = true;
      }
    });
  });

  it('authenticates with either of two valid secrets, and the result states which secret was used', async () => {
    const usedPreviousSecret = async (id: string, secret: string, now: number) =>
      (await authenticateAt(now, undefined, bodyParameters(id, secret))).previousSecretUsed;
    expect(await usedPreviousSecret('clientOverlapping', 'new', 0)).to.equal(false);
    expect(await usedPreviousSecret('clientOverlapping', 'old', 1_999)).to.equal(true);
    expect(await usedPreviousSecret('clientChosenBefore', 'new', 0)).to.equal(false);
    expect(await usedPreviousSecret('clientChosenBefore', 'hunter2', 1_999)).to.equal(true);
  });

  it('does not authenticate with the older secret after it expires', async () => {
    for (const [id, secret] of [
      ['clientOverlapping', 'old'],
      ['clientChosenBefore', 'hunter2'],
    ] as const) {
      const attempt = authenticateAt(2_000, undefined, bodyParameters(id, secret));
      expect(
        await attempt.then(
          () => 'accepted',
          (error: OAuthError) => error.code,
        ),
      ).to.equal('invalid_client');
    }
  });

  it('is refused with an older secret that has expired, or whose rotation is in the future', async () => {
    for (const [id, secret, now, secondsAgo] of [
      ['Ahead', 'old', 9_699, null],
      ['Overlapping', 'old', 2_040, 40],
    ] as const) {
      const attempt = authenticateAt(now, undefined, bodyParameters(`client${id}`, secret));
      const refusal = await attempt.then(
        () => 'accepted',
        (error: OAuthError) => error.refusal,
      );
      expect(refusal).to.deep.equal({ rule: 'client-secret-ended', secondsAgo });
    }
  });

  it('without credentials is refused with invalid_client', async () => {
    expect(await expectRefusal(undefined, NO_PARAMETERS)).to.include({ code: 'invalid_client', status: 401 });
    expect(await expectRefusal(undefined, bodyParameters(undefined, SECRET))).to.include({
      code: 'invalid_client',
      status: 401,
    });
  });

  it('can send its credentials twice only if they agree', async () => {
    expect((await authenticate(basicHeader(`clientA:${SECRET}`), bodyParameters('clientA', SECRET))).name).to.equal(
      'A',
    );
    expect((await authenticate(basicHeader(`clientA:${SECRET}`), bodyParameters('clientA'))).name).to.equal('A');
    expect(
      await expectRefusal(basicHeader(`clientA:${SECRET}`), bodyParameters('clientOdd', SPECIAL_SECRET)),
    ).to.include({
      code: 'invalid_request',
      status: 400,
    });
    expect(await expectRefusal(basicHeader(`clientA:${SECRET}`), bodyParameters('clientA', 'other'))).to.include({
      code: 'invalid_request',
      status: 400,
    });
    expect(await expectRefusal(basicHeader('clientA:wrong'), bodyParameters('clientA', SECRET))).to.include({
      code: 'invalid_request',
      status: 400,
    });
  });

  it('gets invalid_client for every header that is not well-formed Basic', async () => {
    const malformedHeaders = [
      '',
      'Basic',
      'Basic ',
      'Basic !!!',
      'Basic Og==',
      basicHeader('nocolon'),
      basicHeader(':only a secret'),
      `Bearer ${SECRET}`,
      'Digest username="clientA"',
      `Basic ${SECRET} ${SECRET}`,
      basicHeader('clientA:%ZZ'),
      basicHeader('%:x'),
    ];
    for (const header of malformedHeaders)
      expect(await expectRefusal(header, NO_PARAMETERS), header).to.include({ code: 'invalid_client', status: 401 });
  });

  it('is refused with an OAuth error for any malformed header', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: 'binary' }).map((text) => basicHeader(text)),
        ),
        async (header) => {
          expect(await expectRefusal(header, NO_PARAMETERS)).to.include({ code: 'invalid_client' });
        },
      ),
    );
  });
});
