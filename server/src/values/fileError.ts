/** A file cannot be read. The message is one sentence that says why and, where it can, what to do. */
export class FileError extends Error {
  override name = 'FileError';
}
