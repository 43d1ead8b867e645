import { createHash } from 'node:crypto';
import { mintClientSecret } from '../../src/oauth/credentials/credentials.ts';
import type { ImportedCredentials } from '../../src/oauth/clients/new-credentials.ts';
import { findLeaks, type Leak } from './at-rest.ts';
import { pbkdf2Of, quickHasher } from './quick-hasher.ts';
import type { TestResponse, RunningService } from './running-service.ts';
import { seededEntropy } from './seeded-entropy.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** A client secret imported from another server. */
export interface ImportedSecret {
  readonly clientId: string;
  readonly secret: string;
  /** The unsealed hash, which would allow guesses to be tested. */
  readonly hash: string;
}

const REGISTRATION = {
  clientType: 'confidential',
  grantTypes: ['client-credentials'],
  redirectUris: [],
  allowedOrigins: [],
  skipAuthorization: false,
};

/** A user-chosen secret for each format that it can be imported in. */
export const SECRETS_BY_FORMAT = {
  'in plain text': 'a secret that somebody chose',
  'as an argon2id hash': 'a secret that is hashed',
  'as a PBKDF2 hash': 'a secret of Django',
  'in the format of generated secrets': mintClientSecret(seededEntropy('another server')).value,
} as const;
export type ImportFormat = keyof typeof SECRETS_BY_FORMAT;
export const IMPORT_FORMATS = Object.keys(SECRETS_BY_FORMAT) as readonly ImportFormat[];

async function createCredentials(
  format: ImportFormat,
  clientId: string,
): Promise<ImportedCredentials & { readonly hash: string }> {
  const secret = SECRETS_BY_FORMAT[format];
  const phc = await quickHasher.hash(secret);
  switch (format) {
    case 'as an argon2id hash':
      return { clientId, clientSecret: null, clientSecretHash: phc, hash: hashPart(phc) };
    case 'as a PBKDF2 hash': {
      const verifier = pbkdf2Of(secret);
      return { clientId, clientSecret: null, clientSecretHash: verifier, hash: hashPart(verifier) };
    }
    case 'in the format of generated secrets':
      return { clientId, clientSecret: secret, hash: createHash('sha256').update(secret).digest('base64url') };
    case 'in plain text':
    default:
      return { clientId, clientSecret: secret, hash: hashPart(phc) };
  }
}

const hashPart = (hash: string): string => hash.split('$').at(-1) ?? '';

/** Registers a client with an imported secret. */
export async function importClient(
  { registration }: Pick<ReturnType<RunningService['service']>, 'registration'>,
  format: ImportFormat,
  clientId = format.replaceAll(' ', '-'),
  overrides: Partial<typeof REGISTRATION> = {},
): Promise<ImportedSecret> {
  const { hash, ...credentials } = await createCredentials(format, clientId);
  const result = await registration.register(
    { ...REGISTRATION, name: clientId, ...overrides },
    null,
    OPERATOR,
    credentials,
  );
  if (!('clientId' in result)) throw new Error(JSON.stringify(result));
  return { clientId, secret: SECRETS_BY_FORMAT[format], hash };
}

/** Requests a token with the client's secret. */
export function requestToken(
  running: RunningService,
  { clientId, secret }: Omit<ImportedSecret, 'hash'>,
): Promise<TestResponse> {
  const basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
  return running.token({ id: clientId, secret, basic }, { grant_type: 'client_credentials' });
}

/** Finds the secrets in `text`, and hashes of them that would allow guesses to be tested. */
export async function findGuessableSecrets(text: string, secrets: readonly ImportedSecret[]): Promise<readonly Leak[]> {
  const secretTexts = await Promise.all(
    secrets.map(async ({ clientId, secret, hash }) =>
      [
        secret,
        hash,
        hashPart(await quickHasher.hash(secret)),
        hashPart(pbkdf2Of(secret)),
        createHash('sha256').update(secret).digest('hex'),
        createHash('sha256').update(secret).digest('base64url'),
      ].map((part) => ({ name: `a hash of ${clientId}`, text: part })),
    ),
  );
  return findLeaks(new Map([['the text', Buffer.from(text)]]), secretTexts.flat());
}
