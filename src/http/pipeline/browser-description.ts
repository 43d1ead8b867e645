import Bowser from 'bowser';

/** Real browsers send shorter headers. Parsing a longer one would only waste time. */
const MAX_USER_AGENT_LENGTH = 512;
/** Matches a name that is safe to show. An unknown browser can send any text as its name. */
const NAME = /^[\w .+-]{1,32}$/;

/**
 * Returns the name of a browser and its system, such as "Firefox on Linux", from the `User-Agent` header (RFC 9110
 * §10.1.5). Versions are left out, because they change while a session lasts. Returns undefined if the header is
 * missing or too long, or identifies neither a browser nor a system.
 */
export function describeBrowser(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined || userAgent === '' || userAgent.length > MAX_USER_AGENT_LENGTH) return undefined;
  const { browser, os } = Bowser.parse(userAgent);
  const [name, system] = [validName(browser.name), validName(os.name)];
  if (name === undefined) return system === undefined ? undefined : `A browser on ${system}`;
  return system === undefined ? name : `${name} on ${system}`;
}

function validName(name: string | undefined): string | undefined {
  return name !== undefined && NAME.test(name) ? name : undefined;
}
