/** The part of the path that identifies this plan in the suite. */
export const ALIAS = 'grantlog';

/**
 * Returns the URIs that both clients register.
 * @param suite the URL of the suite, without a trailing slash
 */
export function clientUris(suite: string) {
  const base = `${suite}/test/a/${ALIAS}`;
  return {
    redirectUris: [`${base}/callback`, `${base}/callback?dummy1=lorem&dummy2=ipsum`],
    postLogoutRedirectUri: `${base}/post_logout_redirect`,
    backchannelLogoutUri: `${base}/backchannel_logout`,
  };
}
