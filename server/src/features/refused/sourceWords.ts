/** A refused report, or a group of them, as far as it says who spoke of what. */
interface RefusedSpeaker {
  reason: string;
  field: string;
  speaker?: string | null | undefined;
}

/** True for an event of a source that holds no order. A source's order is an object, so nothing is wrong with it as a whole. */
export function isNoOrder({ reason, field, speaker }: RefusedSpeaker): boolean {
  return Boolean(speaker) && reason === 'invalid_request' && (field === 'body' || field === '');
}

/** What is to be done with a report of a source, where that is something else than with one of a backend. */
export function describeOfSource(of: RefusedSpeaker) {
  const { reason, speaker } = of;
  if (!speaker) return {};
  if (isNoOrder(of))
    return {
      why: `${speaker}: an event holds no order that can be read`,
      advice: `Open each one: it says why, and what to change in ${speaker}. Then discard it.`,
      fix: 'none' as const,
      noun: 'event' as const,
    };
  if (reason === 'invalid_api_key')
    return {
      why: `${speaker}: its source has since been removed`,
      advice: `Report these orders with an API key, or ask ${speaker} for them by another source. Then discard them here.`,
    };
  if (reason !== 'invalid_request') return {};
  return {
    advice: `Correct each one in ${speaker}, which tells of it again, or open it, correct it and store it here.`,
  };
}
