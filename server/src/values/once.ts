/** Creates a function that runs at its first call, and returns that call's result for all later ones. */
export function once<Result>(run: () => Result): () => Result {
  let first: { result: Result } | undefined;
  return () => {
    first ??= { result: run() };
    return first.result;
  };
}
