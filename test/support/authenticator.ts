import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { BrowserSession, Page } from './browser-session.ts';
import { hiddenFields } from './browser-session.ts';

/** A software authenticator, in a simulated browser that can claim any origin. */
export interface Authenticator {
  readonly credentialId: string;
  /** Returns the result of `navigator.credentials.create` as JSON. */
  create(options: CreationOptions, overrides?: Overrides): string;
  /** Returns the result of `navigator.credentials.get` as JSON. */
  get(options: RequestOptions, overrides?: Overrides): string;
}

export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id?: string };
  readonly user: { readonly id: string };
}

export interface RequestOptions {
  readonly challenge: string;
  readonly rpId?: string;
}

/** Values that a genuine authenticator or browser would not send. */
export interface Overrides {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly userHandle?: string;
  readonly isUserVerified?: boolean;
  readonly signedBy?: KeyObject;
  /** The format of an attestation with certificates. */
  readonly format?: string;
}

const ORIGIN = 'http://localhost:8000';

/** Creates an authenticator whose keys and signatures are random: no test compares them byte by byte. */
export function createAuthenticator(
  credentialId = randomBytes(16).toString('base64url'),
  key = generateKey(),
): Authenticator {
  let userHandle = 'A'.repeat(22);
  let signatureCount = 0;
  const { x = '', y = '' } = key.export({ format: 'jwk' }) as { x?: string; y?: string };
  const coseKey = map([
    [1, integer(2)],
    [3, integer(-7)],
    [-1, integer(1)],
    [-2, bytes(Buffer.from(x, 'base64url'))],
    [-3, bytes(Buffer.from(y, 'base64url'))],
  ]);

  function authenticatorData(
    rpId: string,
    { isUserVerified = true }: Overrides,
    attestedData: Buffer = Buffer.alloc(0),
  ): Buffer {
    const flags = 0x01 | (isUserVerified ? 0x04 : 0) | (attestedData.length > 0 ? 0x40 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE((signatureCount += 1));
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter, attestedData]);
  }

  return {
    credentialId,

    create({ challenge, rp, user }, overrides = {}) {
      userHandle = user.id;
      const id = Buffer.from(credentialId, 'base64url');
      const attestedData = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([id.length >> 8, id.length & 0xff]),
        id,
        coseKey,
      ]);
      const data = authenticatorData(overrides.rpId ?? rp.id ?? '', overrides, attestedData);
      const statement =
        overrides.format === undefined
          ? map([])
          : map([
              ['alg', integer(-7)],
              ['sig', bytes(Buffer.alloc(8))],
              ['x5c', array([bytes(Buffer.alloc(8))])],
            ]);
      const attestationObject = map([
        ['fmt', text(overrides.format ?? 'none')],
        ['attStmt', statement],
        ['authData', bytes(data)],
      ]);
      return credentialJson(credentialId, {
        clientDataJSON: clientData('webauthn.create', challenge, overrides).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal', 'unheard-of'],
      });
    },

    get({ challenge, rpId = '' }, overrides = {}) {
      const clientDataJSON = clientData('webauthn.get', challenge, overrides);
      const data = authenticatorData(overrides.rpId ?? rpId, overrides);
      const signature = sign(
        'sha256',
        Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()]),
        overrides.signedBy ?? key,
      );
      return credentialJson(credentialId, {
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: overrides.userHandle ?? userHandle,
      });
    },
  };
}

export function generateKey(): KeyObject {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }));
}

/** Adds a passkey on the page, as its script does. */
export async function addPasskey(
  browser: BrowserSession,
  password: string,
  device: Authenticator,
  { name = 'Laptop', overrides = {} }: { name?: string; overrides?: Overrides } = {},
): Promise<Page> {
  const { csrf_token = '' } = hiddenFields((await browser.get('/accounts/passkeys/add/')).html);
  const options = await browser.post('/accounts/passkeys/options/', { csrf_token, password });
  if (options.status !== 200) return options;
  return browser.post('/accounts/passkeys/add/', {
    csrf_token,
    name,
    answer: device.create(JSON.parse(options.html) as CreationOptions, overrides),
  });
}

/** Logs in with a passkey, as the page's script does. */
export async function logInWithPasskey(
  browser: BrowserSession,
  device: Authenticator,
  overrides: Overrides = {},
): Promise<Page> {
  const { csrf_token = '' } = hiddenFields((await browser.get('/accounts/login/')).html);
  const options = await browser.get('/accounts/login/passkey/');
  return browser.post('/accounts/login/passkey/', {
    csrf_token,
    next: '/',
    answer: device.get(JSON.parse(options.html) as RequestOptions, overrides),
  });
}

function credentialJson(id: string, response: object): string {
  return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
}

function clientData(type: string, challenge: string, overrides: Overrides): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: overrides.type ?? type,
      challenge: overrides.challenge ?? challenge,
      origin: overrides.origin ?? ORIGIN,
      crossOrigin: false,
    }),
  );
}

// CBOR (RFC 8949), only the part that an authenticator needs

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}

function integer(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value);
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([head(2, value.length), value]);
}

function text(value: string): Buffer {
  return Buffer.concat([head(3, value.length), Buffer.from(value)]);
}

function array(items: readonly Buffer[]): Buffer {
  return Buffer.concat([head(4, items.length), ...items]);
}

function map(entries: readonly (readonly [string | number, Buffer])[]): Buffer {
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, value]) => [typeof key === 'string' ? text(key) : integer(key), value]),
  ]);
}
