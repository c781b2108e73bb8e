import type { ConsoleContext } from './context.js';

/** Answers 200 with texts as they come, no faster than the client takes them. */
export function replyStream(c: ConsoleContext, texts: AsyncGenerator<string>, contentType: string): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
  const headers = { ...c.get('headers'), 'Content-Type': contentType };
  return new Response(body, { status: 200, headers });
}
