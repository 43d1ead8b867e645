import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { RotatingKey } from '../../../platform/keys/rotating-key.ts';
import type { Entropy } from '../../../platform/ports.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { notFound } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/**
 * Passes a new secret from the form that created it to a separate page that shows it, so that reloading the page does
 * not create a second secret. The browser stores the encrypted secret in a cookie that it sends only to that page. The
 * server stores nothing, and any node with the same keys can decrypt the cookie.
 */
export interface SecretsShownOnce {
  /**
   * Redirects to a unique page below `page` that shows `secret` once, to this user in this session.
   * @param page a path that ends with a slash; the route of the unique page has one more segment, `:page`
   */
  redirect(ctx: RequestContext, user: LoggedInUser, page: string, secret: string): void;
  /**
   * Returns the secret for the requested page and deletes its cookie. Returns undefined if the secret has already been
   * shown, is at least five minutes old, or was created in a different session. Also returns undefined for a HEAD
   * request, which must not consume the secret.
   * @throws PageError 404 if `:page` is malformed
   */
  take(ctx: RequestContext, user: LoggedInUser): string | undefined;
}

/** The lifetime of a cookie, which is long enough for a slow redirect and a retry. */
const LIFETIME_SECONDS = 300;

export function createSecretsShownOnce(deps: {
  readonly key: RotatingKey;
  readonly entropy: Entropy;
  readonly now: () => EpochSeconds;
}): SecretsShownOnce {
  const { entropy, now } = deps;
  const cipher = createTextCipher(deps);

  return {
    redirect(ctx, user, page, secret) {
      const path = `${page}${entropy.bytes(PAGE_NAME_BYTES).toString('base64url')}`;
      const content = JSON.stringify({ secret, until: now() + LIFETIME_SECONDS });
      const encryptedSecret = cipher.encrypt(content, bindingFor(user, path));
      ctx.cookies.set(cookieName(ctx), encryptedSecret, { ...COOKIE, path, maxAge: LIFETIME_SECONDS * 1000 });
      ctx.redirect(`${path}/`);
    },

    take(ctx, user) {
      if (!PAGE_NAME.test(pathParameter(ctx, 'page'))) throw notFound();
      const encryptedSecret = ctx.method === 'GET' ? ctx.cookies.get(cookieName(ctx), { signed: false }) : undefined;
      if (encryptedSecret === undefined) return undefined;
      const path = ctx.path.replace(/\/$/, '');
      ctx.cookies.set(cookieName(ctx), null, { ...COOKIE, path });
      const content = cipher.decrypt(encryptedSecret, bindingFor(user, path));
      if (content === undefined) return undefined;
      const { secret, until } = JSON.parse(content) as { readonly secret: string; readonly until: number };
      return now() < until ? secret : undefined;
    },
  };
}

/** The encryption authenticates the content, so the cookie needs no signature. */
const COOKIE = { signed: false, httpOnly: true, sameSite: 'strict', overwrite: true } as const;

/** Enough random bytes to make the path of each page unique, so that two tabs have separate cookies. */
const PAGE_NAME_BYTES = 16;
const PAGE_NAME = /^[\w-]{1,64}$/;

/**
 * Returns the name of the cookie. The name cannot begin with `__Host-`, because that prefix requires the path `/` and
 * this cookie is for a single page.
 */
function cookieName({ cookies }: RequestContext): string {
  return cookies.secure ? '__Secure-grantlog-secret' : 'grantlog-secret';
}

/** Returns the string that a cookie is bound to, so that it can be decrypted only in its session and for its page. */
function bindingFor({ sessionHash }: LoggedInUser, path: string): string {
  return JSON.stringify([sessionHash, path]);
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a cipher that uses AES-GCM with random 96-bit nonces, which is safe for up to 2^32 secrets per key (NIST SP
 * 800-38D, section 8.3).
 */
function createTextCipher({ key, entropy }: { readonly key: RotatingKey; readonly entropy: Entropy }) {
  return {
    encrypt(text: string, binding: string): string {
      const iv = entropy.bytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key.current(), iv).setAAD(Buffer.from(binding));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString('base64url');
    },

    /** Decrypts a value that was encrypted with the same binding. Returns undefined for any other value. */
    decrypt(encrypted: string, binding: string): string | undefined {
      const bytes = Buffer.from(encrypted, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      for (const acceptedKey of key.accepted()) {
        const text = decryptWith(acceptedKey, bytes, binding);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

function decryptWith(key: KeyObject, bytes: Buffer, binding: string): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(binding)).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    return undefined; // tampered with, or encrypted under a different key or for a different page or session
  }
}
