/** Makes a function that runs at its first call, and gives that call's result to all later ones. */
export function once<Result>(run: () => Result): () => Result {
  let first: { result: Result } | undefined;
  return () => {
    first ??= { result: run() };
    return first.result;
  };
}
