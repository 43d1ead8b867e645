// Hands the client secret, which this page shows once, to the page on which the developer tries it.
import { handOver } from './hand-over.js';

const secret = document.querySelector('#client-secret')?.textContent;
for (const link of document.querySelectorAll('a[data-client-id]'))
  link.addEventListener('click', () => handOver(link.dataset.clientId, { CLIENT_SECRET: secret }));
