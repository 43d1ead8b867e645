import type { CommandContext } from '../../event-store/command-handler.ts';
import { DecisionOutdated } from '../../event-store/event-log.ts';
import { OperationRefused } from '../../operations/control/operation-refused.ts';
import type { OperationDeps } from '../../operations/operation-context.ts';
import { operate } from '../../operations/operations.ts';
import type { Semaphore } from '../../platform/semaphore.ts';
import { queryOf } from '../pipeline/query.ts';
import { header } from '../pipeline/request-head.ts';
import { fromState, type Handler, type RequestContext } from '../pipeline/state.ts';
import { respondWithError } from './errors.ts';
import { parsePageRequest, readPage, type PageRequest } from './paging.ts';
import { readInput, invalidValue } from './request-input.ts';
import type { Input, ManagementRow, Version } from './row.ts';
import { findConditionVersion, isConditional, findVersion } from './version.ts';

export interface RowHandlerDeps {
  readonly operationDeps: OperationDeps;
  /** Reports whether the token in the request still allows the operation. */
  readonly mayContinue: (ctx: RequestContext) => boolean;
  readonly semaphores: { readonly quick: Semaphore; readonly slow: Semaphore };
}

/** Returns a handler that runs the operation for the client that presents the token. */
export function rowHandler(row: ManagementRow, deps: RowHandlerDeps): Handler {
  const semaphore = row.isSlow === true ? deps.semaphores.slow : deps.semaphores.quick;
  return async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    const page = isPaged(row) ? requestedPage(ctx) : undefined;
    const input = await readInput(ctx, row);
    if (ifMatchFails(ctx, row, input, deps)) return respondWithPreconditionFailed(ctx, row);
    const attempt = prepareAttempt(ctx, row, input, deps);
    const reason = attempt.denialReason();
    if (reason !== undefined) return respondWithError(ctx, 403, reason);
    try {
      await semaphore.run(() => respond(ctx, row, attempt.run(), page));
    } catch (error) {
      if (!mayBeOutdated(error)) throw error;
      respondIfNoLongerAllowed(ctx, row, input, attempt, deps);
      if (ctx.body === undefined || ctx.body === null) throw toConflict(error);
    }
    if (ctx.status < 300) setETag(ctx, row, input, deps);
  };
}

/** Prepares an attempt to run the operation. The checks are repeated when the operation's events are appended. */
function prepareAttempt(ctx: RequestContext, row: ManagementRow, input: Input, deps: RowHandlerDeps) {
  const { operationDeps, mayContinue } = deps;
  const caller = callerClientId(ctx);
  const denialReason = (): string | undefined => {
    for (const check of row.privilegeChecks ?? []) {
      const reason = check(input, operationDeps, caller);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
  const observedRevision =
    ifMatch(ctx) === undefined ? undefined : findConditionVersion(row, input, operationDeps)?.basedOn;
  // The precondition applies to the state before the request, so it is not checked again after the first change.
  let hasRecorded = false;
  const cause: CommandContext = {
    actor: { kind: 'client', id: caller },
    ...ctx.state.metadata,
    get basedOn() {
      return hasRecorded || observedRevision === undefined ? undefined : [observedRevision];
    },
    isStillValid: () =>
      mayContinue(ctx) && denialReason() === undefined && (hasRecorded || !ifMatchFails(ctx, row, input, deps)),
    onRecorded() {
      hasRecorded = true;
    },
  };
  const disconnection = new AbortController();
  ctx.res.once('close', () => disconnection.abort());
  return {
    denialReason,
    hasRecorded: () => hasRecorded,
    run: () => operate(operationDeps, cause)(row.operation, input, disconnection.signal),
  };
}

async function respond(
  ctx: RequestContext,
  { response }: ManagementRow,
  results: AsyncGenerator<unknown, void, void>,
  page: PageRequest | undefined,
): Promise<void> {
  if (page !== undefined && response.kind === 'list') {
    ctx.body = await readPage(results, response.key, page);
  } else if (page !== undefined && response.kind === 'report') {
    const first = await results.next();
    const resultPage = await readPage(results, response.key, page);
    ctx.body = { ...(first.value as object), ...resultPage };
  } else {
    const { value } = await results.next();
    await results.return();
    ctx.status = response.kind === 'one' ? (response.status ?? 200) : 204;
    if (response.kind === 'one') ctx.body = value;
  }
}

export function isPaged({ response }: ManagementRow): boolean {
  return response.kind === 'list' || response.kind === 'report';
}

function requestedPage(ctx: RequestContext): PageRequest {
  const query = queryOf(ctx);
  return parsePageRequest(query.text('limit'), query.text('cursor'));
}

function callerClientId(ctx: RequestContext): string {
  const principal = fromState(ctx, 'principal');
  return principal.kind === 'bearer' ? principal.clientId : '';
}

/** Reports whether the state conflicts with the operation. The state may have changed since the first checks. */
function mayBeOutdated(error: unknown): error is Error {
  return error instanceof DecisionOutdated || (error instanceof OperationRefused && error.kind === 'conflict');
}

/**
 * Responds with an error if the token is no longer valid, the operation is no longer permitted, or the precondition
 * fails. Otherwise, leaves the response empty.
 */
function respondIfNoLongerAllowed(
  ctx: RequestContext,
  row: ManagementRow,
  input: Input,
  attempt: Pick<ReturnType<typeof prepareAttempt>, 'denialReason' | 'hasRecorded'>,
  deps: RowHandlerDeps,
): void {
  const reason = attempt.denialReason();
  if (!deps.mayContinue(ctx)) {
    ctx.set('WWW-Authenticate', 'Bearer realm="api", error="invalid_token"');
    return respondWithError(ctx, 401, 'The access token expired or was revoked before the change was recorded.');
  }
  if (reason !== undefined) return respondWithError(ctx, 403, reason);
  if (!attempt.hasRecorded() && ifMatchFails(ctx, row, input, deps)) respondWithPreconditionFailed(ctx, row);
}

function toConflict(error: Error): Error {
  return error instanceof DecisionOutdated
    ? new OperationRefused('too many concurrent changes; read the current state, and try again', 'conflict')
    : error;
}

/** Returns the `If-Match` header (RFC 9110 §13.1.1). It is never ignored, not even at a URL without a version. */
function ifMatch(ctx: RequestContext): string | undefined {
  return header(ctx, 'if-match');
}

/**
 * Reports whether the request has an `If-Match` header that does not match the current version.
 * @throws OperationRefused if the header is malformed
 */
function ifMatchFails(
  ctx: RequestContext,
  row: ManagementRow,
  input: Input,
  { operationDeps }: RowHandlerDeps,
): boolean {
  const condition = ifMatch(ctx);
  if (condition === undefined) return false;
  // A weak tag is well-formed, but never matches (RFC 9110 §13.1.1).
  if (!/^(?:\*|(?:W\/)?"[\w-]+"(?:, *(?:W\/)?"[\w-]+")*)$/.test(condition))
    throw invalidValue('If-Match', 'must be * or entity tags');
  const tags = condition.split(/, */);
  if (!isConditional(row)) return !tags.includes('*');
  const currentVersion = findConditionVersion(row, input, operationDeps);
  return currentVersion === undefined || !(tags.includes('*') || tags.includes(entityTag(currentVersion)));
}

function respondWithPreconditionFailed(ctx: RequestContext, row: ManagementRow): void {
  const reason = isConditional(row)
    ? 'The resource has changed since it was read, or does not exist. Read it again before you change it.'
    : 'This URL has no version, so no entity tag in If-Match can match. Send the request without If-Match.';
  respondWithError(ctx, 412, reason);
}

function setETag(ctx: RequestContext, row: ManagementRow, input: Input, { operationDeps }: RowHandlerDeps): void {
  const currentVersion = findVersion(row, input, operationDeps);
  if (currentVersion !== undefined) ctx.set('ETag', entityTag(currentVersion));
}

function entityTag({ tag }: Version): string {
  return `"${tag}"`;
}
