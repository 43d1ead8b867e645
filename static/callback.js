// Removes the response to an authorization request from the address bar and the history, before anything else runs.
'use strict';

globalThis.receivedResponse = new URLSearchParams(location.search);
history.replaceState(null, '', location.pathname);
