// Asks for confirmation before the user leaves a page that shows a secret once,
// unless they leave with the link that confirms they stored it.
'use strict';

const warn = (event) => event.preventDefault();

for (const link of document.querySelectorAll('[data-stored]')) {
  window.addEventListener('beforeunload', warn);
  link.addEventListener('click', () => window.removeEventListener('beforeunload', warn));
}
