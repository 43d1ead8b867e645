import { timingSafeEqual } from 'node:crypto';
import type { SecretHash } from '../domain/events.ts';
import type { Client } from '../projections/clients.ts';
import { hashCredential } from './credentials.ts';
import { OAuthError } from './errors.ts';
import type { Parameters } from './parameters.ts';

/** RFC 8414's names of the two ways in which a confidential client authenticates. */
export const CLIENT_AUTHENTICATION_METHODS = ['client_secret_basic', 'client_secret_post'] as const;

/** What this part needs to know of registered clients. */
export interface ClientLookup {
  find(clientId: string): Client | undefined;
}

/** Checks a secret that a person may have chosen; slow on purpose. */
export interface ChosenSecretVerifier {
  verify(phc: string, secret: string): Promise<boolean>;
}

export interface ClientAuthentication {
  /**
   * The client behind a request to the token, revocation or introspection endpoint: HTTP Basic, or
   * `client_id` and `client_secret` in the body (RFC 6749 §2.3.1); a public client by its id alone.
   * @throws OAuthError `invalid_client`, the same for an unknown client and a wrong secret;
   *   `invalid_request` for two ways at once that do not agree
   */
  authenticate(authorization: string | undefined, parameters: Parameters): Promise<Client>;
}

interface Credentials {
  readonly clientId: string;
  /** Null where none was sent: a public client's way. */
  readonly secret: string | null;
}

const FAILED = 'client authentication failed: unknown client, or a wrong or missing client secret';

/** Stands in for the secret of a client that does not exist, so that the same work is done. */
const NOBODYS_SECRET: SecretHash = { algorithm: 'sha256', hash: hashCredential('') };

export function createClientAuthentication(clients: ClientLookup, chosenSecrets: ChosenSecretVerifier): ClientAuthentication {
  async function isRight(secret: SecretHash, presented: string): Promise<boolean> {
    return secret.algorithm === 'sha256'
      ? timingSafeEqual(Buffer.from(secret.hash), Buffer.from(hashCredential(presented)))
      : chosenSecrets.verify(secret.phc, presented);
  }

  async function verify({ clientId, secret }: Credentials): Promise<Client | undefined> {
    const client = clients.find(clientId);
    if (secret === null) return client?.clientType === 'public' ? client : undefined;
    const right = await isRight(client?.secret ?? NOBODYS_SECRET, secret);
    return right && client !== undefined && client.secret !== null ? client : undefined;
  }

  /** The form-decoded reading is the RFC's; the raw one lets a pasted curl with `+` or `%` work. */
  async function verifyFirst(readings: readonly Credentials[]): Promise<Client> {
    for (const reading of readings) {
      const client = await verify(reading); // one after the other: the second is tried only where the first fails
      if (client !== undefined) return client;
    }
    throw new OAuthError('invalid_client', FAILED);
  }

  return {
    async authenticate(authorization, parameters) {
      const inBody = bodyCredentials(parameters);
      if (authorization === undefined) {
        if (inBody === undefined) throw new OAuthError('invalid_client', 'client authentication is missing: send HTTP Basic, or client_id and client_secret in the body');
        return verifyFirst([inBody]);
      }
      const inHeader = basicCredentials(authorization);
      const readings = inBody === undefined ? inHeader : inHeader.filter((reading) => agrees(reading, inBody));
      if (readings.length === 0) {
        throw new OAuthError('invalid_request', 'the Authorization header and the body name different client credentials; send one of them');
      }
      return verifyFirst(readings);
    },
  };
}

function bodyCredentials(parameters: Parameters): Credentials | undefined {
  const clientId = parameters.get('client_id');
  const secret = parameters.get('client_secret') ?? null;
  if (clientId === undefined) {
    if (secret !== null) throw new OAuthError('invalid_client', 'client_secret was sent without client_id');
    return undefined;
  }
  return { clientId, secret };
}

/** RFC 6749 §2.3: one way of authenticating a request. The same client said twice is no second way. */
function agrees(header: Credentials, body: Credentials): boolean {
  return header.clientId === body.clientId && (body.secret === null || body.secret === header.secret);
}

const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/** Every way to read a Basic header: form-decoded, and raw where that says something else. */
function basicCredentials(authorization: string): readonly Credentials[] {
  const encoded = BASIC.exec(authorization)?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon <= 0) throw new OAuthError('invalid_client', 'the Authorization header is not Basic base64(client_id:client_secret)');
  const raw = { clientId: text.slice(0, colon), secret: text.slice(colon + 1) || null };
  if (!/[%+]/.test(text)) return [raw];
  const clientId = formDecode(raw.clientId);
  const secret = raw.secret === null ? null : formDecode(raw.secret);
  return clientId === undefined || secret === undefined ? [raw] : [{ clientId, secret }, raw];
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
