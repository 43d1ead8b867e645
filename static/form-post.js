// Posts the authorization response to the application. Without JavaScript, the user presses the button.
'use strict';

document.querySelector('form[data-form-post]')?.submit();
