import type { KeyObject } from 'node:crypto';
import type { AcceptClientAssertion, ClientAssertionEvent } from '../../domain/client-assertion.ts';
import { assertionStream } from '../../domain/streams.ts';
import type { CommandHandler } from '../../event-store/command-handler.ts';
import type { Once } from '../../event-store/once.ts';
import { hmacSha256 } from '../credentials/hmac.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { VerifiedAssertion } from './client-assertions.ts';

/** The request that presents an assertion. */
export interface PresentingRequest {
  readonly metadata: { readonly requestId: string; readonly traceparent?: string | undefined };
  /** Prevents a retry of the request from being refused because of its own assertion. */
  readonly once: Once;
}

/** An accepted assertion, which no other request can use. */
export interface AcceptedAssertion {
  /**
   * Resolves when the acceptance is durable. No response may be sent before then. A crash that loses the acceptance
   * also loses later events of the request, so all of them can share one write to the disk.
   */
  readonly whenRecorded: Promise<void>;
}

/**
 * Accepts each assertion once: the log refuses a second event for the same client and `jti`, even on another node or
 * after a restart.
 * @throws OAuthError `invalid_client` if the assertion has already been accepted
 */
export type AcceptAssertion = (assertion: VerifiedAssertion, request: PresentingRequest) => Promise<AcceptedAssertion>;

/** @param key the HMAC key that hides client ids and `jti` values in stream names */
export function createAcceptAssertion(
  commands: CommandHandler<
    AcceptClientAssertion,
    { readonly isAccepted: boolean },
    ClientAssertionEvent,
    'assertion-replayed'
  >,
  key: KeyObject,
): AcceptAssertion {
  const hmac = hmacSha256(key);

  return ({ jti, record }, { metadata, once }) => {
    // The HMAC requires ASCII, and the encoding must be unambiguous.
    const stream = assertionStream(hmac(Buffer.from(JSON.stringify([record.clientId, jti])).toString('base64url')));
    const context = { actor: { kind: 'client', id: record.clientId }, ...metadata } as const;
    const accept = async (onAdmitted: () => void): Promise<void> => {
      const command = { type: 'AcceptClientAssertion', assertion: record } as const;
      const { refusal } = await commands.execute(stream, command, { ...context, onAdmitted });
      if (refusal !== undefined) throw oauthError({ rule: refusal });
    };
    return once(['client-assertion', stream], async () => {
      let whenRecorded = Promise.resolve();
      const whenAdmitted = new Promise<void>((resolve) => {
        whenRecorded = accept(resolve);
      });
      await Promise.race([whenAdmitted, whenRecorded]);
      return { whenRecorded };
    });
  };
}
