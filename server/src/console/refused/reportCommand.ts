interface SaidInCommand {
  isTest: boolean;
  /** No text of a buyer or a page is in it, because it may be hostile. */
  body: object;
}

/**
 * A command for a terminal that reports to this server with an API key.
 * @param path below `/svc-api/v1`
 */
export function reportCommand(publicUrl: string, path: string, { isTest, body }: SaidInCommand): string {
  return [
    `curl -H "Authorization: Bearer ob_${isTest ? 'test' : 'live'}_…" -H "Content-Type: application/json"`,
    `  -d '${JSON.stringify(body)}' "${publicUrl}/svc-api/v1${path}"`,
  ].join(' \\\n');
}
