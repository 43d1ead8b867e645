/** Nobody could administer the server any more; nothing was changed. */
export class LastAdministrator extends Error {
  override readonly name = 'LastAdministrator';

  constructor() {
    super('this is the last administrator who can log in');
  }
}
