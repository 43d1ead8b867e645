import { NoAdministratorLeft } from '../../accounts/last-administrator.ts';
import { DecisionOutdated, LogUnavailable } from '../../event-store/event-log.ts';
import { LogUnreachable } from '../../event-store/log-unreachable.ts';
import { isDiskFull, OutOfSpace } from '../../event-store/out-of-space.ts';
import { message, type Message } from '../../language/message.ts';
import { UnusableRequestError } from '../../oauth/endpoints/authorization-request.ts';
import { oauthError, type OAuthError } from '../../oauth/endpoints/errors.ts';
import { HashingOverloadedError } from '../../platform/hashing/hashing-overloaded.ts';
import { KeyStillStoredError } from '../../platform/keys/key-removal.ts';
import { TooManyAttemptsError } from '../../platform/limits/too-many-attempts.ts';
import type { Endpoint } from '../endpoint.ts';
import { conflictError, PageError, type ErrorFact } from './page-error.ts';

/** The page for an error, and the delay before a retry. */
export interface ErrorMessage {
  readonly page: PageError;
  /** The number of seconds after which the caller should try again. */
  readonly retryAfterSeconds?: number;
}

/** Returns the message for an error that the server expects, or undefined for any other error. */
export function knownErrorMessage(error: unknown, endpoint: Endpoint | undefined): ErrorMessage | undefined {
  if (error instanceof PageError) return { page: error };
  if (error instanceof UnusableRequestError) return { page: unusableRequestPage(error) };
  if (error instanceof TooManyAttemptsError) return rateLimitMessage(error);
  if (error instanceof HashingOverloadedError) return overloadMessage(error);
  if (error instanceof OutOfSpace) return outOfSpaceMessage();
  if (error instanceof LogUnreachable) return unreachableMessage();
  if (error instanceof NoAdministratorLeft) return { page: lastAdministratorPage(error) };
  if (error instanceof KeyStillStoredError) return { page: keyStillStoredPage(error) };
  return error instanceof DecisionOutdated ? outdatedMessage(endpoint) : undefined;
}

/** Returns the message for an unexpected error, for which `knownErrorMessage` returns undefined. */
export function unexpectedErrorMessage(error: unknown): ErrorMessage {
  if (error instanceof LogUnavailable || isOutOfSpace(error)) {
    return {
      page: unavailablePage(message('error.cannot-save'), message('error.in-some-seconds')),
      retryAfterSeconds: 5,
    };
  }
  return {
    page: new PageError(
      500,
      message('error.unexpected'),
      message('error.unexpected.text'),
      message('error.unexpected.advice'),
    ),
  };
}

/**
 * Returns the OAuth error for an exhausted rate limit. RFC 6749 §5.2 has no code for this case.
 * `temporarily_unavailable` (§4.1.2.1) tells a client to try again later. After `invalid_client` or `invalid_grant`, a
 * client would discard credentials that may be valid.
 */
export function rateLimitError({ limit, retryAfterSeconds }: TooManyAttemptsError): OAuthError {
  return oauthError({ rule: 'rate-limit', limit, retryAfterSeconds });
}

function rateLimitMessage({ limit, retryAfterSeconds }: TooManyAttemptsError): ErrorMessage {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const page = new PageError(
    429,
    message('error.too-many-attempts'),
    message('error.too-many-attempts.text'),
    message('error.in-minutes', { minutes }),
    { rule: 'rate-limit', limit, retryAfterSeconds },
  );
  return { page, retryAfterSeconds };
}

/** Returns the message for an overload. Overloads are not logged: unauthenticated callers could fill the log file. */
function overloadMessage({ retryAfterSeconds }: HashingOverloadedError): ErrorMessage {
  const page = new PageError(
    503,
    message('error.too-many-requests'),
    message('error.too-many-requests.text'),
    message('error.in-seconds', { seconds: retryAfterSeconds }),
    { rule: 'overloaded', retryAfterSeconds },
  );
  return { page, retryAfterSeconds };
}

function unusableRequestPage(error: UnusableRequestError): PageError {
  const { refusal, requestDetails } = error;
  const { application, clientId, redirectUri } = requestDetails;
  return new PageError(
    400,
    message('error.invalid-request'),
    error.text,
    message('error.invalid-request.advice'),
    refusal,
    [
      ...optionalFact(message('error.application'), application),
      ...optionalFact(message('error.requested-client-id'), clientId),
      ...optionalFact(message('error.requested-redirect-uri'), redirectUri),
    ],
  );
}

const MAX_FACT_LENGTH = 300;

/**
 * Returns a list with one fact, or an empty list if the text is undefined. The text comes from the caller, so it is
 * truncated, and characters that could alter the appearance of the page are replaced.
 */
function optionalFact(title: Message, text: string | undefined): readonly ErrorFact[] {
  if (text === undefined) return [];
  const printable = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '�');
  return [
    {
      title,
      text:
        printable.length > MAX_FACT_LENGTH
          ? `${printable.slice(0, MAX_FACT_LENGTH)}…`
          : printable || message('error.empty'),
    },
  ];
}

function lastAdministratorPage({ affects }: NoAdministratorLeft): PageError {
  if (affects !== 'account')
    return new PageError(
      409,
      message('error.last-administrator'),
      message('error.last-way.text'),
      message('error.last-way.advice'),
    );
  return new PageError(
    409,
    message('error.last-administrator'),
    message('error.last-administrator.text'),
    message('error.last-administrator.advice'),
  );
}

/** Returns the page for a deletion that was recorded, but whose key could not be destroyed yet (RFC 9110 §15.3.3). */
function keyStillStoredPage({ owner }: KeyStillStoredError): PageError {
  return new PageError(
    202,
    message('error.not-finished'),
    message('error.not-finished.text', { owner }),
    message('error.not-finished.advice'),
  );
}

/** A node reconnects automatically, usually at once, and other nodes may respond in the meantime. */
const UNREACHABLE_RETRY_SECONDS = 1;

/**
 * Returns the message for an unreachable event log. Failed requests are not logged as errors, because this node logs
 * one line when it loses contact with the event log.
 */
function unreachableMessage(): ErrorMessage {
  const page = unavailablePage(message('error.lost-contact'), message('error.in-some-seconds'));
  return { page, retryAfterSeconds: UNREACHABLE_RETRY_SECONDS };
}

function unavailablePage(text: Message, advice: Message): PageError {
  return new PageError(503, message('error.not-available'), text, advice);
}

/** The operator has to free space, which takes longer than a few seconds. */
const OUT_OF_SPACE_RETRY_SECONDS = 30;

/** Returns the message for an almost full disk. Failed requests are not logged as errors: log lines take space. */
function outOfSpaceMessage(): ErrorMessage {
  const page = unavailablePage(message('error.disk-full'), message('error.later-or-operator'));
  return { page, retryAfterSeconds: OUT_OF_SPACE_RETRY_SECONDS };
}

/** Returns the message for a request that recorded nothing, because other requests kept changing the same data. */
function outdatedMessage(endpoint: Endpoint | undefined): ErrorMessage {
  const reader = endpoint === undefined || endpoint.kind === 'page' ? 'user' : 'program';
  if (endpoint?.authentication !== 'client') return { page: conflictError(409, reader) };
  return { page: conflictError(503, reader), retryAfterSeconds: 1 };
}

/** Reports whether a file beside the log could not be written for lack of space. If so, nothing was recorded. */
function isOutOfSpace(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof Error && 'code' in error && error.code === 'EFBIG');
}
