// Shows the buttons that print the page. Without JavaScript, the browser's menu prints it.
'use strict';

document.querySelectorAll('[data-print]').forEach((button) => {
  button.hidden = false;
  button.addEventListener('click', () => print());
});
