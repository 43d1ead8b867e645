import type { Config } from '../../config/config.ts';
import { emptyHistory } from '../../domain/recent-counts.ts';
import type { Text } from '../../language/message.ts';
import { mintId } from '../../oauth/credentials/credentials.ts';
import type { RotatingKey } from '../../platform/keys/rotating-key.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { createRepeatedForms } from '../pipeline/repeated-forms.ts';
import type { Route } from '../route.ts';
import { accountRoutes, type AccountParts } from './account/account.ts';
import { activityRoutes, type ActivityPageParts } from './account/activity.ts';
import { authorizedApplicationsRoutes, type AuthorizedApplicationsParts } from './account/authorized-applications.ts';
import { connectedAgentsRoutes, type ConnectedAgentsParts } from './account/connected-agents.ts';
import { loginRoutes, type LoginParts } from './account/login.ts';
import { upstreamLoginRoutes, type UpstreamLoginParts } from './account/upstream-login.ts';
import { waysRoutes, type WaysParts } from './account/ways.ts';
import { signUpRoutes, type SignUpParts } from './account/sign-up.ts';
import { accountInvitationRoutes, type AccountInvitationParts } from './account/invitation.ts';
import { mailLinkRoutes, type MailLinkParts } from './account/mail-links.ts';
import { passkeyRoutes, type PasskeyParts } from './account/passkeys.ts';
import { adminRoutes, type AdminParts } from './admin/admin.ts';
import { createHealthFiguresReader, type HealthParts } from './admin/health-figures.ts';
import { apiDescriptionRoutes } from './api-description.ts';
import { applicationRoutes, type ApplicationRoutesParts } from './applications/applications.ts';
import { invitationRoutes, type InvitationParts } from './applications/invitation-page.ts';
import { createSecretsShownOnce } from './applications/secrets-shown-once.ts';
import { auditRoutes, type AuditRoutesParts } from './audit/audit.ts';
import { authorizeRoutes, type AuthorizeRoutesParts } from './authorize/authorize.ts';
import { createScopeDescriber } from './authorize/scope-descriptions.ts';
import { deviceRoutes, type DeviceRoutesParts } from './device/device.ts';
import { secondStepRoutes, type SecondStepParts } from './account/second-step.ts';
import { twoStepRoutes, type TwoStepParts } from './account/two-step.ts';
import { receiptRoutes, type ReceiptRoutesParts } from './account/receipts.ts';
import { profileRoutes, type ProfileParts } from './account/profile.ts';
import { languageChoiceRoutes } from './language-choice.ts';
import { logoutRoutes, type LogoutParts } from './logout/logout.ts';
import { refusalRoutes, type RefusalPageParts } from './refusals/refusal-page.ts';
import { resourceRoutes, type ResourceRoutesParts } from './resources/resources.ts';
import { homeRoutes, type HomeParts } from './home.ts';

type AllParts = HomeParts &
  LoginParts &
  SignUpParts &
  UpstreamLoginParts &
  WaysParts &
  SecondStepParts &
  TwoStepParts &
  PasskeyParts &
  AccountParts &
  ActivityPageParts &
  ProfileParts &
  MailLinkParts &
  AccountInvitationParts &
  AuthorizeRoutesParts &
  DeviceRoutesParts &
  LogoutParts &
  ApplicationRoutesParts &
  ResourceRoutesParts &
  InvitationParts &
  AuthorizedApplicationsParts &
  ConnectedAgentsParts &
  ReceiptRoutesParts &
  AdminParts &
  AuditRoutesParts &
  RefusalPageParts &
  HealthParts;

/** The parts that `pagesRoutes` adds to those that it is given. */
type AddedParts =
  | 'describeScope'
  | 'failedLogins'
  | 'healthFigures'
  | 'mintBrowserId'
  | 'obstacle'
  | 'repeatedForms'
  | 'secretsShownOnce'
  | 'settings';

export type PagesParts = Omit<AllParts, AddedParts> & {
  readonly config: Config;
  readonly cookieKeys: Readonly<Record<'secretsShownOnce' | 'repeatedForms', RotatingKey>>;
  /** The routes of the sample API, whose effects the consent page describes. */
  readonly sampleApi: readonly Route[];
  readonly description: () => OpenApiDocument;
  readonly readinessProblem: () => Text | undefined;
};

/** Returns the routes of all pages. */
export function pagesRoutes(parts: PagesParts): readonly Route[] {
  const { config, entropy, cookieKeys, now, pages, description } = parts;
  const all: AllParts = {
    ...parts,
    settings: config,
    describeScope: createScopeDescriber(config, parts.sampleApi, parts.resources),
    failedLogins: emptyHistory(),
    healthFigures: createHealthFiguresReader(parts),
    mintBrowserId: () => mintId(entropy),
    obstacle: parts.readinessProblem,
    repeatedForms: createRepeatedForms(cookieKeys.repeatedForms, entropy),
    secretsShownOnce: createSecretsShownOnce({ key: cookieKeys.secretsShownOnce, entropy, now }),
  };
  return [
    ...homeRoutes(all),
    ...languageChoiceRoutes(),
    ...apiDescriptionRoutes(description, pages),
    ...loginRoutes(all),
    ...signUpRoutes(all),
    ...upstreamLoginRoutes(all),
    ...waysRoutes(all),
    ...secondStepRoutes(all),
    ...passkeyRoutes(all),
    ...twoStepRoutes(all),
    ...accountRoutes(all),
    ...activityRoutes(all),
    ...profileRoutes(all),
    ...mailLinkRoutes(all),
    ...accountInvitationRoutes(all),
    ...authorizeRoutes(all),
    ...deviceRoutes(all),
    ...logoutRoutes(all),
    ...applicationRoutes(all),
    ...resourceRoutes(all),
    ...invitationRoutes(all),
    ...authorizedApplicationsRoutes(all),
    ...receiptRoutes(all),
    ...connectedAgentsRoutes(all),
    ...refusalRoutes(all),
    ...adminRoutes(all),
    ...auditRoutes(all),
  ];
}
