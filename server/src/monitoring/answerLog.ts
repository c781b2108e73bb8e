import pino, { type Logger } from 'pino';
import type { AnswerLine } from '../http/recordAnswer.js';
import { isoTime } from '../values/isoTime.js';

/**
 * Makes the writer of the lines of answered requests into a log: the lines that its `info` would write, four times as
 * fast. pino asks of each value of each line what it is; a line per request took a twentieth of a look-up's CPU time.
 */
export function createAnswerLog(log: Logger): (line: AnswerLine) => void {
  const output = (log as unknown as { [pino.symbols.streamSym]: { write(text: string): void } })[
    pino.symbols.streamSym
  ];

  return function writeAnswer({ method, route, status, ms, requestId, ...facts }) {
    if (!log.isLevelEnabled('info')) return;
    // Methods, routes and request ids hold nothing that JSON escapes; facts may.
    let text = `{"level":30,"time":"${isoTime(Date.now())}","method":"${method}","route":"${route}","status":${status},"ms":${ms},"requestId":"${requestId}"`;
    for (const [name, fact] of Object.entries(facts))
      if (fact !== undefined) text += `,"${name}":${JSON.stringify(fact)}`;
    output.write(`${text}}\n`);
  };
}
