/** The operation was refused. The message is one line that tells the operator what to do. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
}
