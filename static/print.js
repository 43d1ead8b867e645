// Shows the buttons that print the page. Without JavaScript, users print the page with the browser's menu.
'use strict';

document.querySelectorAll('[data-print]').forEach((button) => {
  button.hidden = false;
  button.addEventListener('click', () => print());
});
