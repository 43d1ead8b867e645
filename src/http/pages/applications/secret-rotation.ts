import { observedClient } from '../../../domain/streams.ts';
import { mintClientSecret } from '../../../oauth/credentials/credentials.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Entropy } from '../../../platform/ports.ts';
import { message, type Message } from '../../../language/message.ts';
import type { Client } from '../../../projections/clients.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { notFound, outdatedFormError } from '../../pipeline/page-error.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { formOf } from '../../pipeline/page-form.ts';
import type { SecretsShownOnce } from './secrets-shown-once.ts';
import { unreadableFormError } from '../../pipeline/form.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** Handles the form with which owners and administrators rotate a client secret. */
export interface SecretRotation {
  mintFormId(client: Client): string;
  /**
   * Rotates the secret and redirects to the page that shows the new secret. Submitting the same form twice rotates the
   * secret only once.
   * @param page the path, ending with a slash, below which a unique page shows the secret
   * @throws PageError 400 if the submitted overlap is unknown; 404 if the client no longer exists; 409 if the secret
   *   has changed since the form was opened
   */
  rotate(ctx: RequestContext, user: LoggedInUser, client: Client, page: string): Promise<void>;
  /**
   * Returns a source of random bytes for the secret that the form creates. The source yields the same bytes each time
   * the form is submitted. Returns undefined if the form has no id.
   * @throws PageError 409 if the secret has changed since the form was opened
   */
  entropyFor(ctx: RequestContext, user: LoggedInUser, client: Client): Entropy | undefined;
}

export function createSecretRotation({
  registration,
  resubmissionGuard,
  secretsShownOnce,
}: {
  readonly registration: Pick<Registration, 'rotateSecret'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly secretsShownOnce: SecretsShownOnce;
}): SecretRotation {
  function entropyFor(ctx: RequestContext, user: LoggedInUser, client: Client): Entropy | undefined {
    const formEntropy = (): Entropy | undefined => resubmissionGuard.entropyFor(ctx, user);
    if (resubmissionGuard.isOutdated(ctx, secretVersion(client)) && !isSecretDerivedFrom(client, formEntropy()))
      throw outdatedFormError();
    return formEntropy();
  }

  return {
    mintFormId: (client) => resubmissionGuard.mintId(secretVersion(client)),
    entropyFor,

    async rotate(ctx, user, client, page) {
      const overlap = readOverlap(ctx);
      const entropy = entropyFor(ctx, user, client);
      const context = userCommandContext(ctx, user, observedClient(client));
      const secret = await registration.rotateSecret(client.clientId, context, overlap, entropy);
      if (secret === undefined) throw notFound();
      ctx.state.webSession.flash(rotationMessage(client.name, overlap));
      secretsShownOnce.redirect(ctx, user, page, secret);
    },
  };
}

/** Returns a string that is different for every secret that the client has ever had. */
function secretVersion({ secret }: Client): string {
  return JSON.stringify(secret);
}

/**
 * Reports whether the current secret was derived from this entropy, that is, by an earlier submission of the same form.
 */
function isSecretDerivedFrom({ secret }: Client, entropy: Entropy | undefined): boolean {
  return entropy !== undefined && secret?.algorithm === 'sha256' && secret.hash === mintClientSecret(entropy).hash;
}

/** The choices on the rotation form, with the number of seconds for which the old secret continues to work. */
const OVERLAP_SECONDS: Readonly<Record<string, number>> = { now: 0, hour: 3_600, day: 86_400, week: 604_800 };

/**
 * Returns the chosen overlap in seconds. The form suggests a day. If the field is absent, for example in a request from
 * a script, the old secret expires immediately.
 * @throws PageError 400 if the value is not one of the choices
 */
function readOverlap(ctx: RequestContext): number {
  const choice = formOf(ctx).text('old_secret') || 'now';
  const seconds = Object.hasOwn(OVERLAP_SECONDS, choice) ? OVERLAP_SECONDS[choice] : undefined;
  if (seconds === undefined) {
    const values = Object.keys(OVERLAP_SECONDS).join(', ');
    throw unreadableFormError(message('rotation.unknown-overlap', { values }));
  }
  return seconds;
}

/** Returns the message to show after the redirect. The page itself shows when the old secret expires. */
function rotationMessage(application: string, overlapSeconds: number): Message {
  return message(overlapSeconds === 0 ? 'rotation.done' : 'rotation.done-overlap', { application });
}
