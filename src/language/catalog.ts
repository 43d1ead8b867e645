import type { Language } from './languages.ts';
import { activity } from './messages/activity.ts';
import { adminApplications } from './messages/admin-applications.ts';
import { adminClients } from './messages/admin-clients.ts';
import { adminIssuers } from './messages/admin-issuers.ts';
import { adminKeys } from './messages/admin-keys.ts';
import { adminProviders } from './messages/admin-providers.ts';
import { adminScopes } from './messages/admin-scopes.ts';
import { adminSessions } from './messages/admin-sessions.ts';
import { adminUserAccess } from './messages/admin-user-access.ts';
import { adminUsers } from './messages/admin-users.ts';
import { apiPage } from './messages/api-page.ts';
import { applicationFacts } from './messages/application-facts.ts';
import { applicationForm } from './messages/application-form.ts';
import { applicationInvitation } from './messages/application-invitation.ts';
import { applicationKeys } from './messages/application-keys.ts';
import { applicationPeople } from './messages/application-people.ts';
import { applicationProtocol } from './messages/application-protocol.ts';
import { applicationRefusals } from './messages/application-refusals.ts';
import { applicationSecrets } from './messages/application-secrets.ts';
import { applications } from './messages/applications.ts';
import { authorized } from './messages/authorized.ts';
import { audit } from './messages/audit.ts';
import { auditAccess } from './messages/audit-access.ts';
import { auditRadius } from './messages/audit-radius.ts';
import { brand } from './messages/brand.ts';
import { brandTexts } from './messages/brand-texts.ts';
import { chainRules } from './messages/chain-rules.ts';
import { charts } from './messages/charts.ts';
import { consent } from './messages/consent.ts';
import { dashboard } from './messages/dashboard.ts';
import { delegationProblems } from './messages/delegation-problems.ts';
import { endingAccess } from './messages/ending-access.ts';
import { errors } from './messages/errors.ts';
import { eventFieldsGrants } from './messages/event-fields-grants.ts';
import { eventFieldsSettings } from './messages/event-fields-settings.ts';
import { eventTypes } from './messages/event-types.ts';
import { examples } from './messages/examples.ts';
import { documentProblems } from './messages/document-problems.ts';
import { fileProblems } from './messages/file-problems.ts';
import { home } from './messages/home.ts';
import { layout } from './messages/layout.ts';
import { limits } from './messages/limits.ts';
import { listed } from './messages/listed.ts';
import { lists } from './messages/lists.ts';
import { loginMethods } from './messages/login-methods.ts';
import { loginSecurity } from './messages/login-security.ts';
import { login } from './messages/login.ts';
import { emails } from './messages/emails.ts';
import { ownAccount } from './messages/own-account.ts';
import { ownAdministration } from './messages/own-administration.ts';
import { pageErrors } from './messages/page-errors.ts';
import { permissions } from './messages/permissions.ts';
import { problems } from './messages/problems.ts';
import { profile } from './messages/profile.ts';
import { refusals } from './messages/refusals.ts';
import { providerProblems } from './messages/provider-problems.ts';
import { refusedOthers } from './messages/refused-others.ts';
import { refusedRequests } from './messages/refused-requests.ts';
import { refusedTokens } from './messages/refused-tokens.ts';
import { registrationProblems } from './messages/registration-problems.ts';
import { removals } from './messages/removals.ts';
import { resourceProblems } from './messages/resource-problems.ts';
import { resources } from './messages/resources.ts';
import { scriptRequests } from './messages/script-requests.ts';
import { scriptTokens } from './messages/script-tokens.ts';
import { scriptVerify } from './messages/script-verify.ts';
import { scripts } from './messages/scripts.ts';
import { sentencesAccess } from './messages/sentences-access.ts';
import { sentencesClients } from './messages/sentences-clients.ts';
import { sentencesUsers } from './messages/sentences-users.ts';
import { moreSettingDescriptions } from './messages/more-setting-descriptions.ts';
import { settingDescriptions } from './messages/setting-descriptions.ts';
import { settingProblems } from './messages/setting-problems.ts';
import { settingTitles } from './messages/setting-titles.ts';
import { settingValues } from './messages/setting-values.ts';
import { settingPages } from './messages/setting-pages.ts';
import { settingForecasts } from './messages/setting-forecasts.ts';
import { health } from './messages/health.ts';
import { tryIt } from './messages/try-it.ts';
import { upstreamErrors } from './messages/upstream-errors.ts';
import { values } from './messages/values.ts';

/** English is the source language: its keys are those of every language. */
const ENGLISH = {
  ...activity.en,
  ...adminApplications.en,
  ...adminClients.en,
  ...adminIssuers.en,
  ...removals.en,
  ...adminKeys.en,
  ...adminProviders.en,
  ...adminScopes.en,
  ...adminSessions.en,
  ...adminUserAccess.en,
  ...adminUsers.en,
  ...apiPage.en,
  ...applicationFacts.en,
  ...applicationForm.en,
  ...applicationInvitation.en,
  ...applicationKeys.en,
  ...applicationPeople.en,
  ...applicationProtocol.en,
  ...applicationRefusals.en,
  ...applicationSecrets.en,
  ...applications.en,
  ...authorized.en,
  ...audit.en,
  ...auditAccess.en,
  ...auditRadius.en,
  ...brand.en,
  ...brandTexts.en,
  ...chainRules.en,
  ...charts.en,
  ...consent.en,
  ...dashboard.en,
  ...delegationProblems.en,
  ...endingAccess.en,
  ...errors.en,
  ...eventFieldsGrants.en,
  ...eventFieldsSettings.en,
  ...eventTypes.en,
  ...examples.en,
  ...documentProblems.en,
  ...fileProblems.en,
  ...home.en,
  ...layout.en,
  ...limits.en,
  ...listed.en,
  ...lists.en,
  ...loginMethods.en,
  ...loginSecurity.en,
  ...login.en,
  ...emails.en,
  ...ownAccount.en,
  ...ownAdministration.en,
  ...pageErrors.en,
  ...permissions.en,
  ...problems.en,
  ...profile.en,
  ...refusals.en,
  ...providerProblems.en,
  ...refusedOthers.en,
  ...refusedRequests.en,
  ...refusedTokens.en,
  ...registrationProblems.en,
  ...resourceProblems.en,
  ...resources.en,
  ...scriptRequests.en,
  ...scriptTokens.en,
  ...scriptVerify.en,
  ...scripts.en,
  ...sentencesAccess.en,
  ...sentencesClients.en,
  ...sentencesUsers.en,
  ...moreSettingDescriptions.en,
  ...settingDescriptions.en,
  ...settingProblems.en,
  ...settingTitles.en,
  ...settingValues.en,
  ...settingPages.en,
  ...settingForecasts.en,
  ...health.en,
  ...tryIt.en,
  ...upstreamErrors.en,
  ...values.en,
} as const;

export type MessageKey = keyof typeof ENGLISH;

/** A language's entries, in ICU message syntax. */
export type Catalog = Readonly<Record<MessageKey, string>>;

const GERMAN: Catalog = {
  ...activity.de,
  ...adminApplications.de,
  ...adminClients.de,
  ...adminIssuers.de,
  ...removals.de,
  ...adminKeys.de,
  ...adminProviders.de,
  ...adminScopes.de,
  ...adminSessions.de,
  ...adminUserAccess.de,
  ...adminUsers.de,
  ...apiPage.de,
  ...applicationFacts.de,
  ...applicationForm.de,
  ...applicationInvitation.de,
  ...applicationKeys.de,
  ...applicationPeople.de,
  ...applicationProtocol.de,
  ...applicationRefusals.de,
  ...applicationSecrets.de,
  ...applications.de,
  ...authorized.de,
  ...audit.de,
  ...auditAccess.de,
  ...auditRadius.de,
  ...brand.de,
  ...brandTexts.de,
  ...chainRules.de,
  ...charts.de,
  ...consent.de,
  ...dashboard.de,
  ...delegationProblems.de,
  ...endingAccess.de,
  ...errors.de,
  ...eventFieldsGrants.de,
  ...eventFieldsSettings.de,
  ...eventTypes.de,
  ...examples.de,
  ...documentProblems.de,
  ...fileProblems.de,
  ...home.de,
  ...layout.de,
  ...limits.de,
  ...listed.de,
  ...lists.de,
  ...loginMethods.de,
  ...loginSecurity.de,
  ...login.de,
  ...emails.de,
  ...ownAccount.de,
  ...ownAdministration.de,
  ...pageErrors.de,
  ...permissions.de,
  ...problems.de,
  ...profile.de,
  ...refusals.de,
  ...providerProblems.de,
  ...refusedOthers.de,
  ...refusedRequests.de,
  ...refusedTokens.de,
  ...registrationProblems.de,
  ...resourceProblems.de,
  ...resources.de,
  ...scriptRequests.de,
  ...scriptTokens.de,
  ...scriptVerify.de,
  ...scripts.de,
  ...sentencesAccess.de,
  ...sentencesClients.de,
  ...sentencesUsers.de,
  ...moreSettingDescriptions.de,
  ...settingDescriptions.de,
  ...settingProblems.de,
  ...settingTitles.de,
  ...settingValues.de,
  ...settingPages.de,
  ...settingForecasts.de,
  ...health.de,
  ...tryIt.de,
  ...upstreamErrors.de,
  ...values.de,
};

/** All messages of pages and e-mails. A language that lacks an entry does not compile. */
export const CATALOGS: Readonly<Record<Language, Catalog>> = { en: ENGLISH, de: GERMAN };

export const MESSAGE_KEYS = Object.keys(ENGLISH) as readonly MessageKey[];

/** Reports whether the catalog has an entry with this key. */
export function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(ENGLISH, key);
}
