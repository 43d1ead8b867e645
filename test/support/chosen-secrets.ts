import { createHash } from 'node:crypto';
import { mintClientSecret } from '../../src/oauth/credentials/credentials.ts';
import type { ImportedCredentials } from '../../src/oauth/clients/new-credentials.ts';
import { findAtRest, type Found } from './at-rest.ts';
import { pbkdf2Of, quickHasher } from './quick-hasher.ts';
import type { Answer, RunningService } from './running-service.ts';
import { seededEntropy } from './seeded-entropy.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** A secret that another server or a user chose. */
export interface ChosenSecret {
  readonly clientId: string;
  readonly secret: string;
  /** The record of an unsealed hash, which is enough to test guesses. */
  readonly hash: string;
}

const FIELDS = {
  clientType: 'confidential',
  grantTypes: ['client-credentials'],
  redirectUris: [],
  allowedOrigins: [],
  skipAuthorization: false,
};

/** Every way to import a user-chosen secret, by name. */
export const WAYS_IN = {
  'as it is': 'a secret that somebody chose',
  'as an argon2id hash': 'a secret that is hashed',
  'as a PBKDF2 hash': 'a secret of Django',
  'in the form of those made here': mintClientSecret(seededEntropy('another server')).value,
} as const;
export type WayIn = keyof typeof WAYS_IN;
export const WAYS = Object.keys(WAYS_IN) as readonly WayIn[];

async function credentialsOf(way: WayIn, clientId: string): Promise<ImportedCredentials & { readonly hash: string }> {
  const secret = WAYS_IN[way];
  const phc = await quickHasher.hash(secret);
  switch (way) {
    case 'as an argon2id hash':
      return { clientId, clientSecret: null, clientSecretHash: phc, hash: lastOf(phc) };
    case 'as a PBKDF2 hash': {
      const verifier = pbkdf2Of(secret);
      return { clientId, clientSecret: null, clientSecretHash: verifier, hash: lastOf(verifier) };
    }
    case 'in the form of those made here':
      return { clientId, clientSecret: secret, hash: createHash('sha256').update(secret).digest('base64url') };
    case 'as it is':
    default:
      return { clientId, clientSecret: secret, hash: lastOf(phc) };
  }
}

const lastOf = (hash: string): string => hash.split('$').at(-1) ?? '';

/** Registers a client that keeps its imported secret. */
export async function importClient(
  { registration }: Pick<ReturnType<RunningService['service']>, 'registration'>,
  way: WayIn,
  clientId = way.replaceAll(' ', '-'),
  more: Partial<typeof FIELDS> = {},
): Promise<ChosenSecret> {
  const { hash, ...credentials } = await credentialsOf(way, clientId);
  const added = await registration.register({ ...FIELDS, name: clientId, ...more }, null, OPERATOR, credentials);
  if (!('clientId' in added)) throw new Error(JSON.stringify(added));
  return { clientId, secret: WAYS_IN[way], hash };
}

/** Asks for a token as the client. */
export function tokenFor(running: RunningService, { clientId, secret }: Omit<ChosenSecret, 'hash'>): Promise<Answer> {
  const basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
  return running.token({ id: clientId, secret, basic }, { grant_type: 'client_credentials' });
}

/** Whether `text` helps to test guesses of the secrets: it contains a secret, its hash, or a fast hash of it. */
export async function helpsToGuess(text: string, secrets: readonly ChosenSecret[]): Promise<readonly Found[]> {
  const sought = await Promise.all(
    secrets.map(async ({ clientId, secret, hash }) =>
      [
        secret,
        hash,
        lastOf(await quickHasher.hash(secret)),
        lastOf(pbkdf2Of(secret)),
        createHash('sha256').update(secret).digest('hex'),
        createHash('sha256').update(secret).digest('base64url'),
      ].map((wanted) => ({ what: `a hash of ${clientId}`, text: wanted })),
    ),
  );
  return findAtRest(new Map([['the text', Buffer.from(text)]]), sought.flat());
}
