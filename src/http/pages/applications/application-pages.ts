import { message, type Text } from '../../../language/message.ts';
import type { PageContext } from '../page-context.ts';
import { newSecretTitle } from './application-heading.ts';
import type { ApplicationPages } from './locals.ts';
import { callbackView, tryItView } from './try-it/try-it-view.ts';

/**
 * Returns a function that renders a page with the given view and title.
 * @param viewLocals returns additional locals for the view, derived from the page's locals
 */
type PageCompiler = <Locals extends PageContext>(
  view: string,
  title: (locals: Locals) => Text,
  viewLocals?: (locals: Locals) => object,
) => (locals: Locals) => string;

export function applicationPages(page: PageCompiler): ApplicationPages {
  return {
    applicationList: page('applications/list', () => message('applications.title')),
    applicationKindForm: page('applications/register', () => message('register.title')),
    applicationForm: page('applications/form', ({ application }) =>
      application === null
        ? message('register.title')
        : message('app-form.settings-of', { application: application.name }),
    ),
    applicationOverview: page('applications/overview', ({ application }) => application.name),
    applicationTry: page(
      'applications/try',
      ({ application }) => message('try-it.title', { application: application.name }),
      (locals) => tryItView(locals),
    ),
    applicationCallback: page(
      'applications/callback',
      ({ application }) => message('callback.title', { application: application.name }),
      (locals) => callbackView(locals),
    ),
    applicationCallbackForOthers: page('applications/callback-for-others', () => message('callback.for-developers')),
    applicationRefusals: page('applications/refusals', ({ application }) =>
      message('refusals.title', { application: application.name }),
    ),
    applicationPeople: page('applications/people', ({ application }) =>
      message('people.title', { application: application.name }),
    ),
    applicationInvitation: page('applications/invitation', ({ application }) =>
      message('invitation.title', { application: application.name }),
    ),
    applicationKeys: page('applications/keys', ({ application }) =>
      message('keys.title', { application: application.name }),
    ),
    applicationConfirm: page('admin/confirm', ({ title }) => title),
    invitation: page('invitation', ({ application }) => message('invitation.title', { application: application.name })),
    applicationCredentials: page('applications/credentials', ({ application }) =>
      message('credentials.title', { application: application.name }),
    ),
    applicationRotate: page('applications/rotate', ({ application }) => newSecretTitle(application)),
    applicationDelete: page('applications/delete', ({ application }) =>
      message('deletion.title', { application: application.name }),
    ),
  };
}
