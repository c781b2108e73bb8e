/** Writes the contract's envelope around the data of a 200, as JSON. */
export function success(data: object): string {
  return JSON.stringify({ success: true, data });
}
