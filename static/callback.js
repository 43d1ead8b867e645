// Removes the response to an authorization request from the address bar and the history, before anything else runs.
'use strict';

globalThis.receivedResponse = new URLSearchParams(location.search);
globalThis.signedResponse = receivedResponse.get('response');
if (signedResponse !== null) globalThis.receivedResponse = parametersIn(signedResponse);
history.replaceState(null, '', location.pathname);

/** Returns the parameters of an authorization response in a JWT (JARM). */
function parametersIn(jwt) {
  try {
    const payload = atob(jwt.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(payload, (character) => character.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes));
    return new URLSearchParams(Object.entries(claims).filter(([, value]) => typeof value === 'string'));
  } catch {
    return new URLSearchParams();
  }
}
