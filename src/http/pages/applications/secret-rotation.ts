import { clientAsRead } from '../../../domain/streams.ts';
import { mintClientSecret } from '../../../oauth/credentials/credentials.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Entropy } from '../../../platform/ports.ts';
import type { Client } from '../../../projections/clients.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { notFound, outdatedForm } from '../../pipeline/page-error.ts';
import type { RepeatedForms } from '../../pipeline/repeated-forms.ts';
import { readOverlap, rotationMessage } from './secret-overlap.ts';
import type { SecretsShownOnce } from './secrets-shown-once.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** The form that rotates a client secret, for the owner of the client and for an administrator. */
export interface SecretRotation {
  mintFormId(client: Client): string;
  /**
   * Rotates the secret and redirects to the page that shows the new one. A form that is sent twice rotates once.
   * @param page an address that ends with a slash, below which the secret is shown
   * @throws PageError 404 there is no such client any more; 409 the client has had another secret since the form
   */
  rotate(ctx: RequestContext, user: LoggedInUser, client: Client, page: string): Promise<void>;
}

export function createSecretRotation({
  registration,
  repeatedForms,
  secretsShownOnce,
}: {
  readonly registration: Pick<Registration, 'rotateSecret'>;
  readonly repeatedForms: RepeatedForms;
  readonly secretsShownOnce: SecretsShownOnce;
}): SecretRotation {
  return {
    mintFormId: (client) => repeatedForms.mintId(currentSecret(client)),

    async rotate(ctx, user, client, page) {
      const overlap = readOverlap(ctx);
      const draw = (): Entropy | undefined => repeatedForms.entropyFor(ctx, user);
      if (repeatedForms.isOutdated(ctx, currentSecret(client)) && !isSecretDerivedFrom(client, draw()))
        throw outdatedForm();
      const context = userCommandContext(ctx, user, clientAsRead(client));
      const secret = await registration.rotateSecret(client.clientId, context, overlap, draw());
      if (secret === undefined) throw notFound();
      ctx.state.webSession.flash(rotationMessage(client.name, overlap));
      secretsShownOnce.redirect(ctx, user, page, secret);
    },
  };
}

/** Differs for each secret that the client ever has. */
function currentSecret({ secret }: Client): string {
  return JSON.stringify(secret);
}

/** Whether its present secret is the one drawn from these bytes: then the form was sent before, and is the last. */
function isSecretDerivedFrom({ secret }: Client, from: Entropy | undefined): boolean {
  return from !== undefined && secret?.algorithm === 'sha256' && secret.hash === mintClientSecret(from).hash;
}
