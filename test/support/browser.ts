import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

/** The headless shell is Chromium without windows and menus. It renders a page in a quarter of the processor time. */
const USUAL_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** These keep the browser from sending requests that the test did not ask for. */
const LAUNCH_ARGUMENTS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const HOW_TO_INSTALL = 'install Chromium (apt-get install chromium-headless-shell), or set CHROMIUM_PATH';

function findChromium(): string | undefined {
  const configuredPath = process.env['CHROMIUM_PATH'];
  return (configuredPath === undefined || configuredPath === '' ? USUAL_PATHS : [configuredPath]).find((path) =>
    existsSync(path),
  );
}

export interface Chromium {
  /** Opens a page in a new profile, which is closed after the test. `consoleErrors` are the errors in its console. */
  open(options?: BrowserContextOptions): Promise<{ readonly page: Page; readonly consoleErrors: readonly string[] }>;
}

export interface SuiteChromium extends Chromium {
  /** Opens a page in a new profile, which stays open until the suite ends. */
  openForSuite(options?: BrowserContextOptions): Promise<Page>;
}

/**
 * Starts a browser outside of a suite. The caller closes it.
 * @throws Error if no browser is installed
 */
export async function startChromium(): Promise<Chromium & { close(): Promise<void> }> {
  const browser = await launchChromium();
  return { open: (options) => openIn(browser, options), close: () => browser.close() };
}

async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(`this needs a browser: ${HOW_TO_INSTALL}`);
  return chromium.launch({ executablePath, chromiumSandbox: false, args: LAUNCH_ARGUMENTS });
}

async function openIn(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const consoleErrors: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && consoleErrors.push(message.text())));
  page.on('pageerror', (error) => void consoleErrors.push(error.message));
  return { page, consoleErrors };
}

/** Declares a suite that needs a real browser. It fails on a machine without one. */
export function describeInChromium(title: string, tests: (chromium: SuiteChromium) => void): void {
  describe(title, () => {
    const contexts: BrowserContext[] = [];
    let browser: Browser | undefined;

    before(async () => {
      browser = await launchChromium();
    });
    afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())));
    after(() => browser?.close());

    async function open(options?: BrowserContextOptions) {
      if (browser === undefined) throw new Error('the browser is not running');
      return openIn(browser, options);
    }

    tests({
      async open(options) {
        const tab = await open(options);
        contexts.push(tab.page.context());
        return tab;
      },
      openForSuite: async (options) => (await open(options)).page,
    });
  });
}
