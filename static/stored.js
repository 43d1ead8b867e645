// Asks before a page with a secret that is shown once is left by accident. The link that says it is stored leads on without a question.
'use strict';

const warn = (event) => event.preventDefault();

for (const link of document.querySelectorAll('[data-stored]')) {
  window.addEventListener('beforeunload', warn);
  link.addEventListener('click', () => window.removeEventListener('beforeunload', warn));
}
