// Posts the response of an authorization request to the application. Without JavaScript, the user presses the button.
'use strict';

document.querySelector('form[data-form-post]')?.submit();
