import { OperationRefused, type RefusalKind } from '../../operations/control/operation-refused.ts';
import { OverloadedError } from '../../platform/semaphore.ts';
import { errorCodeFor } from '../pipeline/error-codes.ts';
import type { Handler, RequestContext } from '../pipeline/state.ts';
import { toSnakeCase } from './naming.ts';

const STATUSES: Readonly<Record<RefusalKind, number>> = { invalid: 400, unknown: 404, conflict: 409 };

/** Gives each error response a code and a description, including the responses of the policy and other steps. */
export const addErrorCodes: Handler = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (error instanceof OperationRefused) return respondWithRefusal(ctx, error);
    if (!(error instanceof OverloadedError)) throw error;
    ctx.set('Retry-After', '1');
    return respondWithError(ctx, 503, 'too many requests are waiting; try again');
  }
  const { status, body } = ctx;
  if (status < 400 || !isDetailed(body)) return;
  const { detail, ...otherMembers } = body;
  const error = status === 403 && 'required_scopes' in otherMembers ? 'insufficient_scope' : errorCodeFor(status);
  ctx.body = { error, error_description: detail, ...otherMembers };
};

export function respondWithError(ctx: RequestContext, status: number, description: string, members: object = {}): void {
  ctx.status = status;
  ctx.state.errorCode = errorCodeFor(status);
  ctx.body = { error: errorCodeFor(status), error_description: description, ...members };
}

function respondWithRefusal(ctx: RequestContext, refusal: OperationRefused): void {
  const { kind, message, problems } = refusal;
  const fields = problems.map(({ path, message: problem }) => ({ field: memberPath(path), problem }));
  const text = fields.length === 0 ? withoutCommand(message) : fields.map(formatProblem).join('; ');
  respondWithError(ctx, STATUSES[kind], text, fields.length === 0 ? {} : { fields });
}

function formatProblem({ field, problem }: { readonly field: string; readonly problem: string }): string {
  return field === '' ? problem : `${field}: ${problem}`;
}

/** Returns the path of a member in the body, with dots between the names. */
function memberPath(path: readonly (string | number)[]): string {
  const bodyPath = path[0] === 'changes' ? path.slice(1) : path;
  return bodyPath.map((part) => (typeof part === 'number' ? String(part) : toSnakeCase(part))).join('.');
}

/** Returns the message without the command at its end, which API clients cannot run. */
function withoutCommand(message: string): string {
  return message.replace(/[;:] (?:see: )?grantlog [^;]*$/, '');
}

function isDetailed(body: unknown): body is { readonly detail: string } {
  return typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';
}
