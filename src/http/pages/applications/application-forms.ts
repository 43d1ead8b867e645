import { observedClient } from '../../../domain/streams.ts';
import { message } from '../../../language/message.ts';
import {
  APPLICATION_KINDS,
  registrationForKind,
  type ApplicationKind,
} from '../../../oauth/clients/application-kinds.ts';
import type { RegisteredCredentials } from '../../../oauth/clients/new-credentials.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { RegistrationErrors, RegistrationFields } from '../../../oauth/clients/registration-rules.ts';
import type { CertificateSupport } from '../../../oauth/endpoints/certificate-metadata.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import type { Client } from '../../../projections/clients.ts';
import { changeByForm } from '../../pipeline/change-by-form.ts';
import { notFound, PageError } from '../../pipeline/page-error.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { applicationHeading } from './application-heading.ts';
import {
  addRegistrationErrors,
  toFormErrors,
  toUpdateFormErrors,
  fieldsOf,
  initialFields,
  formValues,
  kindFormValues,
  requestedKind,
  readAuthentication,
  readFields,
  readKindForm,
  omitFormDefaults,
  type KindFormFields,
} from './application-fields.ts';
import { applicationLocals, applicationPath } from './application-page.ts';
import { credentialsPath } from './application-secrets.ts';
import type { ApplicationFormLocals } from './form-locals.ts';
import { addLogo, addLogoForms, type LogoDeps } from './logo.ts';
import type { ApplicationArea } from './owner-routes.ts';
import { presentationOf } from './presentation.ts';
import type { SecretsShownOnce } from './secrets-shown-once.ts';

export interface ApplicationFormDeps extends LogoDeps {
  readonly registration: Pick<Registration, 'register' | 'update' | 'changeLogo' | 'problems'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly certificateSupport: CertificateSupport;
  readonly issuer: () => string;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly secretsShownOnce: SecretsShownOnce;
  readonly pages: Pick<Pages, 'applicationForm' | 'applicationKindForm'>;
  readonly settings: { readonly loginUrl: string };
}

const BLANK_KIND_FIELDS: KindFormFields = { name: '', redirectUris: [], builtinCallback: true };

/**
 * Adds the forms for registering an application (by kind, or with every field), the forms for changing its settings and
 * logo, and the route that serves the logo.
 */
export function addForms(router: PageRouter, area: ApplicationArea, deps: ApplicationFormDeps): void {
  const { forUser: forOwner } = area;
  const { registration, limits, certificateSupport, issuer, resubmissionGuard, secretsShownOnce, pages, settings } =
    deps;

  function showForm(
    ctx: RequestContext,
    caller: LoggedInUser,
    client: Client | null,
    fields: RegistrationFields,
    errors: FieldErrors,
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const application = client === null ? null : settingsLocals(client);
    const kind = client === null ? requestedKind(ctx) : null;
    const pastedKeys = client === null ? formOf(ctx).text('client_keys') : null;
    const formId = resubmissionGuard.mintId(client === null ? undefined : settingsVersion(client, deps));
    const values = formValues(fields, errors, pastedKeys, certificateSupport);
    const locals = { kind, application, administration: null, formId, values, errors };
    sendPage(ctx, pages.applicationForm({ ...pageContextFor(ctx, caller), ...locals }));
  }

  function showKindForm(
    ctx: RequestContext,
    caller: LoggedInUser,
    kind: string,
    kindFields: KindFormFields,
    errors: FieldErrors,
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const [formId, values] = [resubmissionGuard.mintId(), kindFormValues(kind, kindFields, errors)];
    sendPage(ctx, pages.applicationKindForm({ ...pageContextFor(ctx, caller), formId, values, errors }));
  }

  /**
   * Registers an application.
   * @returns the problems with the fields; undefined if the application was registered and the response redirects to it
   */
  async function register(
    ctx: RequestContext,
    caller: LoggedInUser,
    fields: RegistrationFields,
  ): Promise<RegistrationErrors | undefined> {
    limits.spend('applications-by-user', caller.user.userId, ctx.state.once);
    const entropy = resubmissionGuard.entropyFor(ctx, caller, fields);
    const source = entropy === undefined ? undefined : { entropy };
    const result = await registration.register(fields, caller.user.userId, userCommandContext(ctx, caller), source);
    if ('errors' in result) return result.errors;
    if ('refusal' in result) throw deletedError();
    ctx.state.webSession.flash(message('applications.was-registered', { application: fields.name.trim() }));
    redirectToNewApplication(ctx, caller, result);
    return undefined;
  }

  function redirectToNewApplication(
    ctx: RequestContext,
    caller: LoggedInUser,
    credentials: RegisteredCredentials,
  ): void {
    if (credentials.clientSecret === null) ctx.redirect(applicationPath(credentials));
    else secretsShownOnce.redirect(ctx, caller, credentialsPath(credentials), credentials.clientSecret);
  }

  router.get(
    '/register',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const kind = requestedKind(ctx);
      if (queryOf(ctx).text('view') === 'expert') showForm(ctx, caller, null, initialFields(kind), {});
      else showKindForm(ctx, caller, kind, BLANK_KIND_FIELDS, {});
    }),
  );

  router.post(
    '/register',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const kindForm = readKindForm(ctx);
      if (kindForm === undefined) {
        const result = await readAuthentication(ctx);
        const enteredFields = readFields(ctx, {
          skipAuthorization: false,
          applicationType: initialFields(requestedKind(ctx)).applicationType,
        });
        const explicitFields = omitFormDefaults(enteredFields);
        if ('problem' in result) {
          const errors = addRegistrationErrors({ client_keys: result.problem }, explicitFields, registration);
          return showForm(ctx, caller, null, enteredFields, errors);
        }
        const fields = { ...explicitFields, ...result };
        const errors = await register(ctx, caller, fields);
        if (errors !== undefined) showForm(ctx, caller, null, { ...enteredFields, ...result }, toFormErrors(errors));
        return;
      }
      const { kind, kindFields } = kindForm;
      if (!isKind(kind)) {
        const problem = message('register.unknown-kind', { kinds: APPLICATION_KINDS.join(', ') });
        return showKindForm(ctx, caller, kind, kindFields, { application_kind: problem });
      }
      const errors = await register(ctx, caller, registrationForKind(kind, kindFields));
      if (errors !== undefined) showKindForm(ctx, caller, kind, kindFields, toKindFormErrors(errors));
    }),
  );

  router.get(
    '/:id/update',
    forOwner((ctx, client, caller) => showForm(ctx, caller, client, fieldsOf(client, issuer()), {})),
  );

  router.post(
    '/:id/update',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      const fields = readFields(ctx, client);
      const context = userCommandContext(ctx, caller, observedClient(client));
      const isOutdated = resubmissionGuard.isOutdated(ctx, settingsVersion(client, deps));
      const refusal = await changeByForm(isOutdated, context, (current) =>
        registration.update(client.clientId, fields, current),
      );
      if (refusal !== undefined && 'errors' in refusal)
        return showForm(ctx, caller, client, fields, toUpdateFormErrors(refusal.errors));
      if (refusal !== undefined) throw notFound();
      ctx.state.webSession.flash(message('applications.changed'));
      ctx.redirect(applicationPath(client));
    }),
  );

  addLogo(router, deps);
  addLogoForms(
    router,
    area,
    (ctx, caller, client, logo) => showForm(ctx, caller, client, fieldsOf(client, issuer()), { logo }),
    deps,
  );
}

/**
 * Returns a value that changes when the settings on the form change. Other changes to the application, such as to its
 * members, logo or secret, do not make the form outdated.
 */
export function settingsVersion(
  client: Client,
  { issuer, certificateSupport }: Pick<ApplicationFormDeps, 'issuer' | 'certificateSupport'>,
): string {
  return JSON.stringify(formValues(fieldsOf(client, issuer()), {}, null, certificateSupport));
}

function isKind(text: string): text is ApplicationKind {
  return APPLICATION_KINDS.some((kind) => kind === text);
}

/**
 * Returns the errors, keyed by field of the form that asks for the application kind. Derived settings are not on the
 * form, so their errors go to the fields that they are derived from.
 */
function toKindFormErrors({ clientType, grantTypes, allowedOrigins, ...errors }: RegistrationErrors): FieldErrors {
  const kind = clientType ?? grantTypes;
  const redirectUris = errors.redirectUris ?? allowedOrigins;
  return {
    ...toFormErrors({ ...errors, ...(redirectUris === undefined ? {} : { redirectUris }) }),
    ...(kind === undefined ? {} : { application_kind: kind }),
  };
}

/**
 * Returns the error for a form that is resubmitted after the application that it registered has been deleted. A client
 * id is never reused.
 */
function deletedError(): PageError {
  return new PageError(
    409,
    message('register.submitted'),
    message('register.submitted-text'),
    message('register.submitted-advice'),
  );
}

/** Returns the application's locals for the form that changes its settings. */
export function settingsLocals(client: Client): ApplicationFormLocals['application'] {
  const { usesSecret, hasSecret } = applicationLocals(client);
  return { ...applicationHeading(client), usesSecret, hasSecret, logoUrl: presentationOf(client).logoUrl };
}
