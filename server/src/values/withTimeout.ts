/** The value with which `withTimeout` resolves after the time is over. */
export const late = Symbol('late');

/** Resolves as the promise does, or with `late` if that takes longer than `ms`. Does not stop the promise. */
export async function withTimeout<Result>(
  ms: number,
  promise: Promise<Result>,
): Promise<Result | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const timeOut = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  try {
    return await Promise.race([promise, timeOut]);
  } finally {
    clearTimeout(timer);
  }
}
