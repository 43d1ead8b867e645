import type { Next } from 'koa';
import type { EpochSeconds } from '../../domain/values.ts';
import { effectiveSecurity, type ServerSecurity } from '../../domain/security-profile.ts';
import type { DpopProofs } from '../../oauth/dpop/dpop-proofs.ts';
import { OAuthError } from '../../oauth/endpoints/errors.ts';
import { header } from './request-head.ts';
import { fromState, type Handler, type RequestContext } from './state.ts';

/** The header with the nonce for the client's next proof (RFC 9449 §8). */
const NONCE_HEADER = 'DPoP-Nonce';

export interface DpopProofDeps {
  readonly dpopProofs: DpopProofs;
  /** The public base URLs of this server. */
  readonly publicBases: () => PublicBases;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly now: () => EpochSeconds;
  readonly settings: ServerSecurity;
}

/** The base URLs at which clients may reach this server. */
export type PublicBases = readonly [string, ...string[]];

/**
 * Returns the URLs that a proof for a request may contain. They do not depend on `Host` or on proxy headers. `path`
 * does not include the path of the issuer, because the reverse proxy removes that prefix from request URLs.
 */
export function publicUrls(
  [first, ...others]: PublicBases,
  { path }: { readonly path: string },
): readonly [string, ...string[]] {
  return [`${first}${path}`, ...others.map((base) => `${base}${path}`)];
}

/**
 * Returns a step for the token endpoint and for pushed requests, to run after `authenticateClient`. If the request
 * contains a proof, the step accepts the proof and sets `ctx.state.confirmation`. The endpoint decides whether a proof
 * is required.
 */
export function acceptDpopProof({ dpopProofs, publicBases, addressOf, now, settings }: DpopProofDeps): Handler {
  return (ctx, next) => {
    const proof = header(ctx, 'dpop');
    return proof === undefined ? next() : accept(ctx, proof, next);
  };

  async function accept(ctx: RequestContext, proof: string, next: Next): Promise<void> {
    const client = fromState(ctx, 'client');
    const { algorithms } = effectiveSecurity(client, settings);
    const urls = publicUrls(publicBases(), ctx);
    // Anyone can send the id of a public client. Counting by address keeps one caller from locking out the others.
    const sender = { client: client.clientId, caller: client.clientType === 'public' ? addressOf(ctx) : undefined };
    const request = { proof, method: ctx.method, urls, algorithms, sender, now: now() };
    const { confirmation, nextNonce } = await ctx.state.once(['dpop-proof', proof], async () =>
      withNonce(ctx, dpopProofs, now, () => dpopProofs.accept(request)),
    );
    if (nextNonce !== undefined) ctx.set(NONCE_HEADER, nextNonce);
    ctx.state.confirmation = confirmation;
    await next();
  }
}

/** Calls `accept`. If the call fails with `use_dpop_nonce`, adds a nonce to the response. */
async function withNonce<Result>(
  ctx: RequestContext,
  { nonce }: Pick<DpopProofs, 'nonce'>,
  now: () => EpochSeconds,
  accept: () => Promise<Result>,
): Promise<Result> {
  try {
    return await accept();
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'use_dpop_nonce') ctx.set(NONCE_HEADER, nonce(now()));
    throw error;
  }
}
