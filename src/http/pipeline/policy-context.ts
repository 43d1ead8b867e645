import type { Context } from 'koa';

/** The part of a Koa context that a policy needs. */
export type PolicyContext = Pick<Context, 'method' | 'status' | 'body' | 'set'> & { state: object };
