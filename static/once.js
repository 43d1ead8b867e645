// A second click while the first is on its way sends nothing. The server takes a form that comes twice for one, too.
'use strict';

/** Longer than any answer takes; a person who stopped the loading can then send again. */
const SENT_FOR_MS = 5000;

for (const form of document.querySelectorAll('form[method=post]')) {
  let sent = false;
  form.addEventListener('submit', (event) => {
    if (sent) event.preventDefault();
    sent = true;
    setTimeout(() => { sent = false; }, SENT_FOR_MS);
  });
  window.addEventListener('pageshow', () => { sent = false; });
}
