import { message } from '../../../language/message.ts';
import { observedAccount, observedClient } from '../../../domain/streams.ts';
import { normalizeUserName } from '../../../domain/user-name.ts';
import { RESTRICTED_SCOPES } from '../../../domain/values.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { RegistrationFields } from '../../../oauth/clients/registration-rules.ts';
import type { CertificateSupport } from '../../../oauth/endpoints/certificate-metadata.ts';
import type { Client } from '../../../projections/clients.ts';
import type { User, Users } from '../../../projections/users.ts';
import { changeByForm } from '../../pipeline/change-by-form.ts';
import { missingItemError, PageError } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import {
  addRegistrationErrors,
  toFormErrors,
  toUpdateFormErrors,
  fieldsOf,
  initialFields,
  formValues,
  requestedKind,
  readAuthentication,
  readFields,
  omitFormDefaults,
} from '../applications/application-fields.ts';
import { settingsLocals, settingsVersion } from '../applications/application-forms.ts';
import { addLogoForms, type LogoDeps } from '../applications/logo.ts';
import type { ApplicationArea } from '../applications/owner-routes.ts';
import type { SecretsShownOnce } from '../applications/secrets-shown-once.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { suggestedUserNames } from '../suggested-names.ts';
import type { ApplicationLookup } from './application-people.ts';
import { RESTRICTED_SCOPE_DESCRIPTIONS } from './restricted-scope-texts.ts';

export interface AdminFormDeps {
  readonly registration: Pick<Registration, 'register' | 'update' | 'changeLogo' | 'problems'>;
  readonly log: LogoDeps['log'];
  readonly users: Pick<Users, 'findByName' | 'all'>;
  readonly certificateSupport: CertificateSupport;
  readonly issuer: () => string;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly secretsShownOnce: SecretsShownOnce;
  readonly pages: Pick<Pages, 'applicationForm'>;
}

/** The contents of the form, including the owner, whom only administrators can choose. */
interface FormContents {
  readonly fields: RegistrationFields;
  /** The owner's user name; empty if the application has no owner or is already registered. */
  readonly owner: string;
}

const NO_SUCH_OWNER: FieldErrors = { username: message('admin-people.unknown') };

/**
 * Adds the forms that administrators use to register an application and to change its settings and logo. In addition to
 * the fields that owners see, these forms have fields that only administrators may change.
 */
export function addApplicationForm(
  router: PageRouter,
  area: ApplicationArea & ApplicationLookup,
  deps: AdminFormDeps,
): void {
  const { requireClient, pathOf } = area;
  const { registration, users, certificateSupport, issuer, resubmissionGuard, secretsShownOnce, pages } = deps;

  function show(
    ctx: RequestContext,
    client: Client | null,
    { fields, owner }: FormContents,
    errors: FieldErrors,
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const { skipAuthorization, restrictedScopes = [] } = fields;
    const scopes = RESTRICTED_SCOPE_DESCRIPTIONS;
    sendPage(
      ctx,
      pages.applicationForm({
        ...pageContextFor(ctx, actingUser(ctx)),
        kind: client === null ? requestedKind(ctx) : null,
        application: client === null ? null : settingsLocals(client),
        administration: { owner, userNames: suggestedUserNames(users), skipAuthorization, restrictedScopes, scopes },
        formId: resubmissionGuard.mintId(client === null ? undefined : versionOf(client)),
        values: formValues(
          fields,
          errors,
          client === null ? formOf(ctx).text('client_keys') : null,
          certificateSupport,
        ),
        errors,
      }),
    );
  }

  /** Extends `settingsVersion` to the settings that only administrators may change. */
  function versionOf(client: Client): string {
    const { skipAuthorization, restrictedScopes } = client;
    return JSON.stringify([settingsVersion(client, deps), skipAuthorization, restrictedScopes]);
  }

  router.get('/applications/register', (ctx) =>
    show(ctx, null, { fields: initialFields(requestedKind(ctx)), owner: actingUser(ctx).user.username }, {}),
  );

  router.post('/applications/register', async (ctx) => {
    const actor = actingUser(ctx);
    const result = await readAuthentication(ctx);
    const contents = {
      fields: readFields(
        ctx,
        withAdministratorSettings(ctx, { applicationType: initialFields(requestedKind(ctx)).applicationType }),
      ),
      owner: formOf(ctx).trimmed('username'),
    };
    const owner = findOwner(contents.owner);
    const explicitFields = omitFormDefaults(contents.fields);
    if ('problem' in result || owner === undefined) {
      const keyErrors = 'problem' in result ? { client_keys: result.problem } : {};
      const otherErrors = { ...keyErrors, ...(owner === undefined && NO_SUCH_OWNER) };
      const fields = 'problem' in result ? explicitFields : { ...explicitFields, ...result };
      return show(ctx, null, contents, addRegistrationErrors(otherErrors, fields, registration));
    }
    const fields = { ...explicitFields, ...result };
    const entropy = resubmissionGuard.entropyFor(ctx, actor, { ...fields, owner: owner?.userId });
    const context = userCommandContext(ctx, actor, ...(owner === null ? [] : [observedAccount(owner)]));
    const source = entropy && { entropy };
    const outcome = await registration.register(fields, owner?.userId ?? null, context, source);
    if ('errors' in outcome) return show(ctx, null, contents, toFormErrors(outcome.errors));
    if ('refusal' in outcome) throw removedError();
    const path = pathOf(outcome);
    ctx.state.webSession.flash(message('admin-register.done', { application: fields.name.trim() }));
    if (outcome.clientSecret === null) return ctx.redirect(path);
    secretsShownOnce.redirect(ctx, actor, `${path}credentials/`, outcome.clientSecret);
  });

  router.get('/applications/:id/update', (ctx) => {
    const client = requireClient(ctx);
    show(ctx, client, { fields: fieldsOf(client, issuer()), owner: '' }, {});
  });

  router.post('/applications/:id/update', async (ctx) => {
    const client = requireClient(ctx);
    const fields = readFields(ctx, withAdministratorSettings(ctx, client));
    const context = userCommandContext(ctx, actingUser(ctx), observedClient(client));
    const isOutdated = resubmissionGuard.isOutdated(ctx, versionOf(client));
    const refusal = await changeByForm(isOutdated, context, (current) =>
      registration.update(client.clientId, fields, current),
    );
    if (refusal !== undefined && 'errors' in refusal)
      return show(ctx, client, { fields, owner: '' }, toUpdateFormErrors(refusal.errors));
    if (refusal !== undefined) throw missingItemError('application');
    // The projection returns the same object until the client changes.
    const isUnchanged = requireClient(ctx) === client;
    const savedMessage = message('admin-register.saved', { application: fields.name.trim() });
    ctx.state.webSession.flash(isUnchanged ? message('admin.unchanged') : savedMessage);
    ctx.redirect(pathOf(client));
  });

  addLogoForms(
    router,
    area,
    (ctx, _caller, client, logo) => show(ctx, client, { fields: fieldsOf(client, issuer()), owner: '' }, { logo }),
    deps,
  );

  /** Finds the owner. Returns null if no user name was entered, or undefined if no user has that name. */
  function findOwner(username: string): User | null | undefined {
    return username === '' ? null : users.findByName(normalizeUserName(username));
  }
}

/** Returns `current`, with the settings that only administrators may change replaced by the values from the form. */
function withAdministratorSettings<Fields extends object>(ctx: RequestContext, current: Fields) {
  const form = formOf(ctx);
  const selectedScopes = form.list('restricted_scope');
  return {
    ...current,
    skipAuthorization: form.text('skip_authorization') !== '',
    restrictedScopes: RESTRICTED_SCOPES.filter((name) => selectedScopes.includes(name)),
  };
}

/**
 * Returns the error for a form that is submitted again after the application that it registered was removed. A client
 * id is never reused.
 */
function removedError(): PageError {
  return new PageError(
    409,
    message('admin-register.sent-before'),
    message('admin-register.removed'),
    message('admin-register.again'),
  );
}
