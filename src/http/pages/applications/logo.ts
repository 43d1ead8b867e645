import { readEventAt } from '../../../audit/queries/read-event-at.ts';
import { decodeEvent } from '../../../domain/events.ts';
import type { LogoImage } from '../../../domain/logo.ts';
import { observedClient } from '../../../domain/streams.ts';
import { message, type Message, type Text } from '../../../language/message.ts';
import type { EventLog, Position } from '../../../event-store/event-log.ts';
import { readLogo } from '../../../platform/logos/read-logo.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import { notFound } from '../../pipeline/page-error.ts';
import { requireCsrfToken } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import type { PageRouter } from '../page-router.ts';
import type { ApplicationArea } from './owner-routes.ts';

export interface LogoDeps {
  readonly registration: Pick<Registration, 'changeLogo'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly log: Pick<EventLog, 'readBackwards'>;
}

/** Shows the form again, with an error about the file. */
type ShowProblem = (ctx: RequestContext, caller: LoggedInUser, client: Client, problem: Text) => void;

/**
 * Adds the public route that serves an application's logo, which users see when they are asked to authorize the
 * application.
 */
export function addLogo(router: PageRouter, { clients, log }: Pick<LogoDeps, 'clients' | 'log'>): void {
  router.get('/:id/logo', async (ctx) => {
    const version = queryOf(ctx).text('v');
    const logo = clients.find(pathParameter(ctx, 'id'))?.logo ?? null;
    const image = logo === null ? null : await readImage(logo.position, log);
    if (logo === null || image === null) throw notFound();
    ctx.set('Cache-Control', version === String(logo.position) ? IMMUTABLE_CACHING : 'no-cache');
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox; frame-ancestors 'none'");
    ctx.type = image.mediaType;
    ctx.body = Buffer.from(image.base64, 'base64');
  });
}

/** Adds the forms that owners and administrators use to change an application's logo. */
export function addLogoForms(
  router: PageRouter,
  { route, pathOf, forUser }: ApplicationArea,
  showProblem: ShowProblem,
  { registration, log }: Pick<LogoDeps, 'registration' | 'log'>,
): void {
  async function changeLogo(
    ctx: RequestContext,
    caller: LoggedInUser,
    client: Client,
    image: LogoImage | null,
  ): Promise<void> {
    const context = userCommandContext(ctx, caller, observedClient(client));
    if (!(await registration.changeLogo(client.clientId, image, context))) throw notFound();
    redirectWithNotice(ctx, client, message(image === null ? 'logo.removed' : 'logo.changed'));
  }

  function redirectWithNotice(ctx: RequestContext, client: Client, notice: Message): void {
    ctx.state.webSession.flash(notice);
    ctx.redirect(`${pathOf(client)}update/#presentation`);
  }

  router.with({ takesFile: true }).post(
    `${route}/logo`,
    requireCsrfToken,
    forUser(async (ctx, client, caller) => {
      const result = readLogo(ctx.state.file ?? Buffer.alloc(0));
      if ('problem' in result) return showProblem(ctx, caller, client, result.problem);
      const currentImage = client.logo === null ? null : await readImage(client.logo.position, log);
      if (currentImage?.base64 === result.image.base64) return redirectWithNotice(ctx, client, message('logo.changed'));
      return changeLogo(ctx, caller, client, result.image);
    }),
  );

  router.post(
    `${route}/logo/remove`,
    requireCsrfToken,
    forUser((ctx, client, caller) => changeLogo(ctx, caller, client, null)),
  );
}

/** Browsers may cache the image for a year, because a new logo has a new URL. Shared caches must not store it. */
const IMMUTABLE_CACHING = 'private, max-age=31536000, immutable';

/**
 * Returns the image recorded at `position`, or null if no image is recorded there. The image is read from the log,
 * because projections contain no images.
 */
async function readImage(position: Position, log: LogoDeps['log']): Promise<LogoImage | null> {
  const record = await readEventAt(position, log);
  const event = record && decodeEvent(record);
  return event?.type === 'ClientLogoChanged' ? event.data.image : null;
}
