import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { RotatingKey } from '../../../platform/keys/rotating-key.ts';
import type { Entropy } from '../../../platform/ports.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { notFound } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/**
 * Passes a new secret from the form that created it to the page that shows it. The form redirects, so that reloading
 * the page does not create a second secret. Until then, the browser stores the encrypted secret in a cookie that is
 * sent to that page only. The server stores nothing, and any node with the same keys can decrypt it.
 */
export interface SecretsShownOnce {
  /**
   * Redirects to a unique page below `page` that shows `secret` once, to this user in this session.
   * @param page a path that ends with a slash; its route has one more segment, `:page`
   */
  redirect(ctx: RequestContext, user: LoggedInUser, page: string, secret: string): void;
  /**
   * Returns the secret for the requested page. The response removes it from the browser. Returns undefined if it was
   * already shown, is more than five minutes old, or belongs to another session.
   * @throws PageError 404 if no such page can exist
   */
  take(ctx: RequestContext, user: LoggedInUser): string | undefined;
}

/** Long enough for a slow redirect and a retry. */
const LIFETIME_SECONDS = 300;

export function createSecretsShownOnce(parts: {
  readonly key: RotatingKey;
  readonly entropy: Entropy;
  readonly now: () => EpochSeconds;
}): SecretsShownOnce {
  const { entropy, now } = parts;
  const seal = createSeal(parts);

  return {
    redirect(ctx, user, page, secret) {
      const path = `${page}${entropy.bytes(PAGE_NAME_BYTES).toString('base64url')}`;
      const sealed = seal.close(JSON.stringify({ secret, until: now() + LIFETIME_SECONDS }), sealBinding(user, path));
      ctx.cookies.set(cookieName(ctx), sealed, { ...COOKIE, path, maxAge: LIFETIME_SECONDS * 1000 });
      ctx.redirect(`${path}/`);
    },

    take(ctx, user) {
      if (!PAGE_NAME.test(pathParameter(ctx, 'page'))) throw notFound();
      const sealed = ctx.method === 'GET' ? ctx.cookies.get(cookieName(ctx), { signed: false }) : undefined;
      if (sealed === undefined) return undefined;
      const path = ctx.path.replace(/\/$/, '');
      ctx.cookies.set(cookieName(ctx), null, { ...COOKIE, path });
      const opened = seal.open(sealed, sealBinding(user, path));
      if (opened === undefined) return undefined;
      const { secret, until } = JSON.parse(opened) as { readonly secret: string; readonly until: number };
      return now() < until ? secret : undefined;
    },
  };
}

/** The encryption authenticates the content, so the cookie needs no signature. */
const COOKIE = { signed: false, httpOnly: true, sameSite: 'strict', overwrite: true } as const;

/** Makes the paths of the pages unique, so that two tabs have separate cookies. */
const PAGE_NAME_BYTES = 16;
const PAGE_NAME = /^[\w-]{1,64}$/;

/** `__Host-` requires the path `/`, but this cookie is for one page. */
function cookieName({ cookies }: RequestContext): string {
  return cookies.secure ? '__Secure-grantlog-secret' : 'grantlog-secret';
}

function sealBinding({ sessionHash }: LoggedInUser, path: string): string {
  return JSON.stringify([sessionHash, path]);
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-GCM and random 96-bit nonces, which is safe for 2^32 secrets per key (NIST SP 800-38D, section
 * 8.3).
 */
function createSeal({ key, entropy }: { readonly key: RotatingKey; readonly entropy: Entropy }) {
  return {
    close(text: string, binding: string): string {
      const iv = entropy.bytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key.current(), iv).setAAD(Buffer.from(binding));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, encrypted, cipher.getAuthTag()]).toString('base64url');
    },

    /** Decrypts a text that was sealed with the same binding. Returns undefined for anything else. */
    open(sealed: string, binding: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      for (const accepted of key.accepted()) {
        const text = decrypt(bytes, binding, accepted);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

function decrypt(bytes: Buffer, binding: string, key: KeyObject): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(binding)).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    return undefined; // sealed with a different key or for a different page, or tampered with
  }
}
