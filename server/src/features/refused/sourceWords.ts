/** The sender of a refused report or of a group of them, and the reason of the refusal. */
interface RefusedSpeaker {
  reason: string;
  field: string;
  speaker?: string | null | undefined;
}

/**
 * @returns true for a source's event that contains no order. If a source's order is refused, the reason is one of its
 * fields, never the whole body.
 */
export function isNoOrder({ reason, field, speaker }: RefusedSpeaker): boolean {
  return Boolean(speaker) && reason === 'invalid_request' && (field === 'body' || field === '');
}

/** Describes refused reports of a source, where the advice for them differs from that for a backend. Empty for all other reports. */
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
