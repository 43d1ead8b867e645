import { algorithmsOf, type ClientKey, type TlsSubject } from '../../../domain/client-authentication.ts';
import type { PublicKey } from '../../../domain/public-key.ts';
import { observedClient } from '../../../domain/streams.ts';
import { methodProblems } from '../../../oauth/clients/authentication-rules.ts';
import { readPastedKeys } from '../../../oauth/clients/pasted-keys.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import { tlsSubjectProblem } from '../../../oauth/clients/tls-subject-rules.ts';
import type { CertificateSupport } from '../../../oauth/endpoints/certificate-metadata.ts';
import { joinTexts, message, type Message, type Text } from '../../../language/message.ts';
import type { Client } from '../../../projections/clients.ts';
import { notFound, outdatedFormError } from '../../pipeline/page-error.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { applicationHeading } from './application-heading.ts';
import { confidentialMethods, annotatedMethods, readTlsSubject, tlsSubjectValues } from './authentication-fields.ts';
import type { ClientKeyLocals } from './locals.ts';
import type { ApplicationArea } from './owner-routes.ts';

export interface KeysPageDeps {
  readonly registration: Pick<Registration, 'update'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly certificateSupport: CertificateSupport;
  readonly pages: Pick<Pages, 'applicationKeys' | 'applicationConfirm'>;
}

type Authentication = Client['authentication'];

/** The values of a refused form. */
interface EnteredValues {
  readonly enteredKeys?: string;
  readonly enteredUri?: string;
  readonly chosen?: readonly string[];
  readonly tls?: TlsSubject | null;
}

const KEY_KINDS: Readonly<Record<PublicKey['kty'], string>> = { RSA: 'RSA', EC: 'P-256', OKP: 'Ed25519' };

/**
 * Adds the page with an application's public keys and authentication methods. Owners and administrators can replace a
 * key without interruption by adding the new key first.
 */
export function addKeysPage(router: PageRouter, area: ApplicationArea, deps: KeysPageDeps): void {
  const { registration, resubmissionGuard, certificateSupport, pages } = deps;
  const { isAdministration, route, pathOf, forUser } = area;
  const keysPath = (client: Pick<Client, 'clientId'>): string => `${pathOf(client)}keys/`;

  function show(
    ctx: RequestContext,
    client: Client,
    caller: LoggedInUser,
    errors: FieldErrors = {},
    { enteredKeys, enteredUri, chosen, tls = client.authentication.tls }: EnteredValues = {},
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const { clientType, authentication, lastUse } = client;
    sendPage(
      ctx,
      pages.applicationKeys({
        ...pageContextFor(ctx, caller),
        isAdministration,
        path: pathOf(client),
        application: { ...applicationHeading(client), clientType },
        formId: resubmissionGuard.mintId(String(client.revision)),
        methods: annotatedMethods(certificateSupport),
        chosen: chosen ?? authentication.methods,
        tls: tlsSubjectValues(tls),
        keysUri: authentication.keysUri,
        keys: authentication.keys.map((key) => keyLocals(key, lastUse.keys[key.keyId]?.at ?? null)),
        enteredKeys: enteredKeys ?? '',
        enteredUri: enteredUri ?? authentication.keysUri ?? '',
        errors,
      }),
    );
  }

  /**
   * Changes how the application authenticates.
   * @returns the problem; undefined after a redirect to the page
   */
  async function changeAuthentication(
    ctx: RequestContext,
    client: Client,
    caller: LoggedInUser,
    authentication: Authentication,
    notice: Message,
  ): Promise<Text | undefined> {
    if (JSON.stringify(authentication) !== JSON.stringify(client.authentication)) {
      const context = userCommandContext(ctx, caller, observedClient(client));
      const refusal = await registration.update(client.clientId, { ...client, authentication }, context);
      if (refusal !== undefined && 'errors' in refusal)
        return joinTexts(Object.values(refusal.errors), 'problem.sentences');
      if (refusal !== undefined) throw notFound();
    }
    ctx.state.webSession.flash(notice);
    ctx.redirect(keysPath(client));
    return undefined;
  }

  router.get(
    `${route}/keys`,
    forUser((ctx, client, caller) => show(ctx, client, caller)),
  );

  router.post(
    `${route}/keys`,
    requireCsrfToken,
    forUser(async (ctx, client, caller) => {
      const enteredKeys = formOf(ctx).text('client_keys');
      const refuse = (problem: Text): void => show(ctx, client, caller, { client_keys: problem }, { enteredKeys });
      const { authentication } = client;
      if (authentication.keysUri !== null) return refuse(message('keys.add-there'));
      const result = await readPastedKeys(enteredKeys);
      if ('problem' in result) return refuse(result.problem);
      const newKeys = result.keys.filter((key) => authentication.keys.every(({ keyId }) => keyId !== key.keyId));
      if (newKeys.length > 0 && resubmissionGuard.isOutdated(ctx, String(client.revision))) throw outdatedFormError();
      const keys = [...authentication.keys, ...newKeys];
      const problem = await changeAuthentication(
        ctx,
        client,
        caller,
        { ...authentication, keys },
        message('keys.added', { count: newKeys.length }),
      );
      if (problem !== undefined) refuse(problem);
    }),
  );

  router.post(
    `${route}/jwks_uri`,
    requireCsrfToken,
    forUser(async (ctx, client, caller) => {
      const enteredUri = formOf(ctx).text('jwks_uri').trim();
      const { authentication } = client;
      const keysUri = enteredUri === '' ? null : enteredUri;
      const isUnchanged = keysUri === authentication.keysUri;
      if (!isUnchanged && resubmissionGuard.isOutdated(ctx, String(client.revision))) throw outdatedFormError();
      const newAuthentication = isUnchanged ? authentication : { ...authentication, keys: [], keysUri };
      const notice = message(keysUri === null ? 'keys.address-removed' : 'keys.address-saved');
      const problem = await changeAuthentication(ctx, client, caller, newAuthentication, notice);
      if (problem !== undefined) show(ctx, client, caller, { jwks_uri: problem }, { enteredUri });
    }),
  );

  router.get(
    `${route}/keys/:key/remove`,
    forUser((ctx, client, caller) => {
      const key = client.authentication.keys.find(({ keyId }) => keyId === pathParameter(ctx, 'key'));
      if (key === undefined) throw notFound();
      sendPage(
        ctx,
        pages.applicationConfirm({
          ...pageContextFor(ctx, caller),
          ...removalQuestion(key, client),
          trail: [
            ...(isAdministration ? [{ href: '/admin/applications/', text: message('admin.applications') }] : []),
            { href: pathOf(client), text: client.name },
            { href: keysPath(client), text: message('authentication.keys') },
          ],
          action: `${keysPath(client)}${key.keyId}/remove/`,
          back: keysPath(client),
        }),
      );
    }),
  );

  router.post(
    `${route}/keys/:key/remove`,
    requireCsrfToken,
    forUser(async (ctx, client, caller) => {
      const { authentication } = client;
      const removedKeyId = pathParameter(ctx, 'key');
      if (!/^[\w-]{43}$/.test(removedKeyId)) throw notFound();
      // When the form is resubmitted, the key no longer exists, so nothing is removed.
      const keys = authentication.keys.filter(({ keyId }) => keyId !== removedKeyId);
      const problem = await changeAuthentication(
        ctx,
        client,
        caller,
        { ...authentication, keys },
        message('keys.removed'),
      );
      if (problem !== undefined) show(ctx, client, caller, { client_keys: problem });
    }),
  );

  router.post(
    `${route}/authentication`,
    requireCsrfToken,
    forUser(async (ctx, client, caller) => {
      if (client.clientType === 'public') throw notFound();
      const chosenMethods = formOf(ctx).list('auth_method');
      const tls = readTlsSubject(formOf(ctx));
      const refuse = (errors: FieldErrors): void => show(ctx, client, caller, errors, { chosen: chosenMethods, tls });
      const offeredMethods = confidentialMethods().map(({ value }) => value);
      const methods = offeredMethods.filter((method) => chosenMethods.includes(method));
      const { authentication } = client;
      const isUnchanged =
        methods.toSorted().join() === authentication.methods.toSorted().join() &&
        JSON.stringify(tls) === JSON.stringify(authentication.tls);
      if (!isUnchanged && resubmissionGuard.isOutdated(ctx, String(client.revision))) throw outdatedFormError();
      if (chosenMethods.some((method) => !offeredMethods.some((candidate) => candidate === method)))
        return refuse({ auth_method: message('keys.unknown-method') });
      const subjectProblem = tls === null ? undefined : tlsSubjectProblem(tls);
      if (subjectProblem !== undefined) {
        const methodProblem = joinTexts(methodProblems({ ...authentication, methods, tls }), 'problem.sentences');
        return refuse({
          tls_subject: subjectProblem,
          ...(methodProblem !== undefined && { auth_method: methodProblem }),
        });
      }
      const newAuthentication = isUnchanged ? authentication : { ...authentication, methods, tls };
      const problem = await changeAuthentication(
        ctx,
        client,
        caller,
        newAuthentication,
        message('keys.authentication-changed'),
      );
      if (problem !== undefined) refuse({ auth_method: problem });
    }),
  );
}

function keyLocals(key: ClientKey, lastUsed: ClientKeyLocals['lastUsed']): ClientKeyLocals {
  const { keyId, kid, algorithm, publicKey } = key;
  return {
    thumbprint: keyId,
    kid,
    kind: KEY_KINDS[publicKey.kty],
    algorithm: algorithm ?? formatAlgorithms(algorithmsOf(publicKey)),
    lastUsed,
  };
}

/** Joins a key's algorithms. There are at most two. */
function formatAlgorithms([first = '', second]: readonly string[]): Text {
  return second === undefined ? first : message('keys.algorithms', { first, second });
}

function removalQuestion({ keyId: thumbprint, kid }: ClientKey, { name: application }: Client) {
  return {
    title: message('keys.removal', { application }),
    text: [
      kid === null
        ? message('keys.removal-key', { thumbprint })
        : message('keys.removal-named-key', { name: kid, thumbprint }),
      message('keys.removal-text'),
    ],
    button: message('keys.removal-button'),
  };
}
