/** An operation that could run and says no: one line that tells the operator what to do about it. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
}
