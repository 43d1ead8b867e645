import type { Config } from '../../config/config.ts';
import { emptyHistory } from '../../domain/recent-counts.ts';
import type { Text } from '../../language/message.ts';
import { mintId } from '../../oauth/credentials/credentials.ts';
import type { RotatingKey } from '../../platform/keys/rotating-key.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { createResubmissionGuard } from '../pipeline/resubmission-guard.ts';
import type { Route } from '../route.ts';
import { accountRoutes, type AccountDeps } from './account/account.ts';
import { eraseAccountRoutes, type EraseAccountDeps } from './account/erase-account.ts';
import { activityRoutes, type ActivityPageDeps } from './account/activity.ts';
import { authorizedApplicationsRoutes, type AuthorizedApplicationsDeps } from './account/authorized-applications.ts';
import { connectedAgentsRoutes, type ConnectedAgentsDeps } from './account/connected-agents.ts';
import { loginRoutes, type LoginDeps } from './account/login.ts';
import { upstreamLoginRoutes, type UpstreamLoginDeps } from './account/upstream-login.ts';
import { waysRoutes, type WaysDeps } from './account/ways.ts';
import { signUpRoutes, type SignUpDeps } from './account/sign-up.ts';
import { accountInvitationRoutes, type AccountInvitationDeps } from './account/invitation.ts';
import { mailLinkRoutes, type MailLinkDeps } from './account/mail-links.ts';
import { passkeyRoutes, type PasskeyDeps } from './account/passkeys.ts';
import { adminRoutes, type AdminDeps } from './admin/admin.ts';
import { createHealthFiguresReader, type HealthDeps } from './admin/health-figures.ts';
import { apiDescriptionRoutes } from './api-description.ts';
import { applicationRoutes, type ApplicationRoutesDeps } from './applications/applications.ts';
import { invitationRoutes, type InvitationDeps } from './applications/invitation-page.ts';
import { createSecretsShownOnce } from './applications/secrets-shown-once.ts';
import { auditRoutes, type AuditRoutesDeps } from './audit/audit.ts';
import { authorizeRoutes, type AuthorizeRoutesDeps } from './authorize/authorize.ts';
import { createScopeDescriber } from './authorize/scope-descriptions.ts';
import { deviceRoutes, type DeviceRoutesDeps } from './device/device.ts';
import { secondStepRoutes, type SecondStepDeps } from './account/second-step.ts';
import { twoStepRoutes, type TwoStepDeps } from './account/two-step.ts';
import { receiptRoutes, type ReceiptRoutesDeps } from './account/receipts.ts';
import { profileRoutes, type ProfileDeps } from './account/profile.ts';
import { languageChoiceRoutes } from './language-choice.ts';
import { logoutRoutes, type LogoutDeps } from './logout/logout.ts';
import { refusalRoutes, type RefusalPageDeps } from './refusals/refusal-page.ts';
import { resourceRoutes, type ResourceRoutesDeps } from './resources/resources.ts';
import { homeRoutes, type HomeDeps } from './home.ts';

type AllDeps = HomeDeps &
  LoginDeps &
  SignUpDeps &
  UpstreamLoginDeps &
  WaysDeps &
  SecondStepDeps &
  TwoStepDeps &
  PasskeyDeps &
  AccountDeps &
  EraseAccountDeps &
  ActivityPageDeps &
  ProfileDeps &
  MailLinkDeps &
  AccountInvitationDeps &
  AuthorizeRoutesDeps &
  DeviceRoutesDeps &
  LogoutDeps &
  ApplicationRoutesDeps &
  ResourceRoutesDeps &
  InvitationDeps &
  AuthorizedApplicationsDeps &
  ConnectedAgentsDeps &
  ReceiptRoutesDeps &
  AdminDeps &
  AuditRoutesDeps &
  RefusalPageDeps &
  HealthDeps;

/** The dependencies that `pagesRoutes` creates. Its caller passes all others. */
type AddedDeps =
  | 'describeScope'
  | 'failedLogins'
  | 'healthFigures'
  | 'mintBrowserId'
  | 'obstacle'
  | 'resubmissionGuard'
  | 'secretsShownOnce'
  | 'settings';

export type PagesDeps = Omit<AllDeps, AddedDeps> & {
  readonly config: Config;
  readonly cookieKeys: Readonly<Record<'secretsShownOnce' | 'resubmissionGuard', RotatingKey>>;
  /** The routes of the sample API, whose effects the consent page describes. */
  readonly sampleApi: readonly Route[];
  readonly description: () => OpenApiDocument;
  readonly readinessProblem: () => Text | undefined;
};

/** Returns the routes of all pages. */
export function pagesRoutes(deps: PagesDeps): readonly Route[] {
  const { config, entropy, cookieKeys, now, pages, description } = deps;
  const allDeps: AllDeps = {
    ...deps,
    settings: config,
    describeScope: createScopeDescriber(config, deps.sampleApi, deps.resources),
    failedLogins: emptyHistory(),
    healthFigures: createHealthFiguresReader(deps),
    mintBrowserId: () => mintId(entropy),
    obstacle: deps.readinessProblem,
    resubmissionGuard: createResubmissionGuard(cookieKeys.resubmissionGuard, entropy),
    secretsShownOnce: createSecretsShownOnce({ key: cookieKeys.secretsShownOnce, entropy, now }),
  };
  return [
    ...homeRoutes(allDeps),
    ...languageChoiceRoutes(),
    ...apiDescriptionRoutes(description, pages),
    ...loginRoutes(allDeps),
    ...signUpRoutes(allDeps),
    ...upstreamLoginRoutes(allDeps),
    ...waysRoutes(allDeps),
    ...secondStepRoutes(allDeps),
    ...passkeyRoutes(allDeps),
    ...twoStepRoutes(allDeps),
    ...accountRoutes(allDeps),
    ...eraseAccountRoutes(allDeps),
    ...activityRoutes(allDeps),
    ...profileRoutes(allDeps),
    ...mailLinkRoutes(allDeps),
    ...accountInvitationRoutes(allDeps),
    ...authorizeRoutes(allDeps),
    ...deviceRoutes(allDeps),
    ...logoutRoutes(allDeps),
    ...applicationRoutes(allDeps),
    ...resourceRoutes(allDeps),
    ...invitationRoutes(allDeps),
    ...authorizedApplicationsRoutes(allDeps),
    ...receiptRoutes(allDeps),
    ...connectedAgentsRoutes(allDeps),
    ...refusalRoutes(allDeps),
    ...adminRoutes(allDeps),
    ...auditRoutes(allDeps),
  ];
}
