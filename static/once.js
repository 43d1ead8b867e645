// Ignores a second click while a form is being submitted. The server also recognizes a form that is submitted twice.
'use strict';

/** Longer than a response usually takes. Afterwards, a user who stopped loading the page can submit again. */
const RESET_AFTER_MS = 5000;

for (const form of document.querySelectorAll('form[method=post]')) {
  let sent = false;
  form.addEventListener('submit', (event) => {
    if (sent) event.preventDefault();
    sent = true;
    setTimeout(() => {
      sent = false;
    }, RESET_AFTER_MS);
  });
  window.addEventListener('pageshow', () => {
    sent = false;
  });
}
