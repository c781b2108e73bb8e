/** The result of a request. */
export interface Fetched {
  status: number;
  headers: Headers;
  text: string;
}

/** The reason why no answer came; `code` is Node's or OpenSSL's. */
export interface FetchFailure {
  code: string;
}

const timeoutMs = 10_000;
const lengthAtMost = 5_000_000;

/** Requests a URL once, without following redirects, for at most 10 s and 5 MB. */
export async function fetchText(url: string): Promise<Fetched | FetchFailure> {
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'text/html,*/*;q=0.8', 'user-agent': 'orderbeacon-doctor' },
    });
    return { status: response.status, headers: response.headers, text: await readBounded(response) };
  } catch (error) {
    return { code: codeOf(error) };
  }
}

/** Reads at most 5 MB of a body and drops the rest: a page that long has its tag before it. */
async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (text.length > lengthAtMost) break;
  }
  return text;
}

function codeOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  return cause?.code ?? cause?.message ?? message;
}
