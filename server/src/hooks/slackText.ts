/** Content of an event as Slack shows it. */
export interface SlackContent {
  /** Absent for the event with which a hook is tried. */
  teamName?: string;
  message: string;
}

/** Writes the text of a message to Slack, which takes `<`, `>` and `&` for marks, such as one that calls everybody. */
export function slackText({ teamName, message }: SlackContent): string {
  const text = teamName === undefined ? message : `${teamName}: ${message}`;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
