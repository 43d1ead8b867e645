import { isMessage, type Message, type Text } from '../../language/message.ts';
import type { UpstreamRefusal } from '../refusals/upstream-refusal.ts';

/**
 * Error codes of connection failures that the other side or the network causes, such as an expired certificate.
 * ETIMEDOUT is not included: a delay of a quarter of a second is enough to cause it, and a flood of requests to this
 * server can cause such a delay.
 */
const REMOTE_FAILURES =
  /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_(?:TLS|SSL)_\w+|(?:CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE)_\w+)$/;

/** Problems that a flood of logins can cause. Anyone can begin logins until this server or the provider limits them. */
const CAUSED_BY_CALLERS: readonly string[] = [
  'egress.rate-limited',
  'egress.busy',
  'egress.resolving',
  'egress.stopping',
  'egress.late', // slow lookups of other host names may delay every request
];
const TOO_MANY_REQUESTS = 429;

/** Failures that occur before the token request is sent. */
const UNSENT_FAILURES: readonly string[] = ['provider-tokens.secret', 'egress.unresolved', 'egress.address'];

/**
 * Reports whether a failed request during a login shows that the connection to the provider is broken. An attacker must
 * not be able to make a healthy provider look broken, whether with a flood of logins or with a made-up code, which
 * providers may respond to in any way. Therefore, a failed token request counts only if it did not reach the provider.
 */
export function isOutage(refusal: UpstreamRefusal): boolean {
  if (refusal.rule !== 'upstream-unavailable') return false;
  const { what, problem } = refusal;
  if (what === 'userinfo') return false;
  return what === 'tokens' ? isUnsent(problem) : !isCausedByCallers(problem);
}

function isUnsent(problem: Text): boolean {
  return isMessage(problem) && (UNSENT_FAILURES.includes(problem.key) || isRemoteFailure(problem));
}

function isCausedByCallers(problem: Text): boolean {
  if (!isMessage(problem)) return false;
  const { key, values } = problem;
  if (key === 'egress.connection') return !isRemoteFailure(problem);
  return CAUSED_BY_CALLERS.includes(key) || values?.['status'] === TOO_MANY_REQUESTS;
}

function isRemoteFailure(problem: Message): boolean {
  if (problem.key !== 'egress.connection') return false;
  const code = problem.values?.['code'];
  return typeof code === 'string' && REMOTE_FAILURES.test(code);
}
