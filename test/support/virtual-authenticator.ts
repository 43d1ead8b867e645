import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import type { SuiteChromium } from './browser.ts';

/** A Chromium tab with a software authenticator that stores passkeys and does not need a fingerprint. */
export interface TabWithAuthenticator {
  readonly page: Page;
  /** The errors that the page has written to the console. */
  readonly consoleErrors: readonly string[];
  readonly devtools: CDPSession;
  readonly authenticatorId: string;
}

const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

export async function openWithAuthenticator(
  chromium: SuiteChromium,
  options: BrowserContextOptions = {},
): Promise<TabWithAuthenticator> {
  const { page, consoleErrors } = await chromium.open(options);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR });
  return { page, consoleErrors, devtools, authenticatorId };
}

/**
 * Keeps the page from using passkeys before the user asks for it. Otherwise, the virtual authenticator would log in
 * before anything is typed.
 */
export async function disablePasskeyAutofill(page: Page): Promise<void> {
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);');
}
