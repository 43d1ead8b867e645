/** The name under which the suite serves the addresses of the clients. */
export const ALIAS = 'grantlog';

/** The addresses with which both clients are registered. @param suite without a slash at its end */
export function clientAddresses(suite: string) {
  const base = `${suite}/test/a/${ALIAS}`;
  return {
    redirectUris: [`${base}/callback`, `${base}/callback?dummy1=lorem&dummy2=ipsum`],
    postLogoutRedirectUri: `${base}/post_logout_redirect`,
    backchannelLogoutUri: `${base}/backchannel_logout`,
  };
}
