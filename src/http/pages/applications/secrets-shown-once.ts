import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Entropy } from '../../../platform/ports.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { notFound } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/**
 * Secrets on their way from the form that made them to the page that shows them. The form answers with a redirect,
 * so that reloading the page makes no second secret. In between the browser keeps the secret, sealed, in a cookie that
 * only that page is sent: the server keeps nothing, and every node with the same keys can open the seal.
 */
export interface SecretsShownOnce {
  /**
   * Redirects to a page of its own below `page`, which shows `secret` once to this user in this session.
   * @param page an address that ends with a slash; its route takes one more segment, `:page`
   */
  redirect(ctx: RequestContext, user: LoggedInUser, page: string, secret: string): void;
  /**
   * The secret that the page at the requested address shows. It leaves the browser with this answer. Undefined when it
   * was shown before, is more than five minutes old, or was sealed in another session.
   * @throws PageError 404 no such page was ever made
   */
  take(ctx: RequestContext, user: LoggedInUser): string | undefined;
}

/** Long enough for a redirect over a bad connection, and for a second try when the page did not arrive. */
const LIFETIME_SECONDS = 300;

export function createSecretsShownOnce(parts: {
  readonly key: KeyObject;
  readonly entropy: Entropy;
  readonly now: () => EpochSeconds;
}): SecretsShownOnce {
  const { entropy, now } = parts;
  const seal = createSeal(parts);

  return {
    redirect(ctx, user, page, secret) {
      const path = `${page}${entropy.bytes(ADDRESS_BYTES).toString('base64url')}`;
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

/** The seal authenticates, so the cookie needs no signature of its own. */
const COOKIE = { signed: false, httpOnly: true, sameSite: 'strict', overwrite: true } as const;

/** Makes the addresses of two such pages differ, so that each has a cookie of its own: for two tabs at once. */
const ADDRESS_BYTES = 16;
const PAGE_NAME = /^[\w-]{1,64}$/;

/** `__Host-` is for cookies of the whole host, and this one belongs to one page. */
function cookieName({ cookies }: RequestContext): string {
  return cookies.secure ? '__Secure-grantlog-secret' : 'grantlog-secret';
}

function sealBinding({ sessionHash }: LoggedInUser, path: string): string {
  return JSON.stringify([sessionHash, path]);
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Authenticated encryption under a random nonce of 96 bits, which is safe for 2^32 secrets (NIST SP 800-38D, 8.3). */
function createSeal({ key, entropy }: { readonly key: KeyObject; readonly entropy: Entropy }) {
  return {
    close(text: string, binding: string): string {
      const iv = entropy.bytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(binding));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, encrypted, cipher.getAuthTag()]).toString('base64url');
    },

    /** What was sealed with this binding; undefined for anything else. */
    open(sealed: string, binding: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(binding)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
        return text.toString('utf8');
      } catch {
        return undefined; // sealed with another key or for another page, or changed on the way
      }
    },
  };
}
