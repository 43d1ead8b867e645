import { refusalAssertions } from './refusals-assertions.ts';
import { refusalAuthorization } from './refusals-authorization.ts';
import { refusalCertificates } from './refusals-certificates.ts';
import { refusalClientDocuments } from './refusals-client-documents.ts';
import { refusalClients } from './refusals-clients.ts';
import { refusalCredentials } from './refusals-credentials.ts';
import { refusalDetails } from './refusals-details.ts';
import { refusalDevices } from './refusals-devices.ts';
import { refusalDpop } from './refusals-dpop.ts';
import { refusalExchangeLimits } from './refusals-exchange-limits.ts';
import { refusalExchanges } from './refusals-exchanges.ts';
import { refusalFacts } from './refusals-facts.ts';
import { refusalIssuers } from './refusals-issuers.ts';
import { refusalManagement } from './refusals-management.ts';
import { refusalPolicies } from './refusals-policies.ts';
import { refusalProfile } from './refusals-profile.ts';
import { refusalRefreshTokens } from './refusals-refresh-tokens.ts';
import { refusalRegistration } from './refusals-registration.ts';
import { refusalRequestObjects } from './refusals-request-objects.ts';
import { refusalRequestUris } from './refusals-request-uris.ts';
import { refusalRequests } from './refusals-requests.ts';
import { refusalScopes } from './refusals-scopes.ts';
import { refusalTokens } from './refusals-tokens.ts';
import { refusalUpstream } from './refusals-upstream.ts';
import { refusalValues } from './refusals-values.ts';

/** The explanations of refused requests: for each, the rule, the expected and received values, and advice. */
export const refusals = {
  en: {
    ...refusalAssertions.en,
    ...refusalAuthorization.en,
    ...refusalCertificates.en,
    ...refusalClientDocuments.en,
    ...refusalClients.en,
    ...refusalCredentials.en,
    ...refusalDetails.en,
    ...refusalDevices.en,
    ...refusalDpop.en,
    ...refusalExchangeLimits.en,
    ...refusalExchanges.en,
    ...refusalFacts.en,
    ...refusalIssuers.en,
    ...refusalManagement.en,
    ...refusalPolicies.en,
    ...refusalProfile.en,
    ...refusalRefreshTokens.en,
    ...refusalRegistration.en,
    ...refusalRequestObjects.en,
    ...refusalRequestUris.en,
    ...refusalRequests.en,
    ...refusalScopes.en,
    ...refusalTokens.en,
    ...refusalUpstream.en,
    ...refusalValues.en,
  },
  de: {
    ...refusalAssertions.de,
    ...refusalAuthorization.de,
    ...refusalCertificates.de,
    ...refusalClientDocuments.de,
    ...refusalClients.de,
    ...refusalCredentials.de,
    ...refusalDetails.de,
    ...refusalDevices.de,
    ...refusalDpop.de,
    ...refusalExchangeLimits.de,
    ...refusalExchanges.de,
    ...refusalFacts.de,
    ...refusalIssuers.de,
    ...refusalManagement.de,
    ...refusalPolicies.de,
    ...refusalProfile.de,
    ...refusalRefreshTokens.de,
    ...refusalRegistration.de,
    ...refusalRequestObjects.de,
    ...refusalRequestUris.de,
    ...refusalRequests.de,
    ...refusalScopes.de,
    ...refusalTokens.de,
    ...refusalUpstream.de,
    ...refusalValues.de,
  },
} as const;
