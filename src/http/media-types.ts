/** The media type of HTML forms and of OAuth requests (RFC 6749 appendix B). */
export const FORM = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';
